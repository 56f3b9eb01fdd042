import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../support/free-port.ts';
import { Link } from './link.ts';
import { giveToPostgres, runPostgres } from './postgres-programs.ts';

/** One server of the pair, which can be replaced by a copy of the other. */
interface Node {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
}

const settleMilliseconds = 120_000;

/** Puts a dump over the database, by default after all sessions were ended. */
type Restore = (options?: { readonly endsSessions?: boolean }) => Promise<void>;

export const pairDatabase = 'uptime';

/**
 * A PostgreSQL primary and a standby. The primary acknowledges a commit when the standby has it on
 * its disk, also after a failover: then it waits for the copy that takes the place of the standby.
 */
export class PostgresPair {
  readonly #folder: string;
  readonly #failedOver = new Set<() => void>();
  /** The way of the standby to the primary. */
  readonly #replication: Link;
  #primary: Node;
  #standby: Node;
  #dumps = 0;

  private constructor(folder: string, nodes: readonly [Node, Node], replication: Link) {
    this.#folder = folder;
    [this.#primary, this.#standby] = nodes;
    this.#replication = replication;
  }

  static async start(): Promise<PostgresPair> {
    const folder = await mkdtemp(join(tmpdir(), 'uptime-pair-'));
    await giveToPostgres(folder);
    await chmod(folder, 0o700);
    const nodes: Node[] = [];
    for (const name of ['a', 'b']) {
      nodes.push({ name, port: await freePort(), folder: join(folder, name) });
    }
    const [a, b] = nodes as [Node, Node];
    const pair = new PostgresPair(folder, [a, b], await Link.to(a.port));
    try {
      await pair.#begin();
    } catch (error) {
      await pair.stop();
      throw error;
    }
    return pair;
  }

  get port(): number {
    return this.#primary.port;
  }

  urlAt(port: number): string {
    return `postgres://uptime@127.0.0.1:${port}/${pairDatabase}`;
  }

  /** Calls back whenever another server has become the primary. */
  onFailover(action: () => void): void {
    this.#failedOver.add(action);
  }

  /** As the superuser, on the primary, without waiting for the standby. */
  query(text: string, database = pairDatabase): Promise<readonly Record<string, unknown>[]> {
    return queryAt(this.#primary.port, text, database);
  }

  /**
   * The machine of the primary fails; the standby takes over, and a copy of it becomes the standby.
   * With `meanwhile` the former primary is cut off from the standby only, and runs until that has
   * resolved.
   */
  async failOver(meanwhile?: () => Promise<void>): Promise<void> {
    const [failed, promoted] = [this.#primary, this.#standby];
    const stop = () => this.#ctl(failed, 'stop', '-m', 'immediate');
    if (meanwhile === undefined) await stop();
    else this.pauseStandby();
    await this.#ctl(promoted, 'promote', '-w');
    [this.#primary, this.#standby] = [promoted, failed];
    this.#replication.leadTo(promoted.port);
    this.resumeStandby();
    for (const action of this.#failedOver) action();
    if (meanwhile !== undefined) {
      await meanwhile();
      await stop();
    }
    await this.#copy();
  }

  /** The server of the primary crashes and starts again. */
  async restartPrimary(between: () => Promise<void>): Promise<void> {
    await this.#ctl(this.#primary, 'stop', '-m', 'immediate');
    await between();
    await this.#startNode(this.#primary);
  }

  /** The standby receives nothing until `resumeStandby`, and so commits wait. */
  pauseStandby(): void {
    this.#replication.hold();
  }

  resumeStandby(): void {
    this.#replication.heal({ isLost: true });
  }

  /** A dump of the database as it is now; the returned function restores it over the database. */
  async dump(): Promise<Restore> {
    const file = join(this.#folder, `${++this.#dumps}.dump`);
    const connection = () => ['-h', '127.0.0.1', '-p', `${this.port}`, '-U', 'postgres'];
    await this.#run('pg_dump', [
      ...connection(),
      '-d',
      pairDatabase,
      '-n',
      'uptime_exporter',
      '-Fc',
      '-f',
      file,
    ]);
    return async ({ endsSessions = true } = {}) => {
      if (endsSessions) await this.endSessions();
      const options = ['--clean', '--if-exists', '--single-transaction'];
      await this.#run('pg_restore', [...connection(), '-d', pairDatabase, ...options, file]);
    };
  }

  /** Ends the sessions of all exporters. */
  async endSessions(): Promise<void> {
    await this.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'uptime'",
      'postgres',
    );
  }

  /** Commits are acknowledged before the standby has them: a planted fault of the operator. */
  async forgetTheStandby(): Promise<void> {
    await this.query('ALTER SYSTEM SET synchronous_commit = local', 'postgres');
    await this.query('SELECT pg_reload_conf()', 'postgres');
  }

  /** Resolves when the standby has everything, and commits wait for it again. */
  async settled(): Promise<void> {
    const deadline = performance.now() + settleMilliseconds;
    for (;;) {
      if (performance.now() > deadline) throw new Error('the standby does not follow the primary');
      const rows = await this.query(
        "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'",
        'postgres',
      );
      if (rows.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async stop(): Promise<void> {
    await this.#replication.close();
    for (const node of [this.#standby, this.#primary]) {
      await this.#ctl(node, 'stop', '-m', 'immediate').catch(() => {});
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #begin(): Promise<void> {
    const { folder } = this.#primary;
    await this.#run('initdb', [
      ...['-D', folder, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8'],
    ]);
    const settings = [
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${this.#folder}'`,
      'max_connections = 60',
      'shared_buffers = 16MB',
      'autovacuum = off',
      'wal_keep_size = 256MB',
      'wal_retrieve_retry_interval = 200ms',
    ];
    const file = join(folder, 'postgresql.conf');
    const before = await readFile(file, 'utf8');
    await writeFile(file, `${before}\n${settings.join('\n')}\n`);
    await this.#startNode(this.#primary);
    await this.query('CREATE ROLE uptime LOGIN', 'postgres');
    await this.query(`CREATE DATABASE ${pairDatabase} OWNER uptime`, 'postgres');
    // A copy has it, too.
    await this.query("ALTER SYSTEM SET synchronous_standby_names = '*'", 'postgres');
    await this.query('SELECT pg_reload_conf()', 'postgres');
    await this.#copy();
    await this.settled();
  }

  /** Makes a new standby of the primary. */
  async #copy(): Promise<void> {
    const { folder } = this.#standby;
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    await giveToPostgres(folder);
    await this.#run('pg_basebackup', [
      ...['-h', '127.0.0.1', '-p', `${this.#replication.port}`, '-U', 'postgres', '-D', folder],
      ...['-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'],
    ]);
    await this.#startNode(this.#standby);
  }

  async #startNode(node: Node): Promise<void> {
    const log = join(this.#folder, `${node.name}.log`);
    await this.#ctl(node, 'start', '-w', '-l', log, '-o', `-p ${node.port}`);
  }

  async #ctl(node: Node, command: string, ...args: readonly string[]): Promise<void> {
    await this.#run('pg_ctl', [command, '-D', node.folder, ...args]);
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    await runPostgres(program, args, this.#folder);
  }
}

async function queryAt(
  port: number,
  text: string,
  database = 'postgres',
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SET synchronous_commit = local');
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
