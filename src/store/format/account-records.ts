import {
  type ItemKind,
  itemKinds,
  type Json,
  type LostRecord,
  type StoreChanges,
  type StoredAccount,
  type StoredItem,
} from '../store.ts';
import { readChunk, writeChunk } from './chunk.ts';
import { ByteReader, ByteWriter } from './codec.ts';
import { readDocument } from './documents.ts';
import {
  chunkOf,
  hasAny,
  holdsOf,
  type ItemColumns,
  itemOf,
  recordKind,
  type SectionName,
  sectionNames,
  sections,
  sectionsHeld,
  wrongOf,
} from './items.ts';
import {
  CorruptRecordError,
  checksumOf,
  type RecordKey,
  type RecordWrite,
  type StoredRecord,
  seal,
  sealBytes,
  unseal,
} from './record.ts';

const documentKind = 'document';
export const manifestKind = 'manifest';
/** How many records the account has, and their checksums combined: so that none can go missing or be an old one unseen. */
const manifestKey: RecordKey = { kind: manifestKind, name: '' };

type Items = Map<number, StoredItem>;

/** Records that make changes durable. */
export interface EncodedChanges {
  readonly writes: readonly RecordWrite[];
  /** To be called when they are durable. */
  readonly applied: () => void;
}

/**
 * The records of one account as a backend holds them. It remembers what is durable, so that a change writes only the
 * sections of the chunks that it touches.
 */
export class AccountRecords {
  readonly #account: string;
  /** By kind and chunk. */
  readonly #chunks = new Map<string, Items>();
  /** Checksums of the records by kind and name. */
  readonly #checksums = new Map<string, number>();
  /** All of them combined. */
  #sum = 0;
  /** Records that were not read whole, to be replaced by what was, so that the next start does not find them again. */
  #damaged: readonly RecordKey[] = [];

  constructor(account: string) {
    this.#account = account;
  }

