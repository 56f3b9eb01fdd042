import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/error-text.ts';
import { present } from '../../lib/present.ts';
import {
  formatVersion,
  type StoredRow,
  sizeOfRows,
  whyUnknownFormat,
} from '../../store/format/row.ts';
import type { Commit, CommitOutcome, Opening, RecordBackend } from '../../store/record-backend.ts';
import { exporterAccount, type MonthBatch } from '../../store/store.ts';
import { StoreError } from '../../store/store-error.ts';
import type { Claim } from '../leases/held-leases.ts';
import type { LeaseTokens, SessionKey } from '../leases/lease.ts';
import { instantOf } from '../leases/trust.ts';
import { type Fence, fencedOff, isHere, pastOf } from './fence.ts';
import { releaseLease, takeLease } from './lease-rows.ts';
import {
  endSession,
  PrimaryConnection,
  type PrimaryOptions,
  storeErrorOf,
  triedAgain,
} from './primary.ts';
import {
  deleteAllRows,
  here,
  inTransaction,
  isOriginal,
  readMonthRows,
  readRows,
  undo,
  writeRows,
} from './schema.ts';
import type { Session } from './session.ts';

export interface PostgresOptions extends PrimaryOptions {
  readonly clock: Clock;
  /**
   * The operator promises that a failover loses no acknowledged commit. Otherwise totals begin
   * again at 0 after one.
   */
  readonly synchronousStandby: boolean;
}

/**
 * Rows in PostgreSQL. Opening an account takes its lease. Every commit compares the fence of its
 * account, so that a process that has lost the lease commits nothing.
 */
