import type { RootDatabase } from 'lmdb';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { decodeItem, encodeItem } from './item-codec.ts';
import {
  itemKinds,
  type Json,
  type Store,
  type StoreChanges,
  type StoredAccount,
} from './store.ts';
import { StoreError } from './store-error.ts';

/** A record's key: account, kind, identifier or name. */
export type RecordKey = [string, string, string | number];
/** Values are JSON. */
export type Records = RootDatabase<string, RecordKey>;

type Write = readonly [RecordKey, string | null];

const recordsPerTurn = 1000;

export interface LmdbStoreOptions {
  readonly records: Records;
  readonly path: string;
  readonly release: () => Promise<void>;
}

/** A folder of this process alone. Get one from `openLmdbStore`. */
export class LmdbStore implements Store {
  readonly #records: Records;
  readonly #path: string;
  readonly #release: () => Promise<void>;
  #written: Promise<void> = Promise.resolve();
  #closed = false;

  constructor({ records, path, release }: LmdbStoreOptions) {
    this.#records = records;
    this.#path = path;
    this.#release = release;
  }

  async load(account: string): Promise<StoredAccount> {
    this.#requireOpen();
    const items = { check: new Map(), transaction: new Map() };
    for (const kind of itemKinds) {
      for (const [id, value] of this.#recordsOf(account, kind)) {
        items[kind].set(Number(id), decodeItem(value));
      }
    }
    const documents = new Map<string, Json>();
    for (const [name, value] of this.#recordsOf(account, 'document')) {
      documents.set(String(name), value);
    }
    return { items, documents };
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
   * A synchronous transaction: lmdb's asynchronous one, when the disk is full, also rejects a promise that
   * nobody can reach, which ends the process. What can be done before it is, in short turns.
   */
  async #write(changes: StoreChanges): Promise<void> {
    const writes: Write[] = [];
    for (const write of writesOf(changes)) {
      writes.push(write);
      if (writes.length % recordsPerTurn === 0) await yieldToEventLoop();
    }
    try {
      this.#records.transactionSync(() => {
        for (const [key, text] of writes) {
          if (text === null) this.#records.removeSync(key);
          else this.#records.putSync(key, text);
        }
      });
    } catch (error) {
      throw toStoreError(this.#path, error);
    }
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

function* writesOf(changes: StoreChanges): Generator<Write> {
  const { account, items = {}, documents = new Map<string, Json | null>() } = changes;
  for (const kind of itemKinds) {
    for (const [id, item] of items[kind] ?? []) {
      yield [[account, kind, id], item === null ? null : JSON.stringify(encodeItem(item))];
    }
  }
  for (const [name, value] of documents) {
    yield [[account, 'document', name], value === null ? null : JSON.stringify(value)];
  }
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
