import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Claim, HeldLeases } from '../../leases/held-leases.ts';
import type { LeaseTokens, SessionKey } from '../../leases/lease.ts';
import { instantOf } from '../../leases/trust.ts';
import type { Clock } from '../../lib/clock.ts';
import { addressText } from '../../lib/database-address.ts';
import { migratedRecords, migrationsFrom, type StoreFormat } from '../format/migrations.ts';
import type { Commit, CommitOutcome, Opening, RecordBackend } from '../record-backend.ts';
import { exporterAccount } from '../store.ts';
import { StoreError, UnreachableError } from '../store-error.ts';
import { releaseLease, takeLease } from './lease-rows.ts';
import {
  here,
  inTransaction,
  isOriginal,
  prepareSchema,
  readRecords,
  undo,
  writeRecords,
} from './schema.ts';
import { ConnectionLostError, Session, type SessionOptions } from './session.ts';

export interface PostgresOptions extends Omit<SessionOptions, 'limits'> {
  readonly format: StoreFormat;
  /** The leases of this process. */
  readonly leases: HeldLeases;
  readonly clock: Pick<Clock, 'sleep' | 'now' | 'monotonic'>;
  /**
   * The operator promises that a failover loses no acknowledged commit. Otherwise totals begin again
   * at 0 after one.
   */
  readonly synchronousStandby: boolean;
}

/**
 * The fencing tokens of an account that this process owns. They are random, so a restored dump
 * cannot contain the current ones.
 */
interface Fence {
  /** That of the lease. */
  readonly epoch: string;
  /** The id of the last commit. */
  readonly commit: string;
  /** The ids of later commits whose outcome is unknown. */
  readonly sent: string[];
}

/** The number of times that an operation is tried when it loses its connection. */
const attempts = 3;
const commitMilliseconds = 30_000;
const terminationMilliseconds = 5_000;
/** The disk is full or fails. */
const fullCode = /^53100$|^58030$/;

/**
 * Records in PostgreSQL. Opening an account takes its lease. Every commit compares the fence of its
 * account, so that a process that has lost the lease commits nothing.
 */
