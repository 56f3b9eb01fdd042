import type { RootDatabase } from 'lmdb';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { type KeptAccount, newAccount, recordNames } from './kept-account.ts';
import {
  itemKinds,
  type Json,
  type Store,
  type StoreChanges,
  type StoredAccount,
} from './store.ts';
import { StoreError } from './store-error.ts';

/** A record's key: account, what it holds, identifier or name. */
export type RecordKey = [string, string, string | number];
/** Values are JSON. */
export type Records = RootDatabase<string, RecordKey>;

type Write = readonly [RecordKey, string | null];

/** Of one item each. */
const recordsPerTurn = 1000;
/** Of a hundred items and more: chunks and documents. */
const largeRecordsPerTurn = 8;

export interface LmdbStoreOptions {
  readonly records: Records;
  readonly path: string;
  readonly release: () => Promise<void>;
  /** The items that the records hold, by account. */
  readonly accounts: ReadonlyMap<string, KeptAccount>;
}

/** A folder of this process alone. Get one from `openLmdbStore`. */
export class LmdbStore implements Store {
  readonly #records: Records;
  readonly #path: string;
  readonly #release: () => Promise<void>;
  readonly #accounts: Map<string, KeptAccount>;
  #written: Promise<void> = Promise.resolve();
  #closed = false;

  constructor({ records, path, release, accounts }: LmdbStoreOptions) {
    this.#accounts = new Map(accounts);
    this.#records = records;
    this.#path = path;
    this.#release = release;
  }

  async load(account: string): Promise<StoredAccount> {
    this.#requireOpen();
    const { check, transaction } = this.#kept(account);
    const documents = new Map<string, Json>();
    for (const [name, value] of this.#recordsOf(account, 'document')) {
      documents.set(String(name), value);
    }
    return { items: { check: check.all(), transaction: transaction.all() }, documents };
  }

  async commit(changes: StoreChanges): Promise<void> {
    this.#requireOpen();
    // One after the other, so that older values never overwrite newer ones.
    const written = this.#written.then(() => this.#write(changes));
    this.#written = written.catch(() => {});
    await written;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#written;
    await this.#records.close();
    await this.#release();
  }

  /**
   * A synchronous transaction that stays open while the event loop has its turns: lmdb's asynchronous one,
   * when the disk is full, also rejects a promise that nobody can reach, which ends the process.
   */
  async #write(changes: StoreChanges): Promise<void> {
    try {
      const kept = this.#kept(changes.account);
      await this.#records.transactionSync(async () => {
        for (const write of writesOf(changes, kept)) {
          if (write === undefined) await yieldToEventLoop();
          else this.#put(write);
        }
      });
      for (const kind of itemKinds) kept[kind].keep(changes.items?.[kind] ?? new Map());
    } catch (error) {
      throw toStoreError(this.#path, error);
    }
  }

  #kept(account: string): KeptAccount {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const kept = newAccount();
    this.#accounts.set(account, kept);
    return kept;
  }

  #put([key, text]: Write): void {
    if (text === null) this.#records.removeSync(key);
    else this.#records.putSync(key, text);
  }

  *#recordsOf(account: string, kind: string): Generator<[string | number, Json]> {
    // A key sorts right behind its own beginning.
    for (const { key, value } of this.#records.getRange({ start: [account, kind] })) {
      if (key[0] !== account || key[1] !== kind) return;
      yield [key[2], JSON.parse(value) as Json];
    }
  }

  #requireOpen(): void {
    if (this.#closed) throw new StoreError('closed', `the store at ${this.#path} is closed`);
  }
}

/** The writes, with undefined wherever the event loop should have a turn. */
function* writesOf(changes: StoreChanges, kept: KeptAccount): Generator<Write | undefined> {
  const { account, items = {}, documents = new Map<string, Json | null>() } = changes;
  let records = 0;
  for (const kind of itemKinds) {
    for (const { record, key, value } of kept[kind].writes(items[kind] ?? new Map())) {
      const perTurn = record === 'states' ? largeRecordsPerTurn : recordsPerTurn;
      if (++records % perTurn === 0) yield undefined;
      const text = value === null ? null : JSON.stringify(value);
      yield [[account, recordNames[kind][record], key], text];
    }
  }
  for (const [name, value] of documents) {
    if (++records % largeRecordsPerTurn === 0) yield undefined;
    const text = value === null ? null : yield* jsonOf(value);
    yield [[account, 'document', name], text];
  }
}

/** A long array is written in parts. */
function* jsonOf(value: Json): Generator<undefined, string> {
  if (!isArray(value) || value.length <= recordsPerTurn) return JSON.stringify(value);
  const parts: string[] = [];
  for (let from = 0; from < value.length; from += recordsPerTurn) {
    parts.push(JSON.stringify(value.slice(from, from + recordsPerTurn)).slice(1, -1));
    yield undefined;
  }
  return `[${parts.join(',')}]`;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** EIO, ENOSPC, EFBIG and EDQUOT as numbers, and lmdb's own MDB_MAP_FULL. */
const fullCodes: readonly unknown[] = [5, 28, 27, 122, -30792];

function toStoreError(path: string, error: unknown): StoreError {
  const why = error instanceof Error ? error.message : String(error);
  const full = error instanceof Error && 'code' in error && fullCodes.includes(error.code);
  return full
    ? new StoreError('full', `cannot write to ${path}, is the disk full? ${why}`, { cause: error })
    : new StoreError('unwritable', `cannot write to ${path}: ${why}`, { cause: error });
}