export class PostgresBackend implements RecordBackend {
  readonly #options: PostgresOptions;
  readonly #fences = new Map<string, Fence>();
  readonly #primary: PrimaryConnection;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(options: PostgresOptions) {
    this.#options = options;
    this.#primary = new PrimaryConnection(options);
  }

  /** Rejects with a `StoreError`. */
  static async connect(options: PostgresOptions): Promise<PostgresBackend> {
    const backend = new PostgresBackend(options);
    try {
      await triedAgain(() => backend.#primary.session());
      return backend;
    } catch (error) {
      throw storeErrorOf(error, options);
    }
  }

  /** As the first session found it. */
  get id(): string {
    return this.#primary.storeId;
  }

  /** The last session for commits, which may be lost. */
  get sessionKey(): SessionKey {
    return this.#primary.sessionKey;
  }

  accounts(): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      try {
        return await triedAgain(async () => {
          const session = await this.#primary.session();
          const rows = await session.query(
            `SELECT account FROM uptime_exporter.accounts
             WHERE EXISTS (SELECT 1 FROM uptime_exporter.row WHERE row.account = accounts.account)`,
          );
          return rows.map(({ account }) => String(account));
        });
      } catch (error) {
        throw this.#storeError(error);
      }
    });
  }

  /**
   * Takes the lease, or reads an account of this process again. Returns the rows only after the
   * transaction is acknowledged: a failover could undo it before.
   */
  open(account: string): Promise<Opening> {
    const { leases, clock } = this.#options;
    return this.#inTurn(async () => {
      // A repeated attempt has the same tokens, so that it recognizes a lease that it took before.
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

  readMonth(batch: MonthBatch): Promise<readonly StoredRow[]> {
    return this.#inTurn(async () => {
      try {
        return await triedAgain(async () => readMonthRows(await this.#primary.session(), batch));
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
      const session = await this.#primary.session();
      await inTransaction(session, () => releaseLease(session, account, fence.epoch));
    }).catch(() => {});
  }

  /** Forgets an account whose lease is lost. */
  abandon(account: string): void {
    this.#fences.delete(account);
    this.#options.leases.drop(account);
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#primary.close());
  }

  async #open(
    account: string,
    tokens: LeaseTokens,
    claim: Claim | undefined,
  ): Promise<{ readonly opening: Opening; readonly number?: number }> {
    const session = await this.#primary.session();
    const fenced = this.#fences.get(account);
    // Its transaction may have locked the fence, and its process may be stopped.
    if (claim !== undefined) await endSession(session, claim.session);
    try {
      await session.query('BEGIN');
      const number =
        fenced === undefined ? await this.#takeLease(session, account, tokens, claim) : undefined;
      if (fenced === undefined && number === undefined) {
        const owner = await holderOf(session, account);
        await undo(session);
        return { opening: { kind: 'taken', owner } };
      }
      const { opening, fence } = await this.#read(session, account, fenced?.epoch ?? tokens.epoch);
      if (fence !== undefined) fenced?.sent.push(fence.commit);
      await session.commit();
      if (fence !== undefined) this.#fences.set(account, fence);
      return present({ opening, number });
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

  /** Changes the fence and reads the rows, in the open transaction. */
  async #read(
    session: Session,
    account: string,
    epoch: string,
  ): Promise<{ readonly opening: Opening; readonly fence?: Fence }> {
    const { leases } = this.#options;
    const fenced = this.#fences.get(account);
    const [row] = await session.query(
      `SELECT owner, epoch, commit, version, past, ${isOriginal('fence')} AS is_original, ${isHere('fence', this.#options)} AS is_here
       FROM uptime_exporter.accounts AS fence WHERE account = $1 FOR UPDATE`,
      [account],
    );
    if (fenced !== undefined && row?.epoch !== fenced.epoch) {
      return { opening: { kind: 'taken', owner: String(row?.owner ?? 'nobody') } };
    }
    const fence = { epoch, commit: randomUUID(), sent: [] };
    const past = row === undefined ? undefined : pastOf(row, fenced);
    const why = row === undefined ? undefined : whyUnknownFormat(Number(row.version));
    if (why !== undefined) throw new StoreError('refused', `the account ${account} ${why}`);
    await session.query(
      `INSERT INTO uptime_exporter.accounts AS fence VALUES ($1, $2, $3, $4, $5, pg_current_xact_id(), ${here}, $6)
       ON CONFLICT (account) DO UPDATE SET owner = excluded.owner, epoch = excluded.epoch, commit = excluded.commit,
         version = excluded.version, transaction = excluded.transaction, system = excluded.system,
         timeline = excluded.timeline, past = excluded.past`,
      [account, leases.replica.name, fence.epoch, fence.commit, formatVersion, past ?? null],
    );
    const rows = await readRows(session, account);
    const isPast = past !== undefined && account !== exporterAccount;
    return {
      fence,
      opening: { kind: 'owned', rows, bytes: sizeOfRows(rows), ...(isPast && { past }) },
    };
  }

  /** Rejects if nothing was stored. Any failure before the COMMIT statement means that. */
  async #commit({ account, writes, beginsAgain, deletesAccount }: Commit): Promise<CommitOutcome> {
    const fence = this.#fences.get(account);
    if (fence === undefined) throw new Error(`the account ${account} is not open`);
    const next = { epoch: fence.epoch, commit: randomUUID(), sent: [] };
    const session = await this.#primary.session();
    try {
      await session.query('BEGIN');
      const [updated] = await session.query(
        `UPDATE uptime_exporter.accounts
         SET commit = $4, transaction = pg_current_xact_id(), past = CASE WHEN $5 THEN NULL ELSE past END
         WHERE account = $1 AND epoch = $2 AND commit = $3 RETURNING 1 AS one`,
        [account, fence.epoch, fence.commit, next.commit, beginsAgain],
      );
      if (updated === undefined) return await fencedOff(session, account, fence);
      if (deletesAccount) await deleteAllRows(session, account);
      await writeRows(session, account, writes);
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

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // Without the result: the rows of an account would stay in memory.
    this.#last = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  #storeError(error: unknown): StoreError {
    return storeErrorOf(error, this.#options);
  }
}

async function holderOf(session: Session, account: string): Promise<string> {
  const [row] = await session.query('SELECT name FROM uptime_exporter.leases WHERE account = $1', [
    account,
  ]);
  return String(row?.name ?? 'nobody');
}