export class PostgresBackend implements RecordBackend {
  readonly #options: PostgresOptions;
  readonly #fences = new Map<string, Fence>();
  /** The sessions of this process that may still be open on the server. */
  readonly #keys: SessionKey[] = [];
  #storeId = '';
  #session: Session | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(options: PostgresOptions) {
    this.#options = options;
  }

  /** Rejects with a `StoreError`. */
  static async connect(options: PostgresOptions): Promise<PostgresBackend> {
    const backend = new PostgresBackend(options);
    try {
      await triedAgain(() => backend.#connected());
      return backend;
    } catch (error) {
      throw storeErrorOf(error, options);
    }
  }

  /** A random id of the database. */
  get storeId(): string {
    return this.#storeId;
  }

  /** The last session for commits, which may be lost. */
  get sessionKey(): SessionKey {
    return this.#keys.at(-1) ?? { pid: 0, startedAt: 'epoch' };
  }

  /**
   * Takes the lease, or reads an account of this process again. Returns the records only after the
   * transaction is acknowledged: a failover could undo it before.
   */
  open(account: string): Promise<Opening> {
    const { leases, clock } = this.#options;
    return this.#inTurn(async () => {
      // A repeated attempt has the same tokens, so that it recognizes the lease that it took before.
      const tokens = { epoch: randomUUID(), renewal: randomUUID() };
      const claim = leases.claimOf(account);
      const from = instantOf(clock);
      try {
        const { number, opening } = await triedAgain(() => this.#open(account, tokens, claim));
        if (number !== undefined) leases.taken(account, tokens, number, from);
        return opening;
      } catch (error) {
        throw this.#storeError(error);
      }
    });
  }

  commit(commit: Commit): Promise<CommitOutcome> {
    return this.#inTurn(async () => {
      try {
        return await triedAgain(() => this.#commit(commit));
      } catch (error) {
        return { kind: 'not stored', error: this.#storeError(error) };
      }
    });
  }

  /** If the database does not answer, the lease expires. */
  release(account: string): Promise<void> {
    return this.#inTurn(async () => {
      const fence = this.#fences.get(account);
      this.#fences.delete(account);
      this.#options.leases.drop(account);
      if (fence === undefined) return;
      const session = await this.#connected();
      await inTransaction(session, () => releaseLease(session, account, fence.epoch));
    }).catch(() => {});
  }

  /** Forgets an account whose lease is lost. */
  abandon(account: string): void {
    this.#fences.delete(account);
    this.#options.leases.drop(account);
  }

  close(): Promise<void> {
    return this.#inTurn(async () => this.#session?.end());
  }

  async #open(
    account: string,
    tokens: LeaseTokens,
    claim: Claim | undefined,
  ): Promise<{ readonly opening: Opening; readonly number?: number }> {
    const session = await this.#connected();
    const known = this.#fences.get(account);
    // Its transaction may have locked the fence, and its process may be stopped.
    if (claim !== undefined) await endSession(session, claim.session);
    try {
      await session.query('BEGIN');
      const number =
        known === undefined ? await this.#takeLease(session, account, tokens, claim) : undefined;
      if (known === undefined && number === undefined) {
        const owner = await holderOf(session, account);
        await undo(session);
        return { opening: { kind: 'taken', owner } };
      }
      const { opening, fence } = await this.#read(session, account, known?.epoch ?? tokens.epoch);
      if (fence !== undefined) known?.sent.push(fence.commit);
      await session.commit();
      if (fence !== undefined) this.#fences.set(account, fence);
      return { opening, ...(number !== undefined && { number }) };
    } catch (error) {
      await undo(session);
      throw error;
    }
  }

  async #takeLease(
    session: Session,
    account: string,
    tokens: LeaseTokens,
    claim: Claim | undefined,
  ): Promise<number | undefined> {
    const { leases } = this.#options;
    const { marginMilliseconds } = leases.times;
    await session.query(`SET LOCAL lock_timeout = ${Math.round(marginMilliseconds)}`);
    const isPlaceTrusted = isHere('lease', this.#options);
    const take = { account, tokens, claim, replica: leases.replica, isPlaceTrusted };
    return takeLease(session, take);
  }

  /** Changes the fence and reads the records, in the open transaction. */
  async #read(
    session: Session,
    account: string,
    epoch: string,
  ): Promise<{ readonly opening: Opening; readonly fence?: Fence }> {
    const { leases, format } = this.#options;
    const known = this.#fences.get(account);
    const [row] = await session.query(
      `SELECT owner, epoch, commit, version, past, ${isOriginal}, ${isHere('fence', this.#options)} AS is_here
       FROM uptime_exporter.accounts AS fence WHERE account = $1 FOR UPDATE`,
      [account],
    );
    if (known !== undefined && row?.epoch !== known.epoch) {
      return { opening: { kind: 'taken', owner: String(row?.owner ?? 'nobody') } };
    }
    const fence = { epoch, commit: randomUUID(), sent: [] };
    const past = row === undefined ? undefined : pastOf(row, known);
    if (row !== undefined) await migrate(session, account, Number(row.version), format);
    await session.query(
      `INSERT INTO uptime_exporter.accounts AS fence VALUES ($1, $2, $3, $4, $5, pg_current_xact_id(), ${here}, $6)
       ON CONFLICT (account) DO UPDATE SET owner = excluded.owner, epoch = excluded.epoch, commit = excluded.commit,
         version = excluded.version, transaction = excluded.transaction, system = excluded.system,
         timeline = excluded.timeline, past = excluded.past`,
      [account, leases.replica.name, fence.epoch, fence.commit, format.version, past ?? null],
    );
    const records = await readRecords(session, account);
    const isPast = past !== undefined && account !== exporterAccount;
    return { fence, opening: { kind: 'owned', records, ...(isPast && { past }) } };
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

  /** The current session, or a new one if the current one is lost. */
  async #connected(): Promise<Session> {
    if (this.#session === undefined || this.#session.isLost) {
      this.#session = await this.#newSession();
    }
    return this.#session;
  }

  /**
   * Opens a session. The server may still run earlier sessions of this process whose connections
   * were lost. They are ended first, which also decides the outcome of a commit that was under way.
   * `#keys` then contains only the new session.
   */
  async #newSession(): Promise<Session> {
    const { leases } = this.#options;
    const abandoned = Math.round(leases.times.marginMilliseconds);
    const limits = { statement: commitMilliseconds, abandoned };
    const session = await openOnPrimary({ ...this.#options, limits });
    try {
      for (const key of this.#keys) await endSession(session, key);
      this.#storeId = await prepareSchema(session);
      this.#keys.splice(0, this.#keys.length, session.key);
      return session;
    } catch (error) {
      await session.end();
      throw error;
    }
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

/** Opens a session on a server that can be written. */
export async function openOnPrimary(options: SessionOptions): Promise<Session> {
  const session = await Session.open(options);
  try {
    const [row] = await session.query('SELECT pg_is_in_recovery() AS is_standby');
    if (row?.is_standby !== true) return session;
    throw new Error('it is a standby, which cannot be written: use the address of the primary');
  } catch (error) {
    await session.end();
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
    throw new Error('the server has not ended the former session of the account yet');
  }
}

async function holderOf(session: Session, account: string): Promise<string> {
  const [row] = await session.query('SELECT name FROM uptime_exporter.leases WHERE account = $1', [
    account,
  ]);
  return String(row?.name ?? 'nobody');
}

/** Brings the records of an account to the current format, in the open transaction. */
async function migrate(
  session: Session,
  account: string,
  version: number,
  format: StoreFormat,
): Promise<void> {
  if (version === format.version) return;
  try {
    migrationsFrom(version, format);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StoreError('refused', `the account ${account} ${error.message}`, { cause: error });
  }
  const records = await readRecords(session, account);
  await writeRecords(session, account, migratedRecords(account, records, version, format));
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

/**
 * SQL that tells whether all later acknowledged writes of the row are in this database, as far as
 * failovers are concerned.
 */
export function isHere(
  row: string,
  { synchronousStandby }: Pick<PostgresOptions, 'synchronousStandby'>,
): string {
  return synchronousStandby
    ? `${row}.system = (SELECT system_identifier FROM pg_control_system())`
    : `(${row}.system, ${row}.timeline) = (${here})`;
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

export function storeErrorOf(
  error: unknown,
  { address }: Pick<PostgresOptions, 'address'>,
): StoreError {
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
