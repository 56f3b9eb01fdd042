import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Issued } from '../../support/certificates.ts';
import { freePort } from '../../support/free-port.ts';
import { giveToPostgres, runPostgres } from './postgres-programs.ts';

/**
 * The PostgreSQL server of a test, on a free loopback port. Its durability has the default
 * settings.
 */
export class PostgresCluster {
  readonly port: number;
  readonly #folder: string;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  static async start({
    certificate,
  }: {
    readonly certificate?: Issued;
  } = {}): Promise<PostgresCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'uptime-postgres-'));
    await giveToPostgres(folder);
    await chmod(folder, 0o700);
    const cluster = new PostgresCluster(folder, await freePort());
    const data = join(folder, 'data');
    await cluster.#command('initdb', [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '--no-sync',
      '-E',
      'UTF8',
    ]);
    const lines = [
      `port = ${cluster.port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${folder}'`,
      'max_connections = 60',
      'shared_buffers = 16MB',
      'autovacuum = off',
      // Servers are killed here, but no machine: what the kernel has is durable.
      'fsync = off',
    ];
    if (certificate !== undefined) {
      await cluster.#write('server.pem', certificate.cert);
      await cluster.#write('server.key', certificate.key);
      lines.push('ssl = on', "ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'");
      // The first matching line decides.
      await cluster.#write(
        'pg_hba.conf',
        'hostssl all uptime 127.0.0.1/32 scram-sha-256\nhost all postgres 127.0.0.1/32 trust\n',
      );
    }
    await cluster.#write('postgresql.auto.conf', lines.join('\n'));
    await cluster.#command('pg_ctl', ['start', '-w', '-D', data, '-l', join(folder, 'log')]);
    await cluster.query('postgres', 'CREATE ROLE uptime LOGIN');
    return cluster;
  }

  /** The URL of a new database, whose owner has no further rights. */
  async createDatabase(): Promise<string> {
    const name = `d${Math.random().toString(36).slice(2)}`;
    await this.query('postgres', `CREATE DATABASE ${name} OWNER uptime`);
    return this.urlOf(name);
  }

  urlOf(database: string, port: number = this.port): string {
    return `postgres://uptime@127.0.0.1:${port}/${database}`;
  }

  /** As the superuser. */
  async query(database: string, text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: 'postgres',
      database,
    });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Restores a dump of a database over itself. */
  async dumpAndRestore(database: string, between: () => Promise<void>): Promise<void> {
    const connection = ['-h', '127.0.0.1', '-p', `${this.port}`, '-U', 'postgres', '-d', database];
    const file = join(this.#folder, `${database}.dump`);
    await this.#command('pg_dump', [...connection, '-Fc', '-f', file]);
    await between();
    await this.#command('pg_restore', [...connection, '--clean', file]);
  }

  async stop(): Promise<void> {
    await this.#command('pg_ctl', ['stop', '-D', join(this.#folder, 'data'), '-m', 'immediate']);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #write(name: string, text: string): Promise<void> {
    const path = join(this.#folder, 'data', name);
    await writeFile(path, `${text}\n`, { mode: 0o600 });
    await giveToPostgres(path);
  }

  async #command(program: string, args: readonly string[]): Promise<void> {
    await runPostgres(program, args, this.#folder);
  }
}
