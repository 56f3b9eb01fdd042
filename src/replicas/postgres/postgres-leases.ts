import type { Beat, LeaseDatabase, LeaseReport, Replica, SessionKey } from '../leases/lease.ts';
import { isHere } from './fence.ts';
import {
  callHolder,
  readLeases,
  readReplicas,
  registerReplica,
  removeReplica,
  renewLeases,
} from './lease-rows.ts';
import type { PostgresOptions } from './postgres-backend.ts';
import { openOnPrimary, storeErrorOf } from './primary.ts';
import { inTransaction } from './schema.ts';
import type { Session } from './session.ts';

interface PostgresLeasesOptions extends PostgresOptions {
  /** The session with which this process commits. */
  readonly committing: () => SessionKey;
  /** Makes a random token. */
  readonly token: () => string;
}

/** While one waits, no account is taken and no webhook is passed on. */
const longestStatementMilliseconds = 30_000;

/** The leases in PostgreSQL, with their own connection: a renewal must not wait for a commit. */
export class PostgresLeases implements LeaseDatabase {
  readonly #options: PostgresLeasesOptions;
  #session: Session | undefined;
  #isClosed = false;
  #last: Promise<unknown> = Promise.resolve();
  /** The calls that wait for their turn, by account. */
  readonly #calls = new Map<string, Promise<void>>();

  constructor(options: PostgresLeasesOptions) {
    this.#options = options;
  }

  async beat({ replica, renewals, dead }: Beat): Promise<LeaseReport> {
    const { committing, token } = this.#options;
    return this.#use(async (session) => {
      const renewed = await renewLeases(session, renewals, committing());
      await registerReplica(session, replica, token(), dead);
      const leases = await readLeases(session, isHere('lease', this.#options));
      const replicas = await readReplicas(session);
      return { leases, replicas, renewed: new Set(renewed) };
    });
  }

  /** Calls of one account that wait at the same time are one. */
  call(account: string): Promise<void> {
    const waiting = this.#calls.get(account);
    if (waiting !== undefined) return waiting;
    const call = this.#use((session) => {
      this.#calls.delete(account);
      return callHolder(session, account, this.#options.token());
    }).finally(() => {
      // Another call may wait by now.
      if (this.#calls.get(account) === call) this.#calls.delete(account);
    });
    this.#calls.set(account, call);
    return call;
  }

  async leave(replica: Replica): Promise<void> {
    await this.#use((session) => removeReplica(session, replica));
  }

  /** Also ends what still runs. An open session would keep the process alive. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#session?.end();
  }

  /** One transaction after the other: they share a session. */
  #use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const next = this.#last.then(async () => {
      try {
        const session = await this.#connected();
        return await inTransaction(session, () => work(session));
      } catch (error) {
        throw storeErrorOf(error, this.#options);
      }
    });
    this.#last = next.catch(() => {});
    return next;
  }

  async #connected(): Promise<Session> {
    if (this.#session === undefined || this.#session.isLost) {
      const { ttlMilliseconds, marginMilliseconds } = this.#options.leases.times;
      const abandoned = Math.round(marginMilliseconds);
      // After a connection on which nothing arrives any more, there is time for a second renewal.
      const statement = Math.min(
        (ttlMilliseconds - marginMilliseconds) / 2,
        longestStatementMilliseconds,
      );
      const limits = { statement, abandoned };
      this.#requireOpen();
      const session = await openOnPrimary({ ...this.#options, limits });
      this.#session = session;
      // It was closed meanwhile.
      if (this.#isClosed) await session.end();
      this.#requireOpen();
    }
    return this.#session;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new Error('the leases are closed');
  }
}
