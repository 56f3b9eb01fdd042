import { getOrMake } from '../../lib/get-or-make.ts';
import {
  type ItemKind,
  itemKinds,
  type LostRecord,
  type StoreChanges,
  type StoredAccount,
  type StoredItem,
} from '../store.ts';
import { DocumentSet } from './document-set.ts';
import { readDocument } from './documents.ts';
import {
  type HorizonEntry,
  horizonText,
  type ItemBody,
  isItemChanged,
  itemBody,
  itemOf,
  logBody,
  partOf,
  readHorizons,
  readItem,
  readLog,
  type VersionedLog,
  wrongOf,
} from './items.ts';
import {
  CorruptRowError,
  deletion,
  keyText,
  type RowKey,
  type RowWrite,
  readBody,
  rowOf,
  rowOfText,
  type StoredRow,
} from './row.ts';

/** An item as it is stored, with the version of its log; 0 without a log. */
interface Member {
  readonly item: StoredItem;
  readonly version: number;
  /** Its entry in the row of its horizon, once it was written. A row has a hundred entries or more. */
  horizonText: string | undefined;
}
type Members = Map<number, Member>;

/** Rows that make changes durable. */
export interface EncodedChanges {
  readonly writes: readonly RowWrite[];
  /** The caller calls this when the rows are durable. */
  readonly applied: () => void;
}

/** Yields after this many rows. */
const rowsPerStep = 256;

/**
 * The rows of one account. The durable items are kept in memory, so that a change writes only those
 * rows that it affects.
 */
export class AccountRows {
  readonly #account: string;
  /** Keyed by kind and part. */
  readonly #parts = new Map<string, Members>();
  /** The next commit replaces these rows, so that the next start reports no loss. */
  #corrupt: readonly RowKey[] = [];

  constructor(account: string) {
    this.#account = account;
  }

