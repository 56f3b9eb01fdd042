import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { addressText } from '../../lib/database-address.ts';
import type { StoreFormat } from '../format/migrations.ts';
import type { Commit, CommitOutcome, Opening, RecordBackend } from '../record-backend.ts';
import { exporterAccount } from '../store.ts';
import { StoreError, UnreachableError } from '../store-error.ts';
import { locks, prepareSchema, readRecords, writeRecords } from './schema.ts';
import { ConnectionLostError, Session, type SessionKey, type SessionOptions } from './session.ts';

export interface PostgresOptions extends SessionOptions {
  readonly format: StoreFormat;
  /** The name of this process, as text for people. */
  readonly owner: string;
}

/**
 * The fencing tokens of an account that this process owns. They are random, so a restored dump
 * cannot contain the current ones.
 */
interface Fence {
  readonly epoch: string;
  /** The id of the last commit. */
  readonly commit: string;
  /** The ids of later commits whose outcome is unknown. */
  readonly sent: string[];
}

/** The number of times that an operation is tried when it loses its connection. */
const attempts = 3;
const terminationMilliseconds = 5_000;
const lockMilliseconds = 2_000;
const lockNotAvailable = '55P03';
/** The disk is full or fails. */
const fullCode = /^53100$|^58030$/;
/**
 * The server's identity and its timeline. The timeline changes with each restored backup and each
 * failover.
 */
const here =
  '(SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8)';

/**
 * Records in PostgreSQL. One process owns all accounts: its session holds an advisory lock, and
 * each new session takes the lock again. Every commit compares the fence of its account, so that a
 * process that has lost the lock commits nothing.
 */
export class PostgresBackend implements RecordBackend {
  readonly #options: PostgresOptions;
  readonly #fences = new Map<string, Fence>();
  /** The sessions of this process that may still be open on the server. */
  readonly #keys: SessionKey[];
  #session: Session;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(options: PostgresOptions, session: Session, keys: SessionKey[]) {
    this.#options = options;
    this.#session = session;
    this.#keys = keys;
  }

  /** Rejects with a `StoreError`. */
  static async connect(options: PostgresOptions): Promise<PostgresBackend> {
    try {
      const keys: SessionKey[] = [];
      const session = await triedAgain(() => ownedSession(options, keys));
      return new PostgresBackend(options, session, keys);
    } catch (error) {
      throw storeErrorOf(error, options);
    }
  }

  /**
   * Returns the records only after the transaction is acknowledged: a failover could undo it
   * before.
   */
  open(account: string): Promise<Opening> {
    return this.#inTurn(async () => {
      try {
        return await triedAgain(() => this.#open(account));
      } catch (error) {
        const failure = this.#storeError(error);
        if (failure.reason !== 'locked') throw failure;
        return { kind: 'taken', owner: 'another process' };
      }
    });
  }

  commit(commit: Commit): Promise<CommitOutcome> {
    return this.#inTurn(async () => {
      try {
        return await triedAgain(() => this.#commit(commit));
      } catch (error) {
        const failure = this.#storeError(error);
        return failure.reason === 'locked'
          ? { kind: 'fenced', owner: 'another process' }
          : { kind: 'not stored', error: failure };
      }
    });
  }

  /** Does nothing, because the lock of the session owns all accounts. */
  async release(): Promise<void> {}

  close(): Promise<void> {
    return this.#inTurn(() => this.#session.end());
  }

  async #open(account: string): Promise<Opening> {
    const session = await this.#connected();
    try {
      await session.query('BEGIN');
      const opening = await this.#take(session, account);
      if (opening.kind === 'owned') this.#fences.get(account)?.sent.push(opening.fence.commit);
      await session.commit();
      if (opening.kind === 'taken') return opening;
      this.#fences.set(account, opening.fence);
      return opening.opening;
    } catch (error) {
      await undo(session);
      throw error;
    }
  }

  async #take(
    session: Session,
    account: string,
  ): Promise<
    | { readonly kind: 'owned'; readonly opening: Opening; readonly fence: Fence }
    | Extract<Opening, { kind: 'taken' }>
  > {
    const known = this.#fences.get(account);
    const [row] = await session.query(
      `SELECT owner, epoch, commit, past, xmin::text = mod(transaction::text::numeric, 4294967296)::text AS is_original,
         (system, timeline) = (${here}) AS is_here
       FROM uptime_exporter.accounts WHERE account = $1 FOR UPDATE`,
      [account],
    );
    if (known !== undefined && row?.epoch !== known.epoch) {
      return { kind: 'taken', owner: String(row?.owner ?? 'nobody') };
    }
    const fence = { epoch: known?.epoch ?? randomUUID(), commit: randomUUID(), sent: [] };
    const past = row === undefined ? undefined : pastOf(row, known);
    await session.query(
      `INSERT INTO uptime_exporter.accounts AS known VALUES ($1, $2, $3, $4, pg_current_xact_id(), ${here}, $5)
       ON CONFLICT (account) DO UPDATE SET owner = excluded.owner, epoch = excluded.epoch, commit = excluded.commit,
         transaction = excluded.transaction, system = excluded.system, timeline = excluded.timeline, past = excluded.past`,
      [account, this.#options.owner, fence.epoch, fence.commit, past ?? null],
    );
    const records = await readRecords(session, account);
    const isPast = past !== undefined && account !== exporterAccount;
    return { kind: 'owned', fence, opening: { kind: 'owned', records, ...(isPast && { past }) } };
  }

  /** Rejects if nothing was stored. Any failure before the COMMIT statement means that. */
  async #commit({ account, writes, beginsAgain }: Commit): Promise<CommitOutcome> {
    const fence = this.#fences.get(account);
    if (fence === undefined) throw new Error(`the account ${account} is not open`);
    const next = { epoch: fence.epoch, commit: randomUUID(), sent: [] };
    const session = await this.#connected();
    try {
      await session.query('BEGIN');
      const [updated] = await session.query(
        `UPDATE uptime_exporter.accounts
         SET commit = $4, transaction = pg_current_xact_id(), past = CASE WHEN $5 THEN NULL ELSE past END
         WHERE account = $1 AND epoch = $2 AND commit = $3 RETURNING 1 AS one`,
        [account, fence.epoch, fence.commit, next.commit, beginsAgain],
      );
      if (updated === undefined) return await fencedOff(session, account, fence);
      await writeRecords(session, account, writes);
    } catch (error) {
      await undo(session);
      throw error;
    }
    fence.sent.push(next.commit);
    try {
      await session.commit();
    } catch (error) {
      await undo(session);
      return { kind: 'unknown', why: messageOf(error) };
    }
    this.#fences.set(account, next);
    return { kind: 'stored' };
  }

  /** The current session, or a new one with the lock if the current one is lost. */
  async #connected(): Promise<Session> {
    if (this.#session.isLost) {
      this.#session = await ownedSession(this.#options, this.#keys);
    }
    return this.#session;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  #storeError(error: unknown): StoreError {
    return storeErrorOf(error, this.#options);
  }
}