  /** Reads all records of the account, into an object that has none yet. */
  read(records: readonly StoredRecord[]): StoredAccount {
    const lost: LostRecord[] = [];
    const documents = new Map<string, Json>();
    const columns = new Map<string, Map<number, ItemColumns>>();
    const damaged: RecordKey[] = [];
    let manifest: StoredRecord | undefined;
    for (const record of records) {
      const { kind, name, bytes } = record;
      if (kind === manifestKey.kind) {
        manifest = record;
        continue;
      }
      this.#checksums.set(keyText(record), checksumOf(bytes));
      const isRead =
        kind === documentKind
          ? orLost(lost, documentKind, name, () => {
              documents.set(name, readDocument(name, unseal(this.#account, record, bytes)));
              return true;
            })
          : orLost(lost, 'chunk', `${kind} ${name}`, () =>
              this.#readSection(record, columns, lost),
            );
      if (isRead !== true) damaged.push({ kind, name });
    }
    this.#damaged = damaged;
    for (const checksum of this.#checksums.values()) {
      this.#sum = (this.#sum + spread(checksum)) >>> 0;
    }
    const items = { check: new Map(), transaction: new Map() };
    for (const kind of itemKinds) this.#assemble(kind, columns, items[kind], lost);
    if (records.length > 0) {
      orLost(lost, 'missing', 'records', () => this.#verifyManifest(manifest));
    }
    return { items, documents, lost: named(lost) };
  }

  /** Yields now and then, for the event loop to have a turn. Throws a `CorruptRecordError` for an item that is not sound. */
  *encode({ items = {}, documents = new Map() }: StoreChanges): Generator<void, EncodedChanges> {
    const writes: RecordWrite[] = [];
    for (const kind of itemKinds) {
      for (const { chunk, members, changed } of this.#touched(kind, items[kind] ?? new Map())) {
        for (const section of changed) {
          writes.push(this.#writeSection(kind, section, chunk, members));
        }
        yield;
      }
    }
    for (const [name, value] of documents) {
      const key = { kind: documentKind, name };
      writes.push({
        ...key,
        bytes: value === null ? null : this.#seal(key, yield* jsonBytes(value)),
      });
      yield;
    }
    writes.push(...this.#repairs(new Set(writes.map(keyText))));
    const checksums = new Map<string, number | undefined>();
    for (const write of writes) {
      checksums.set(keyText(write), write.bytes === null ? undefined : checksumOf(write.bytes));
    }
    const { manifest, sum } = this.#manifest(checksums);
    writes.push(manifest);
    return {
      writes,
      applied: () => {
        for (const kind of itemKinds) this.#applyItems(kind, items[kind] ?? new Map());
        for (const [key, checksum] of checksums) {
          if (checksum === undefined) this.#checksums.delete(key);
          else this.#checksums.set(key, checksum);
        }
        this.#sum = sum;
        this.#damaged = [];
      },
    };
  }

  /** Answers whether the record is as it was written. */
  #readSection(
    { kind, name, bytes }: StoredRecord,
    columns: Map<string, Map<number, ItemColumns>>,
    lost: LostRecord[],
  ): boolean {
    const section = sectionOf(kind);
    if (section === undefined) throw new CorruptRecordError('its kind is unknown');
    let intact = true;
    let payload: Uint8Array;
    try {
      payload = unseal(this.#account, { kind, name }, bytes);
    } catch (error) {
      if (!(error instanceof CorruptRecordError) || bytes.length < sealBytes) throw error;
      intact = false;
      payload = bytes.subarray(sealBytes);
    }
    const read = columns.get(kind) ?? new Map<number, ItemColumns>();
    columns.set(kind, read);
    for (const [id, item] of readChunk(sections[section.name], payload, intact)) {
      // The id of a damaged one is not to be believed before its checksum is.
      if ('reason' in item) {
        lost.push({ kind: section.kind, name: String(id), reason: item.reason });
      } else if (String(chunkOf(id)) === name) {
        read.set(id, item.columns);
      }
    }
    return intact;
  }

  /** An item of which any section is lost is lost as a whole: its counters belong together. */
  #assemble(
    kind: ItemKind,
    columns: ReadonlyMap<string, ReadonlyMap<number, ItemColumns>>,
    into: Items,
    lost: LostRecord[],
  ): void {
    const bad = new Set(lost.flatMap((record) => (record.kind === kind ? [record.name] : [])));
    const states = columns.get(recordKind(kind, 'states')) ?? new Map<number, ItemColumns>();
    for (const [id, own] of states) {
      if (bad.has(String(id))) continue;
      orLost(lost, kind, String(id), () => {
        let values = own.values;
        for (const name of sectionsHeld(own.numbers.holds ?? 0)) {
          const more = columns.get(recordKind(kind, name))?.get(id);
          if (more === undefined) throw new CorruptRecordError(`its ${name} are not there`);
          values = { ...values, ...more.values };
        }
        const item = itemOf({ numbers: own.numbers, values });
        into.set(id, item);
        this.#chunk(kind, chunkOf(id)).set(id, item);
      });
    }
  }

  #verifyManifest(manifest: StoredRecord | undefined): void {
    if (manifest === undefined) throw new CorruptRecordError('the list of records is not there');
    const from = new ByteReader(unseal(this.#account, manifestKey, manifest.bytes));
    const [count, sum] = [from.uint32(), from.uint32()];
    if (count !== this.#checksums.size) {
      throw new CorruptRecordError(`there are ${this.#checksums.size} of ${count} records`);
    }
    if (sum !== this.#sum) {
      throw new CorruptRecordError('some are not those that were written last');
    }
  }

  *#touched(kind: ItemKind, changes: ReadonlyMap<number, StoredItem | null>) {
    const byChunk = new Map<number, [number, StoredItem | null][]>();
    for (const change of changes) {
      const known = byChunk.get(chunkOf(change[0]));
      if (known === undefined) byChunk.set(chunkOf(change[0]), [change]);
      else known.push(change);
    }
    for (const [chunk, changed] of byChunk) {
      const before = this.#chunk(kind, chunk);
      const members: [number, StoredItem][] = [];
      for (const member of before) {
        const item = changes.get(member[0]);
        if (item === undefined) members.push(member);
        else if (item !== null) members.push([member[0], item]);
      }
      for (const [id, item] of changed) {
        if (item === null) continue;
        requireSound(kind, id, item);
        if (!before.has(id)) members.push([id, item]);
      }
      yield {
        chunk,
        members,
        changed: sectionNames.filter((name) =>
          changed.some(([id, item]) => isChanged(name, before.get(id), item ?? undefined)),
        ),
      };
    }
  }

  #applyItems(kind: ItemKind, changes: ReadonlyMap<number, StoredItem | null>): void {
    for (const [id, item] of changes) {
      const members = this.#chunk(kind, chunkOf(id));
      if (item === null) members.delete(id);
      else members.set(id, item);
    }
  }

  #writeSection(
    kind: ItemKind,
    name: SectionName,
    chunk: number,
    members: readonly (readonly [number, StoredItem])[],
  ): RecordWrite {
    const key = { kind: recordKind(kind, name), name: String(chunk) };
    const section = sections[name];
    const holds = members.filter(([, item]) => hasAny(section.fields, item));
    const bytes = holds.length === 0 ? null : this.#seal(key, writeChunk(section, holds));
    return { ...key, bytes };
  }

  *#repairs(written: ReadonlySet<string>): Generator<RecordWrite> {
    for (const key of this.#damaged) {
      if (written.has(keyText(key))) continue;
      const section = sectionOf(key.kind);
      if (section === undefined) {
        yield { ...key, bytes: null };
      } else {
        const chunk = Number(key.name);
        yield this.#writeSection(section.kind, section.name, chunk, [
          ...this.#chunk(section.kind, chunk),
        ]);
      }
    }
  }

