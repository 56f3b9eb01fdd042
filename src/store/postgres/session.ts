import pg from 'pg';
import type { Clock } from '../../lib/clock.ts';
import type { DatabaseAddress } from '../../lib/database-address.ts';

/** A statement that takes longer is given up with its connection: a commit may wait for a standby that is away. */
const statementMilliseconds = 30_000;
const connectMilliseconds = 10_000;
/** The server ends a session whose transaction is idle for so long, or whose client does not acknowledge what was sent for so long. */
const abandonedMilliseconds = 10_000;
/**
 * Set by statements, because a pooler refuses most parameters of a connection. A client whose machine or network is gone is noticed
 * within 15 seconds: the lock of its session would otherwise stay for two hours. Warnings are needed by `commit`.
 */
const settings = [
  `SET idle_in_transaction_session_timeout = ${abandonedMilliseconds}`,
  `SET tcp_user_timeout = ${abandonedMilliseconds}`,
  'SET tcp_keepalives_idle = 5',
  'SET tcp_keepalives_interval = 5',
  'SET tcp_keepalives_count = 2',
  'SET client_min_messages = warning',
].join('; ');
const endMilliseconds = 1_000;

/** The code of a notice that is no warning. The word for its severity depends on the language of the server. */
const successfulCompletion = '00000';
/** The server ends the session: a connection exception, an operator's intervention, a transaction that was idle for too long. */
const endsSession = /^(?:08|57P|25P03)/;

export interface SessionOptions {
  readonly address: DatabaseAddress;
  /** Read for each connection, so that a changed password is used by the next. */
  readonly password?: () => string;
  /** The certificate of the authority that signed the server's; by default those of the system. */
  readonly ca?: () => string;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Identifies a session on its server: process numbers are used again. */
export interface SessionKey {
  readonly pid: number;
  readonly startedAt: string;
}

export type Row = Readonly<Record<string, unknown>>;

/** The connection has failed, or the statement took too long: what the server did with it is not known. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError' as const;
}

/** One connection to PostgreSQL, on which statements run one after the other. */
export class Session {
  readonly #client: pg.Client;
  readonly key: SessionKey;
  readonly #warnings: string[];
  readonly #clock: Pick<Clock, 'sleep'>;
  #lost: string | undefined;

  private constructor(
    client: pg.Client,
    key: SessionKey,
    { warnings, clock }: { readonly warnings: string[]; readonly clock: Pick<Clock, 'sleep'> },
  ) {
    this.#client = client;
    this.key = key;
    this.#warnings = warnings;
    this.#clock = clock;
    client.on('error', (error) => this.#lose(error.message));
    client.on('end', () => this.#lose('the connection was closed'));
  }

  /** Rejects with the error of the network or the server, or with a `ConnectionLostError`. */
  static async open({ address, password, ca, clock }: SessionOptions): Promise<Session> {
    const { isTls, ...where } = address;
    const client = new pg.Client({
      ...where,
      // Without a password of its own the client would look for one in the environment.
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
    // An error between the statements of the opening rejects these as well.
    const ignore = () => {};
    client.on('error', ignore);
    try {
      await client.connect();
      const key = await within(clock, connectMilliseconds, prepare(client));
      return new Session(client, key, { warnings, clock });
    } catch (error) {
      destroy(client);
      throw isLoss(error) ? lossOf(error) : error;
    } finally {
      client.off('error', ignore);
    }
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * Rejects with the `DatabaseError` of the server, after which the session can be used, or with a `ConnectionLostError`.
   */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.#run(text, values)).rows;
  }

  /**
   * Commits the transaction. Resolves when the server has acknowledged it as it must: a warning means that it has not, such as one
   * that no longer waits for its standby. The statement is never cancelled, which would be such a case.
   */
  async commit(): Promise<void> {
    this.#warnings.length = 0;
    const { command } = await this.#run('COMMIT', []);
    const [warning] = this.#warnings;
    if (warning !== undefined) throw new ConnectionLostError(warning);
    // So the server answers the commit of a transaction that has failed.
    if (command !== 'COMMIT') throw new Error(`the server answered ${command} to a commit`);
  }

  async end(): Promise<void> {
    if (this.#lost === undefined) {
      await within(this.#clock, endMilliseconds, this.#client.end()).catch(() => {});
    }
    this.#lose('it was closed');
  }

  async #run(text: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    if (this.#lost !== undefined) throw new ConnectionLostError(this.#lost);
    try {
      const answer = this.#client.query<Row>(text, [...values]);
      return await within(this.#clock, statementMilliseconds, answer);
    } catch (error) {
      if (error instanceof pg.DatabaseError && !isLoss(error)) throw error;
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

/** Makes the settings of the session. */
async function prepare(client: pg.Client): Promise<SessionKey> {
  await client.query(settings);
  // Less than the disk of the server is not durable; more, such as a synchronous standby, is left as it is.
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

/** Rejects when the work takes longer; it goes on, and nobody hears of it. */
async function within<T>(
  clock: Pick<Clock, 'sleep'>,
  milliseconds: number,
  work: Promise<T>,
): Promise<T> {
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

/** What the client says of a connection that ended while it waited for an answer. */
const terminated = /^Connection terminated/;

/** The connection was there, and is lost; not that none could be made. */
function isLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return endsSession.test(error.code ?? '');
  return error instanceof Error && terminated.test(error.message);
}

function lossOf(error: unknown): ConnectionLostError {
  const why = error instanceof Error ? error.message : String(error);
  return new ConnectionLostError(why, { cause: error });
}

/** Closes the connection at once; what it was doing goes on until the server notices. */
function destroy(client: pg.Client): void {
  client.on('error', () => {});
  void client.end().catch(() => {});
  client.connection.stream.destroy();
}