/**
 * Opens a session that owns the database. The server may still run earlier sessions of this process
 * whose connections were lost. They are ended first, which also decides the outcome of a commit
 * that was under way. `keys` then contains only the new session.
 */
async function ownedSession(options: PostgresOptions, keys: SessionKey[]): Promise<Session> {
  let session: Session | undefined;
  try {
    session = await Session.open(options);
    await requirePrimary(session);
    for (const key of keys) await endSession(session, key);
    keys.splice(0, keys.length, session.key);
    await takeLock(session, options);
    await prepareSchema(session, options.format);
    return session;
  } catch (error) {
    await session?.end();
    throw error;
  }
}

async function endSession(session: Session, { pid, startedAt }: SessionKey): Promise<void> {
  const [row] = await session.query(
    `SELECT pg_terminate_backend(pid, ${terminationMilliseconds}) AS has_ended
     FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2::timestamptz`,
    [pid, startedAt],
  );
  if (row?.has_ended === false) {
    throw new Error('the server has not ended the former session of this process yet');
  }
}

/** Waits a moment: a server does not notice at once that the process with the lock was killed. */
async function takeLock(session: Session, { address }: PostgresOptions): Promise<void> {
  try {
    await session.query(`SET lock_timeout = ${lockMilliseconds}`);
    await session.query(`SELECT pg_advisory_lock(${locks.owner})`);
    await session.query('SET lock_timeout = 0');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === lockNotAvailable)) throw error;
    const message = `another process uses the database ${addressText(address)}: stop it, or choose another database`;
    throw new StoreError('locked', message, { cause: error });
  }
}

async function requirePrimary(session: Session): Promise<void> {
  const [row] = await session.query('SELECT pg_is_in_recovery() AS is_standby');
  if (row?.is_standby === true) {
    throw new Error('it is a standby, which cannot be written: use the address of the primary');
  }
}

/** The outcome of a commit whose fence has another epoch or another last commit in the database. */
async function fencedOff(session: Session, account: string, fence: Fence): Promise<CommitOutcome> {
  const [row] = await session.query(
    'SELECT owner, epoch FROM uptime_exporter.accounts WHERE account = $1',
    [account],
  );
  await session.query('ROLLBACK');
  return row?.epoch === fence.epoch
    ? { kind: 'unknown', why: 'the last commit in the database is not the one that is known' }
    : { kind: 'fenced', owner: String(row?.owner ?? 'nobody') };
}

function pastOf(
  { past, commit, is_original, is_here }: Readonly<Record<string, unknown>>,
  known: Fence | undefined,
): string | undefined {
  if (typeof past === 'string') return past;
  if (is_original !== true) return 'the database was restored from a dump';
  if (is_here !== true) return 'the database was restored, or a standby has taken over';
  const isMissing = known !== undefined && ![known.commit, ...known.sent].includes(String(commit));
  return isMissing ? 'the database has lost commits that it had acknowledged' : undefined;
}

/** Rolls a failed transaction back, unless its connection is lost. */
async function undo(session: Session): Promise<void> {
  if (session.isLost) return;
  try {
    await session.query('ROLLBACK');
  } catch {
    // The state of the session is unknown.
    await session.end();
  }
}

function storeErrorOf(error: unknown, { address }: PostgresOptions): StoreError {
  if (error instanceof StoreError) return error;
  const message = `cannot use the database ${addressText(address)}: ${messageOf(error)}`;
  if (!(error instanceof pg.DatabaseError)) return new UnreachableError(message, { cause: error });
  const isFull = fullCode.test(error.code ?? '');
  return new StoreError(isFull ? 'full' : 'unwritable', message, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Repeats idempotent work whose connection was lost. */
async function triedAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectionLostError) || attempt === attempts) throw error;
    }
  }
}