  #manifest(changed: ReadonlyMap<string, number | undefined>) {
    let [count, sum] = [this.#checksums.size, this.#sum];
    for (const [key, checksum] of changed) {
      const before = this.#checksums.get(key);
      if (before !== undefined) {
        count -= 1;
        sum = (sum - spread(before)) >>> 0;
      }
      if (checksum !== undefined) {
        count += 1;
        sum = (sum + spread(checksum)) >>> 0;
      }
    }
    const to = new ByteWriter();
    to.skip(sealBytes);
    to.uint32At(to.skip(4), count);
    to.uint32At(to.skip(4), sum);
    const manifest = { ...manifestKey, bytes: this.#seal(manifestKey, to.copy()) };
    return { manifest, sum };
  }

  #chunk(kind: ItemKind, chunk: number): Items {
    const key = `${kind} ${chunk}`;
    const known = this.#chunks.get(key);
    if (known !== undefined) return known;
    const items: Items = new Map();
    this.#chunks.set(key, items);
    return items;
  }

  #seal(key: RecordKey, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return seal(this.#account, key, bytes);
  }
}

function keyText({ kind, name }: RecordKey): string {
  return `${kind}\0${name}`;
}

function sectionOf(kind: string) {
  for (const item of itemKinds) {
    const name = sectionNames.find((candidate) => recordKind(item, candidate) === kind);
    if (name !== undefined) return { kind: item, name };
  }
  return undefined;
}

function isChanged(
  section: SectionName,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
): boolean {
  if (before === undefined || after === undefined) return true;
  for (const of of sections[section].fields) if (of(before) !== of(after)) return true;
  return section === 'states' && holdsOf(after) !== holdsOf(before);
}

function requireSound(kind: ItemKind, id: number, item: StoredItem): StoredItem {
  const wrong = wrongOf(item);
  if (wrong !== undefined) throw new CorruptRecordError(`${kind} ${id}: ${wrong}`);
  return item;
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

/** Each item once, whichever of its sections were lost. */
function named(lost: readonly LostRecord[]): LostRecord[] {
  return [...new Map(lost.map((record) => [`${record.kind} ${record.name}`, record])).values()];
}

/** The bits of a checksum mixed, so that the sum of many tells more than each. */
function spread(checksum: number): number {
  return Math.imul(checksum, 0x9e3779b1) >>> 0;
}

const entriesPerTurn = 1000;
const encoder = new TextEncoder();

/** Behind the bytes of the seal. A long array is written in parts. */
function* jsonBytes(value: Json): Generator<void, Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  if (isArray(value) && value.length > entriesPerTurn) {
    for (let from = 0; from < value.length; from += entriesPerTurn) {
      const text = JSON.stringify(value.slice(from, from + entriesPerTurn)).slice(1, -1);
      parts.push(encoder.encode(`${from === 0 ? '[' : ','}${text}`));
      yield;
    }
    parts.push(encoder.encode(']'));
  } else {
    parts.push(encoder.encode(JSON.stringify(value)));
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, sealBytes));
  let at = sealBytes;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
