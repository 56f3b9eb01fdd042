import { yieldToEventLoop } from '../lib/event-loop.ts';
import { AccountRecords, type EncodedChanges } from './format/account-records.ts';
import { CorruptRecordError, type RecordWrite, type StoredRecord } from './format/record.ts';
import type { Store, StoreChanges, StoredAccount } from './store.ts';
import { StoreError } from './store-error.ts';

/** Holds records, whatever they mean. A database implements this, and `EncodedStore` makes a store of it. */
export interface RecordBackend {
  /** All records of an account. */
  read(account: string): Promise<readonly StoredRecord[]>;
  /** All or nothing, and durable when it resolves. It may take the buffers of the writes. Rejects with a `StoreError`. */
  write(account: string, writes: readonly RecordWrite[]): Promise<void>;
  /** Names all records by their manifests. Absent where nothing outlives the process. */
  fingerprint?(): Promise<string>;
  /** Absent where there is nothing to copy. */
  backup?(): Promise<string>;
  close(): Promise<void>;
}

/** The event loop has a turn after so many chunks and documents. */
const recordsPerTurn = 8;

/** A store in the one format that all backends share. */
export class EncodedStore implements Store {
  readonly backup?: () => Promise<string>;
  readonly fingerprint?: () => Promise<string>;
  readonly #backend: RecordBackend;
  readonly #accounts = new Map<string, AccountRecords>();
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(backend: RecordBackend) {
    this.#backend = backend;
    if (backend.backup !== undefined) this.backup = () => backend.backup?.() ?? Promise.reject();
    if (backend.fingerprint !== undefined) {
      this.fingerprint = async () => {
        this.#requireOpen();
        await this.#last;
        return (await backend.fingerprint?.()) ?? Promise.reject();
      };
    }
  }

  async load(account: string): Promise<StoredAccount> {
    this.#requireOpen();
    // What was asked for before is in it.
    await this.#last;
    return this.#read(account);
  }

  async commit(changes: StoreChanges): Promise<void> {
    this.#requireOpen();
    // One after the other, so that older values never overwrite newer ones.
    const written = this.#last.then(() => this.#write(changes));
    this.#last = written.catch(() => {});
    await written;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#last;
    await this.#backend.close();
  }

  async #read(account: string): Promise<StoredAccount> {
    const records = new AccountRecords(account);
    const stored = await inTurns(records.read(await this.#backend.read(account)));
    this.#accounts.set(account, records);
    return stored;
  }

  async #write(changes: StoreChanges): Promise<void> {
    const { account } = changes;
    if (!this.#accounts.has(account)) await this.#read(account);
    const records = this.#accounts.get(account) ?? new AccountRecords(account);
    const { writes, applied } = await encode(records, changes);
    await this.#backend.write(account, writes);
    applied();
  }

  #requireOpen(): void {
    if (this.#closed) throw new StoreError('closed', 'the store is closed');
  }
}

/** Runs work that yields after each record, or what takes as long. */
async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (let records = 1; ; records++) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (records % recordsPerTurn === 0) await yieldToEventLoop();
  }
}

async function encode(records: AccountRecords, changes: StoreChanges): Promise<EncodedChanges> {
  try {
    return await inTurns(records.encode(changes));
  } catch (error) {
    if (!(error instanceof CorruptRecordError)) throw error;
    const message = `refused to store ${changes.account}: ${error.message}`;
    throw new StoreError('invalid', message, { cause: error });
  }
}
