import { getOrMake } from '../../lib/get-or-make.ts';
import {
  type ItemKind,
  itemKinds,
  type StoreChanges,
  type StoredAccount,
  type StoredItem,
} from '../store.ts';
import { writeChunk } from './chunk.ts';
import { documentKind, writeDocument } from './document-bytes.ts';
import {
  chunkOf,
  hasAny,
  holdsOf,
  recordKind,
  type SectionName,
  sectionNames,
  sectionOf,
  sections,
  wrongOf,
} from './items.ts';
import { Manifest } from './manifest.ts';
import { decodeRecords } from './read-records.ts';
import {
  CorruptRecordError,
  keyText,
  type RecordKey,
  type RecordWrite,
  type StoredRecord,
  seal,
} from './record.ts';

type Items = Map<number, StoredItem>;

/** Records that make changes durable. */
export interface EncodedChanges {
  readonly writes: readonly RecordWrite[];
  /** The caller calls this when the records are durable. */
  readonly applied: () => void;
}

/**
 * The records of one account in a backend. The durable items are kept in memory, so that a change
 * writes only those sections of a chunk that it affects.
 */
export class AccountRecords {
  readonly #account: string;
  /** The version of the record format. */
  readonly #version: number;
  /** Keyed by kind and chunk. */
  readonly #chunks = new Map<string, Items>();
  #manifest: Manifest;
  /** Corrupt records. The next commit replaces them, so that the next start is silent. */
  #corrupt: readonly RecordKey[] = [];

  constructor(account: string, version: number) {
    this.#account = account;
    this.#version = version;
    this.#manifest = new Manifest(account, version);
  }

  /** Reads all records of the account. Must be called once, on a new object. Yields regularly. */
  *read(records: readonly StoredRecord[]): Generator<void, StoredAccount> {
    const { stored, manifest, corrupt } = yield* decodeRecords(
      this.#account,
      records,
      this.#version,
    );
    this.#manifest = manifest;
    this.#corrupt = corrupt;
    for (const kind of itemKinds) this.#applyItems(kind, stored.items[kind]);
    return stored;
  }

  /** Yields regularly. Throws a `CorruptRecordError` for an item that breaks an invariant. */
  *encode({ items = {}, documents }: StoreChanges): Generator<void, EncodedChanges> {
    const writes: RecordWrite[] = [];
    for (const kind of itemKinds) {
      for (const { chunk, members, changed } of this.#touched(kind, items[kind] ?? new Map())) {
        for (const section of changed) {
          writes.push(this.#writeSection(kind, section, chunk, members));
        }
        yield;
      }
    }
    for (const [name, value] of documents ?? []) {
      const key = { kind: documentKind, name };
      writes.push({
        ...key,
        bytes: value === null ? null : this.#seal(key, yield* writeDocument(value)),
      });
      yield;
    }
    writes.push(...this.#repairs(new Set(writes.map(keyText))));
    const manifest = this.#manifest.with(writes);
    return {
      writes: [...writes, manifest.write],
      applied: () => {
        for (const kind of itemKinds) this.#applyItems(kind, items[kind] ?? new Map());
        manifest.applied();
        this.#corrupt = [];
      },
    };
  }

  *#touched(kind: ItemKind, changes: ReadonlyMap<number, StoredItem | null>) {
    const byChunk = new Map<number, [number, StoredItem | null][]>();
    for (const change of changes) getOrMake(byChunk, chunkOf(change[0]), () => []).push(change);
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
        requireIntact(kind, id, item);
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
    for (const key of this.#corrupt) {
      if (written.has(keyText(key))) continue;
      const [section, chunk] = [sectionOf(key.kind), Number(key.name)];
      if (section === undefined || String(chunk) !== key.name) {
        yield { ...key, bytes: null };
      } else {
        yield this.#writeSection(section.kind, section.name, chunk, [
          ...this.#chunk(section.kind, chunk),
        ]);
      }
    }
  }

  #chunk(kind: ItemKind, chunk: number): Items {
    return getOrMake(this.#chunks, `${kind} ${chunk}`, (): Items => new Map());
  }

  #seal(key: RecordKey, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return seal(this.#account, key, bytes, this.#version);
  }
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

function requireIntact(kind: ItemKind, id: number, item: StoredItem): StoredItem {
  const wrong = wrongOf(item);
  if (wrong !== undefined) throw new CorruptRecordError(`${kind} ${id}: ${wrong}`);
  return item;
}
