import pg from 'pg';
import { addressText } from '../../lib/database-address.ts';
import { messageOf } from '../../lib/error-text.ts';
import { StoreError, UnreachableError } from '../../store/store-error.ts';
import type { HeldLeases } from '../leases/held-leases.ts';
import type { SessionKey } from '../leases/lease.ts';
import { prepareSchema } from './schema.ts';
import { ConnectionLostError, Session, type SessionOptions } from './session.ts';

export interface PrimaryOptions extends Omit<SessionOptions, 'limits'> {
  /** The leases of this process. */
  readonly leases: HeldLeases;
}

/** The number of times that an operation is tried when it loses its connection. */
const attempts = 3;
const commitMilliseconds = 30_000;
const terminationMilliseconds = 5_000;
/** The disk is full or fails. */
const fullCode = /^53100$|^58030$/;

/** The connection with which this process commits; a lost one is replaced. */
export class PrimaryConnection {
  readonly #options: PrimaryOptions;
  /** The sessions of this process that may still be open on the server. */
  readonly #keys: SessionKey[] = [];
  #session: Session | undefined;
  #storeId = '';

  constructor(options: PrimaryOptions) {
    this.#options = options;
  }

  /** The id of the store as the first session found it; empty before. */
  get storeId(): string {
    return this.#storeId;
  }

  /** The last session, which may be lost. */
  get sessionKey(): SessionKey {
    return this.#keys.at(-1) ?? { pid: 0, startedAt: 'epoch' };
  }

  /** The current session, or a new one if the current one is lost. */
  async session(): Promise<Session> {
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
      const storeId = await prepareSchema(session);
      this.#storeId ||= storeId;
      this.#keys.splice(0, this.#keys.length, session.key);
      return session;
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#session?.end();
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

export async function endSession(session: Session, { pid, startedAt }: SessionKey): Promise<void> {
  const [row] = await session.query(
    `SELECT pg_terminate_backend(pid, ${terminationMilliseconds}) AS has_ended
     FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2::timestamptz`,
    [pid, startedAt],
  );
  if (row?.has_ended === false) {
    throw new Error('the server has not ended the former session of the account yet');
  }
}

export function storeErrorOf(
  error: unknown,
  { address }: Pick<PrimaryOptions, 'address'>,
): StoreError {
  if (error instanceof StoreError) return error;
  const message = `cannot use the database ${addressText(address)}: ${messageOf(error)}`;
  if (!(error instanceof pg.DatabaseError)) return new UnreachableError(message, { cause: error });
  const isFull = fullCode.test(error.code ?? '');
  return new StoreError(isFull ? 'full' : 'unwritable', message, { cause: error });
}

/** Repeats idempotent work whose connection was lost. */
export async function triedAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectionLostError) || attempt === attempts) throw error;
    }
  }
}
