import pg from 'pg';
import type { Sleeper } from '../../lib/clock.ts';
import type { DatabaseAddress } from '../../lib/database-address.ts';
import { messageOf } from '../../lib/error-text.ts';
import type { SessionKey } from '../leases/lease.ts';

const connectMilliseconds = 10_000;
const endMilliseconds = 1_000;

/** Times in milliseconds. */
interface SessionLimits {
  /**
   * A statement that takes longer is abandoned, and its connection is closed: a commit may wait for
   * a standby that is unreachable.
   */
  readonly statement: number;
  /**
   * The server ends a session whose transaction is idle for this long, or whose client does not
   * acknowledge data for this long: a stopped client would keep its row locks.
   */
  readonly abandoned: number;
}

/**
 * Set by statements, because a pooler refuses most connection parameters. The server notices within
 * 15 seconds that the client's machine or network has failed. `commit` needs warnings. Replicas that
 * renew at the same time would fail each other in stricter isolation, and a `SessionKey` is a text
 * that the server must read again.
 */
function settingsOf({ abandoned }: SessionLimits): string {
  return [
    `SET idle_in_transaction_session_timeout = ${abandoned}`,
    `SET tcp_user_timeout = ${abandoned}`,
    'SET tcp_keepalives_idle = 5',
    'SET tcp_keepalives_interval = 5',
    'SET tcp_keepalives_count = 2',
    'SET client_min_messages = warning',
    "SET default_transaction_isolation = 'read committed'",
    'SET datestyle = ISO',
  ].join('; ');
}

/**
 * The code of notices below the level of a warning. The word for the severity depends on the
 * language of the server.
 */
const successfulCompletion = '00000';
/**
 * Errors with which the server ends the session: a connection exception, an operator's
 * intervention, an idle transaction.
 */
const endsSession = /^(?:08|57P|25P03)/;

export interface SessionOptions {
  readonly address: DatabaseAddress;
  /** Read for each connection, so that the next one uses a changed password. */
  readonly password?: () => string;
  /**
   * The certificate of the authority that signed the server's certificate; by default the
   * authorities of the system.
   */
  readonly ca?: () => string;
  readonly clock: Sleeper;
  readonly limits: SessionLimits;
}

export type Row = Readonly<Record<string, unknown>>;

/**
 * The connection failed, or the statement took too long. Whether the server executed it is unknown.
 */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError' as const;
}

/** One connection to PostgreSQL. Its statements run one after the other. */
export class Session {
  readonly #client: pg.Client;
  readonly key: SessionKey;
  readonly #warnings: string[];
  readonly #options: SessionOptions;
  #lost: string | undefined;

  private constructor(
    client: pg.Client,
    key: SessionKey,
    warnings: string[],
    options: SessionOptions,
  ) {
    this.#client = client;
    this.key = key;
    this.#warnings = warnings;
    this.#options = options;
    client.on('error', (error) => this.#lose(error.message));
    client.on('end', () => this.#lose('the connection was closed'));
  }

  /** Rejects with the error of the network or the server, or with a `ConnectionLostError`. */
  static async open(options: SessionOptions): Promise<Session> {
    const { address, password, ca, clock, limits } = options;
    const { isTls, ...where } = address;
    const client = new pg.Client({
      ...where,
      // Without an explicit password, the client would read one from the environment.
      password: password ?? (() => ''),
      ssl: isTls ? { ...(ca !== undefined && { ca: ca() }), rejectUnauthorized: true } : false,
      application_name: 'uptime-exporter',
      connectionTimeoutMillis: connectMilliseconds,
      keepAlive: true,
    });
    const warnings: string[] = [];
    client.on('notice', ({ code, message }) => {
      if (code !== successfulCompletion) warnings.push(message ?? '');
    });
    // A failure between the opening statements rejects them as well.
    const ignore = () => {};
    client.on('error', ignore);
    let isConnected = false;
    try {
      await client.connect();
      isConnected = true;
      const key = await within(clock, connectMilliseconds, prepare(client, limits));
      return new Session(client, key, warnings, options);
    } catch (error) {
      destroy(client);
      throw isLoss(error, isConnected) ? lossOf(error) : error;
    } finally {
      client.off('error', ignore);
    }
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * Rejects with the server's `DatabaseError`, after which the session can be used, or with a
   * `ConnectionLostError`.
   */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.#run(text, values)).rows;
  }

  /**
   * Commits the transaction. Rejects on a warning, which means that the commit is less durable than
   * configured: the server no longer waits for its standby, for example. The statement is never
   * cancelled, because a cancelled wait is such a case.
   */
  async commit(): Promise<void> {
    this.#warnings.length = 0;
    const { command } = await this.#run('COMMIT', []);
    const [warning] = this.#warnings;
    if (warning !== undefined) throw new ConnectionLostError(warning);
    // The server's response to the commit of a failed transaction.
    if (command !== 'COMMIT') throw new Error(`the server answered ${command} to a commit`);
  }

  async end(): Promise<void> {
    if (this.#lost === undefined) {
      await within(this.#options.clock, endMilliseconds, this.#client.end()).catch(() => {});
    }
    this.#lose('it was closed');
  }

  async #run(text: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    if (this.#lost !== undefined) throw new ConnectionLostError(this.#lost);
    try {
      const answer = this.#client.query<Row>(text, [...values]);
      const { clock, limits } = this.#options;
      return await within(clock, limits.statement, answer);
    } catch (error) {
      if (!isLoss(error, true)) throw error;
      const loss = lossOf(error);
      this.#lose(loss.message);
      throw loss;
    }
  }

  #lose(why: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = why;
    destroy(this.#client);
  }
}

/** Applies the settings of the session. */
async function prepare(client: pg.Client, limits: SessionLimits): Promise<SessionKey> {
  await client.query(settingsOf(limits));
  // A setting below the server's own disk would not be durable. A stricter one, such as a
  // synchronous standby, stays unchanged.
  await client.query(
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
  );
  const { rows } = await client.query<{ pid: number; started_at: string }>(
    'SELECT pid, backend_start::text AS started_at FROM pg_stat_activity WHERE pid = pg_backend_pid()',
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the server does not list its own session');
  return { pid: row.pid, startedAt: row.started_at };
}

/** Rejects when the work takes longer. The work continues, and its result is ignored. */
async function within<T>(clock: Sleeper, milliseconds: number, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = clock.sleep(milliseconds, done.signal).then(() => {
    throw new Error(`no answer within ${milliseconds / 1000} seconds`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    done.abort();
  }
}

/** The client's message for a connection that ended while it was opened. */
const terminated = /^Connection terminated/;

/**
 * Returns whether an established connection was lost. A connection that could not be opened is
 * another error.
 */
function isLoss(error: unknown, isConnected: boolean): boolean {
  if (error instanceof pg.DatabaseError) return endsSession.test(error.code ?? '');
  return isConnected || (error instanceof Error && terminated.test(error.message));
}

function lossOf(error: unknown): ConnectionLostError {
  const why = messageOf(error);
  return new ConnectionLostError(why, { cause: error });
}

/** Closes the connection at once. A running statement continues until the server notices. */
function destroy(client: pg.Client): void {
  client.on('error', () => {});
  void client.end().catch(() => {});
  client.connection.stream.destroy();
}
