import { getOrMake } from '../../lib/get-or-make.ts';
import {
  type ItemKind,
  itemKinds,
  type LostRecord,
  type StoredAccount,
  type StoredItem,
} from '../store.ts';
import { readChunk } from './chunk.ts';
import { documentKind, readDocument } from './document-bytes.ts';
import { DocumentSet } from './document-set.ts';
import {
  chunkOf,
  type ItemColumns,
  itemOf,
  recordKind,
  sectionOf,
  sections,
  sectionsHeld,
} from './items.ts';
import { Manifest, manifestKind } from './manifest.ts';
import {
  CorruptRecordError,
  formatVersion,
  type RecordKey,
  type StoredRecord,
  sealBytes,
  unseal,
} from './record.ts';

interface ReadRecords {
  readonly stored: StoredAccount;
  readonly manifest: Manifest;
  /** Records that differ from what was written. */
  readonly corrupt: readonly RecordKey[];
}

/** About as many items as one record of a large account has. */
const itemsPerStep = 256;

/** Keyed by the kind of their section, then by id. */
type ColumnsRead = Map<string, Map<number, ItemColumns>>;

/** Reads an account's records; unreadable ones are in `lost`. Yields regularly. */
export function* decodeRecords(
  account: string,
  records: readonly StoredRecord[],
  version: number = formatVersion,
): Generator<void, ReadRecords> {
  const lost: LostRecord[] = [];
  const documents = new DocumentSet();
  const columns: ColumnsRead = new Map();
  const corrupt: RecordKey[] = [];
  const manifest = new Manifest(account, version);
  let listed: StoredRecord | undefined;
  for (const record of records) {
    const { kind, name, bytes } = record;
    if (kind === manifestKind) {
      listed = record;
      continue;
    }
    manifest.add(record);
    const isRead =
      kind === documentKind
        ? orLost(lost, documentKind, name, () => {
            documents.addRead(name, readDocument(name, unseal(account, record, bytes, version)));
            return true;
          })
        : orLost(lost, 'chunk', `${kind} ${name}`, () =>
            readSection({ account, version }, record, columns, lost),
          );
    if (isRead !== true) corrupt.push({ kind, name });
    yield;
  }
  const items = { check: new Map(), transaction: new Map() };
  for (const kind of itemKinds) yield* assemble(kind, columns, items[kind], lost);
  if (records.length > 0) orLost(lost, 'missing', 'records', () => manifest.verify(listed));
  return { stored: { items, documents, lost: named(lost) }, manifest, corrupt };
}

/** Reads the items of one section. Returns whether the record is intact. */
function readSection(
  { account, version }: { readonly account: string; readonly version: number },
  { kind, name, bytes }: StoredRecord,
  columns: ColumnsRead,
  lost: LostRecord[],
): boolean {
  const section = sectionOf(kind);
  if (section === undefined) throw new CorruptRecordError('its kind is unknown');
  let intact = true;
  let payload: Uint8Array;
  try {
    payload = unseal(account, { kind, name }, bytes, version);
  } catch (error) {
    if (!(error instanceof CorruptRecordError) || bytes.length < sealBytes) throw error;
    intact = false;
    payload = bytes.subarray(sealBytes);
  }
  const read = getOrMake(columns, kind, () => new Map());
  const bad: [number, string][] = [];
  for (const [id, item] of readChunk(sections[section.name], payload, intact)) {
    if (String(chunkOf(id)) !== name) bad.push([Number.NaN, 'an item of it has a damaged id']);
    else if ('reason' in item) bad.push([id, item.reason]);
    else read.set(id, item.columns);
  }
  for (const [id, reason] of bad) {
    // If an intact item has the same id, this id is corrupt.
    const isOwn = !Number.isNaN(id) && !read.has(id);
    const kind = isOwn ? section.kind : 'chunk';
    lost.push({
      kind,
      name: isOwn ? String(id) : `${section.kind} ${section.name} ${name}`,
      reason,
    });
  }
  return intact;
}

/** If one section of an item is lost, so is the item: its counters belong together. */
function* assemble(
  kind: ItemKind,
  columns: ReadonlyMap<string, ReadonlyMap<number, ItemColumns>>,
  into: Map<number, StoredItem>,
  lost: LostRecord[],
): Generator<void> {
  const bad = new Set(lost.flatMap((record) => (record.kind === kind ? [record.name] : [])));
  const states = columns.get(recordKind(kind, 'states')) ?? new Map<number, ItemColumns>();
  for (const [id, own] of states) {
    if (into.size % itemsPerStep === 0) yield;
    if (bad.has(String(id))) continue;
    orLost(lost, kind, String(id), () => {
      let values = own.values;
      for (const name of sectionsHeld(own.numbers.holds ?? 0)) {
        const more = columns.get(recordKind(kind, name))?.get(id);
        if (more === undefined) throw new CorruptRecordError(`its ${name} are not there`);
        values = { ...values, ...more.values };
      }
      into.set(id, itemOf({ numbers: own.numbers, values }));
    });
  }
}

function orLost<T>(
  lost: LostRecord[],
  kind: LostRecord['kind'],
  name: string,
  read: () => T,
): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CorruptRecordError)) throw error;
    lost.push({ kind, name, reason: error.message });
    return undefined;
  }
}

/** Lists each lost item once, even if several of its sections were lost. */
function named(lost: readonly LostRecord[]): LostRecord[] {
  return [...new Map(lost.map((record) => [`${record.kind} ${record.name}`, record])).values()];
}
