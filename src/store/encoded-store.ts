import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Workload } from '../lib/workload.ts';
import { AccountRows, type EncodedChanges } from './format/account-rows.ts';
import { CorruptRowError, readBody, type StoredRow } from './format/row.ts';
import type { RecordBackend } from './record-backend.ts';
import {
  exporterAccount,
  type MonthBatch,
  missingCommits,
  type Store,
  type StoreChanges,
  type StoredAccount,
  type StoredMonth,
} from './store.ts';
import { StoreError, UnreachableError } from './store-error.ts';

/** Yields to the event loop after this many steps of reading or encoding. */
const stepsPerTurn = 16;

/** A store in the one format that all backends share. */
export class EncodedStore implements Store {
  readonly backup?: () => Promise<string>;
  readonly #backend: RecordBackend;
  readonly #workload: Pick<Workload, 'decoding'> | undefined;
  /** The accounts that are open, as they are stored. */
  readonly #accounts = new Map<string, AccountRows>();
  /**
   * Accounts whose last commit has an unknown outcome. They are read again before the next commit.
   */
  readonly #unsure = new Set<string>();
  /**
   * Accounts that another process has taken, with the name of that process. Nothing is committed
   * until they are loaded again.
   */
  readonly #fenced = new Map<string, string>();
  #last: Promise<void> = Promise.resolve();
  #unreachable: UnreachableError | undefined;
  #closed = false;

  constructor(backend: RecordBackend, workload?: Pick<Workload, 'decoding'>) {
    this.#backend = backend;
    this.#workload = workload;
    const backup = backend.backup?.bind(backend);
    if (backup !== undefined) this.backup = backup;
  }

  get id(): string {
    return this.#backend.id;
  }

  async accounts(): Promise<readonly string[]> {
    this.#requireOpen();
    const names = await this.#backend.accounts();
    return names.filter((name) => name !== exporterAccount);
  }

  async load(account: string): Promise<StoredAccount> {
    this.#requireOpen();
    // Pending commits come first, so that the result includes them.
    await this.#last;
    return this.#open(account);
  }

  async readMonth(batch: MonthBatch): Promise<readonly StoredMonth[]> {
    this.#requireOpen();
    const rows = await this.#backend.readMonth(batch);
    return rows.map((row) => monthOf(batch.account, row));
  }

  async commit(changes: StoreChanges): Promise<void> {
    this.#requireOpen();
    const before = this.#unreachable;
    // Commits run one after the other, so that older values never overwrite newer ones.
    const written = this.#last.then(() => {
      // A commit that was queued while the server was unreachable fails at once. Each attempt takes
      // seconds, and every account would wait for it.
      if (this.#unreachable !== undefined && this.#unreachable !== before) throw this.#unreachable;
      return this.#write(changes);
    });
    this.#last = written.catch((error: unknown) => {
      if (error instanceof UnreachableError) this.#unreachable = error;
    });
    await written;
  }

  /**
   * Gives an account up after its last commit. It is not stored again before it is loaded. If the
   * outcome of that commit is unknown, the process keeps the account until its lease expires.
   */
  async release(account: string): Promise<void> {
    await this.#last;
    const isDecided = this.#accounts.has(account) && !this.#unsure.has(account);
    if (isDecided && !this.#fenced.has(account)) await this.#backend.release(account);
    this.abandon(account);
  }

  /** Forgets an account that another process may own. It must be loaded before its next commit. */
  abandon(account: string): void {
    this.#backend.abandon?.(account);
    this.#accounts.delete(account);
    this.#unsure.delete(account);
    this.#fenced.set(account, 'nobody');
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#last;
    for (const account of this.#accounts.keys()) {
      if (!this.#unsure.has(account) && !this.#fenced.has(account))
        await this.#backend.release(account);
    }
    await this.#backend.close();
  }

  async #open(account: string): Promise<StoredAccount> {
    const opening = await this.#backend.open(account);
    if (opening.kind === 'taken') throw taken(account, opening.owner);
    this.#workload?.decoding(opening.bytes);
    const rows = new AccountRows(account);
    const stored = await inTurns(rows.read(opening.rows));
    this.#accounts.set(account, rows);
    this.#unsure.delete(account);
    this.#fenced.delete(account);
    const { past } = opening;
    if (past === undefined) return stored;
    const lost = { kind: 'missing', name: missingCommits, reason: past } as const;
    return { ...stored, past, lost: [...stored.lost, lost] };
  }

  /**
   * Rows that were lost between two reads fail this commit, so that the loss is logged. The next
   * commit writes the remaining ones.
   */
  async #readAgain(account: string): Promise<void> {
    const { lost = [] } = await this.#open(account);
    if (lost.length === 0) return;
    const what = lost.map(({ kind, name, reason }) => `${kind} ${name} (${reason})`).join(', ');
    throw new StoreError('unwritable', `${account} was read again, and has lost: ${what}`);
  }

  async #write(changes: StoreChanges): Promise<void> {
    const { account, beginsAgain = false, deletesAccount = false } = changes;
    const owner = this.#fenced.get(account);
    if (owner !== undefined) throw taken(account, owner);
    if (this.#unsure.has(account)) await this.#readAgain(account);
    else if (!this.#accounts.has(account)) await this.#open(account);
    const rows = this.#accounts.get(account) ?? new AccountRows(account);
    const { writes, applied } = await encode(rows, changes);
    const outcome = await this.#backend.commit({ account, writes, beginsAgain, deletesAccount });
    switch (outcome.kind) {
      case 'stored':
        applied();
        if (deletesAccount) this.#accounts.set(account, new AccountRows(account));
        return;
      case 'not stored':
        throw outcome.error;
      case 'fenced':
        this.#fenced.set(account, outcome.owner);
        throw taken(account, outcome.owner);
      case 'unknown':
        this.#unsure.add(account);
        throw new StoreError(
          'unknown',
          `whether ${account} was stored is not known: ${outcome.why}`,
        );
    }
  }

  #requireOpen(): void {
    if (this.#closed) throw new StoreError('closed', 'the store is closed');
  }
}

function monthOf(account: string, row: StoredRow): StoredMonth {
  const { kind, id } = row;
  try {
    return { kind, id, value: readBody(account, row) };
  } catch (error) {
    if (!(error instanceof CorruptRowError)) throw error;
    return { kind, id, reason: error.message };
  }
}

function taken(account: string, owner: string): StoreError {
  return new StoreError('fenced', `the account ${account} belongs to ${owner}`);
}

/** Runs a generator that yields regularly. */
async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (let steps = 1; ; steps++) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (steps % stepsPerTurn === 0) await yieldToEventLoop();
  }
}

async function encode(rows: AccountRows, changes: StoreChanges): Promise<EncodedChanges> {
  try {
    return await inTurns(rows.encode(changes));
  } catch (error) {
    if (!(error instanceof CorruptRowError)) throw error;
    const message = `refused to store ${changes.account}: ${error.message}`;
    throw new StoreError('invalid', message, { cause: error });
  }
}