  /** Reads all rows of the account. Must be called once, on a new object. Yields regularly. */
  *read(rows: Iterable<StoredRow>): Generator<void, StoredAccount> {
    const documents = new DocumentSet();
    const read = { check: new ItemReader('check'), transaction: new ItemReader('transaction') };
    const corrupt: RowKey[] = [];
    const lost: LostRecord[] = [];
    let count = 0;
    for (const row of rows) {
      if (count++ % rowsPerStep === 0) yield;
      const kind = itemKinds.find((kind) => read[kind].has(row));
      const reason = whyCorrupt(() => {
        const value = readBody(this.#account, row);
        if (kind !== undefined) read[kind].add(row, value);
        else documents.setRead(row, readDocument(row.kind, value));
      });
      if (reason === undefined) continue;
      const { table, id } = row;
      corrupt.push({ table, kind: row.kind, id });
      if (kind === undefined) lost.push({ kind: 'document', name: nameOf(row), reason });
      else read[kind].lose(row, reason);
    }
    const items = { check: new Map(), transaction: new Map() };
    for (const kind of itemKinds) {
      for (const [id, member] of read[kind].members()) {
        if (items[kind].size % rowsPerStep === 0) yield;
        items[kind].set(id, member.item);
        this.#part(kind, partOf(id)).set(id, member);
      }
      for (const [id, reason] of read[kind].lost) {
        lost.push({ kind, name: String(id), reason });
        corrupt.push(itemKey(kind, id), logKey(kind, id), horizonKey(kind, partOf(id)));
      }
    }
    this.#corrupt = corrupt;
    return { items, documents, lost };
  }

  /** Yields regularly. Throws a `CorruptRowError` for a value that cannot be stored. */
  *encode({ items = {}, documents }: StoreChanges): Generator<void, EncodedChanges> {
    const writes: RowWrite[] = [];
    const applied: (() => void)[] = [];
    for (const kind of itemKinds) {
      for (const [part, changes] of byPart(items[kind] ?? new Map())) {
        const stored = this.#part(kind, part);
        const changed = new Map<number, Member | undefined>();
        let isMoved = false;
        for (const [id, item] of changes) {
          const before = stored.get(id);
          isMoved ||= before?.item.states !== item?.states || before?.item.log !== item?.log;
          changed.set(id, this.#writeItem(kind, id, before, item, writes));
        }
        if (isMoved) writes.push(this.#horizonRow(kind, part, stored, changed));
        applied.push(() => {
          for (const [id, member] of changed) {
            if (member === undefined) stored.delete(id);
            else stored.set(id, member);
          }
        });
        yield;
      }
    }
    for (const [{ kind, id }, value] of documents ?? []) {
      const key: RowKey = { table: 'row', kind, id };
      writes.push(value === null ? deletion(key) : rowOf(this.#account, key, value));
      yield;
    }
    for (const repair of this.#repairs(new Set(writes.map(keyText)))) writes.push(repair);
    applied.push(() => {
      this.#corrupt = [];
    });
    return {
      writes,
      applied: () => {
        for (const apply of applied) apply();
      },
    };
  }

  /** Adds the rows of an item that change. Returns the item as it is stored then. */
  #writeItem(
    kind: ItemKind,
    id: number,
    before: Member | undefined,
    item: StoredItem | null,
    writes: RowWrite[],
  ): Member | undefined {
    if (item === null) {
      if (before !== undefined) writes.push(deletion(itemKey(kind, id)));
      if (before?.item.log !== undefined) writes.push(deletion(logKey(kind, id)));
      return undefined;
    }
    const wrong = wrongOf(item);
    if (wrong !== undefined) throw new CorruptRowError(`${kind} ${id}: ${wrong}`);
    if (before === undefined || isItemChanged(before.item, item)) {
      writes.push(rowOf(this.#account, itemKey(kind, id), itemBody(item)));
    }
    if (item.log === before?.item.log) return memberOf(item, before?.version ?? 0);
    if (item.log === undefined) {
      writes.push(deletion(logKey(kind, id)));
      return memberOf(item, 0);
    }
    const version = (before?.version ?? 0) + 1;
    const body = logBody({ log: item.log, version });
    writes.push(rowOf(this.#account, logKey(kind, id), body));
    return memberOf(item, version);
  }

  /** The row of a part after changes; undefined stands for an item that is deleted. */
  #horizonRow(
    kind: ItemKind,
    part: number,
    stored: Members,
    changed: ReadonlyMap<number, Member | undefined> = new Map(),
  ): RowWrite {
    const key = horizonKey(kind, part);
    const entries: string[] = [];
    for (const [id, member] of stored) if (!changed.has(id)) entries.push(textOf(id, member));
    for (const [id, member] of changed) if (member !== undefined) entries.push(textOf(id, member));
    if (entries.length === 0) return deletion(key);
    return rowOfText(this.#account, key, `[${entries.join()}]`);
  }

  *#repairs(written: ReadonlySet<string>): Generator<RowWrite> {
    for (const key of new Map(this.#corrupt.map((key) => [keyText(key), key])).values()) {
      if (written.has(keyText(key))) continue;
      const kind = itemKinds.find((kind) => kind === key.kind);
      if (key.table === 'row' || kind === undefined) yield deletion(key);
      else yield this.#horizonRow(kind, key.id, this.#part(kind, key.id));
    }
  }

  #part(kind: ItemKind, part: number): Members {
    return getOrMake(this.#parts, `${kind} ${part}`, (): Members => new Map());
  }
}

/** Reads the rows of the items of one kind. */
class ItemReader {
  readonly #kind: ItemKind;
  readonly #logKind: string;
  readonly #bodies = new Map<number, ItemBody>();
  readonly #logs = new Map<number, VersionedLog>();
  readonly #horizons = new Map<number, HorizonEntry>();
  /** Parts that cannot be read, with the reason. */
  readonly #lostParts = new Map<number, string>();
  /** Why items cannot be read, by id. If a row of an item is lost, so is the item. */
  readonly lost = new Map<number, string>();

  constructor(kind: ItemKind) {
    this.#kind = kind;
    this.#logKind = logKind(kind);
  }

  has({ table, kind }: RowKey): boolean {
    return kind === this.#kind || (table === 'row' && kind === this.#logKind);
  }

  add({ table, kind, id }: RowKey, value: unknown): void {
    if (table === 'horizon') {
      for (const entry of readHorizons(value)) this.#horizons.set(entry.id, entry);
    } else if (kind === this.#kind) this.#bodies.set(id, readItem(value));
    else this.#logs.set(id, readLog(value));
  }

  lose({ table, id }: RowKey, reason: string): void {
    if (table === 'horizon') this.#lostParts.set(id, `its horizon cannot be read: ${reason}`);
    else this.lost.set(id, reason);
  }

  /** The items whose rows belong together. The others are then in `lost`. */
  *members(): Generator<readonly [id: number, member: Member]> {
    for (const id of [...this.#horizons.keys(), ...this.#logs.keys()]) {
      if (this.lost.has(id) || this.#bodies.has(id)) continue;
      this.lost.set(id, 'its row is missing');
    }
    for (const [id, body] of this.#bodies) {
      if (this.lost.has(id)) continue;
      const horizon = this.#horizons.get(id);
      let member: Member | undefined;
      const reason = whyCorrupt(() => {
        if (horizon === undefined) {
          throw new CorruptRowError(this.#lostParts.get(partOf(id)) ?? 'its horizon is missing');
        }
        const item = itemOf(body, horizon, this.#logs.get(id));
        member = memberOf(item, horizon.version);
      });
      if (reason !== undefined) this.lost.set(id, reason);
      if (member !== undefined) yield [id, member];
    }
  }
}

function memberOf(item: StoredItem, version: number): Member {
  return { item, version, horizonText: undefined };
}

/** The entry of an item in the row of its horizon. */
function textOf(id: number, member: Member): string {
  member.horizonText ??= horizonText(id, member.item, member.version);
  return member.horizonText;
}

function whyCorrupt(read: () => void): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof CorruptRowError)) throw error;
    return error.message;
  }
}

function byPart(changes: ReadonlyMap<number, StoredItem | null>) {
  const parts = new Map<number, (readonly [number, StoredItem | null])[]>();
  for (const change of changes) getOrMake(parts, partOf(change[0]), () => []).push(change);
  return parts;
}

/** A document as text for people. */
function nameOf({ kind, id }: RowKey): string {
  return id > 0 ? `${kind} ${id}` : kind;
}

function itemKey(kind: ItemKind, id: number): RowKey {
  return { table: 'row', kind, id };
}

function logKind(kind: ItemKind): string {
  return `${kind} log`;
}

function logKey(kind: ItemKind, id: number): RowKey {
  return { table: 'row', kind: logKind(kind), id };
}

function horizonKey(kind: ItemKind, part: number): RowKey {
  return { table: 'horizon', kind, id: part };
}
