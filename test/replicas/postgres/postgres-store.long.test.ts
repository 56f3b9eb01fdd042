import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import { databaseAddress } from '../../../src/lib/database-address.ts';
import type { Store } from '../../../src/store/store.ts';
import { CuttingProxy } from '../../store/support/cutting-proxy.ts';
import { plainItem } from '../../store/support/stored-items.ts';
import { missing } from '../../support/tools.ts';
import { claimAll, openPostgres } from '../support/open-postgres.ts';
import { PostgresCluster } from '../support/postgres-cluster.ts';

/** Clock ticks per second of the times in /proc. */
const ticksPerSecond = 100;

describe.skipIf(missing('initdb'))('a store in PostgreSQL', () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await PostgresCluster.start();
  });
  afterAll(() => cluster.stop());

  test('opens no session for leases after it closed them, which would keep the process alive', async () => {
    const url = await cluster.createDatabase();
    const { database, leases, store } = await openPostgres(url);
    await store.close();
    await database.close();

    await expect(database.leave(leases.replica)).rejects.toThrow('the leases are closed');
  });

  test('refuses an account to a second process until the first has closed it', async () => {
    const url = await cluster.createDatabase();
    const first = await open(url);
    await first.load('a');
    const second = await open(url);

    await expect(second.load('a')).rejects.toMatchObject({
      reason: 'fenced',
      message: 'the account a belongs to a test',
    });
    await second.load('b');

    await first.close();
    await second.load('a');
  });

  test.each([
    ['before', undefined],
    ['for the client before', undefined],
    ['after', plainItem(1)],
  ] as const)(
    'goes on after a connection that was cut %s the server had the commit',
    async (cut, stored) => {
      const url = await cluster.createDatabase();
      const proxy = await CuttingProxy.start(cluster.port);
      const store = await open(cluster.urlOf(nameOf(url), proxy.port));
      await store.load('a');

      void proxy.cutNextCommit(cut);
      await expect(commitItem(store, 1)).rejects.toMatchObject({ reason: 'unknown' });
      await commitItem(store, 2);

      const { items, lost } = await store.load('a');
      expect(items.check.get(1)).toEqual(stored);
      expect(items.check.get(2)).toEqual(plainItem(2));
      expect(lost).toEqual([]);
    },
  );

  test('takes several accounts at once, each by itself, although one belongs to another process', async () => {
    const url = await cluster.createDatabase();
    const other = await open(url);
    await other.load('held');
    const store = await open(url);
    const accounts = ['a', 'held', 'b', 'c'];
    const onlyHeldFails = ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'];

    const loads = await Promise.allSettled(accounts.map((account) => store.load(account)));
    expect(loads.map(({ status }) => status)).toEqual(onlyHeldFails);

    const check = new Map([[1, plainItem(1)]]);
    const commits = await Promise.allSettled(
      accounts.map((account) => store.commit({ account, items: { check } })),
    );
    expect(commits.map(({ status }) => status)).toEqual(onlyHeldFails);
    const rows = await cluster.query(
      nameOf(url),
      'SELECT DISTINCT account FROM uptime_exporter.row ORDER BY account',
    );
    expect(rows.map(({ account }) => account)).toEqual(['a', 'b', 'c']);
  });

  test('gives up a server that no longer responds, and ends the session that was left there', async () => {
    const url = await cluster.createDatabase();
    const proxy = await CuttingProxy.start(cluster.port);
    const clock = new Deadlines();
    const address = cluster.urlOf(nameOf(url), proxy.port);
    const { store } = await openPostgres(address, { clock });
    onTestFinished(() => store.close());
    await store.load('a');

    const swallowed = proxy.cutNextCommit('silently before');
    const committed = commitItem(store, 1);
    committed.catch(() => {});
    await swallowed;
    clock.pass();
    await expect(committed).rejects.toMatchObject({
      reason: 'unknown',
      message: expect.stringContaining('no answer within 30 seconds'),
    });
    await commitItem(store, 2);

    expect([...(await store.load('a')).items.check.keys()]).toEqual([2]);
  });

  test('asks whether its client is still there, so that the lock of a machine that is gone is free within 15 seconds', async () => {
    const url = await cluster.createDatabase();
    await open(url);
    const [session] = await cluster.query(
      'postgres',
      `SELECT client_port FROM pg_stat_activity WHERE datname = '${nameOf(url)}'`,
    );

    // The kernel's line of a connection: both addresses, the state, the queues, and a timer with
    // its remaining ticks.
    const row = /^ *\d+: \w+:(\w+) \w+:(\w+) 01 \w+:\w+ (\w+):(\w+)/gm;
    const timer = () =>
      [...readFileSync('/proc/net/tcp', 'utf8').matchAll(row)]
        .map(([, ...fields]) => fields.map((field) => Number.parseInt(field, 16)))
        .find(([from, to]) => from === cluster.port && to === session?.client_port)
        ?.slice(2);
    const keepalive = 2;
    // Until the last data are acknowledged, another timer runs.
    await expect.poll(timer).toEqual([keepalive, expect.any(Number)]);
    expect(timer()?.[1]).toBeLessThanOrEqual(5 * ticksPerSecond);
  });

  test('stores nothing when another process took the account while the outcome of a commit was not known', async () => {
    const url = await cluster.createDatabase();
    const proxy = await CuttingProxy.start(cluster.port);
    const store = await open(cluster.urlOf(nameOf(url), proxy.port));
    await store.load('a');
    void proxy.cutNextCommit('before');
    await expect(commitItem(store, 1)).rejects.toMatchObject({ reason: 'unknown' });
    const other = await openPostgres(url);
    onTestFinished(() => other.store.close());
    await claimAll(other);
    await other.store.load('a');

    await expect(commitItem(store, 2)).rejects.toMatchObject({ reason: 'fenced' });
  });

  test('reports that acknowledged commits are missing, at once and after a restart', async () => {
    const url = await cluster.createDatabase();
    const store = await open(url);
    await commitItem(store, 1);
    const [known] = await cluster.query(nameOf(url), 'SELECT commit FROM uptime_exporter.accounts');
    await commitItem(store, 2);
    await cluster.query(
      nameOf(url),
      `UPDATE uptime_exporter.accounts SET commit = '${String(known?.commit)}', transaction = pg_current_xact_id()`,
    );

    await expect(commitItem(store, 3)).rejects.toMatchObject({ reason: 'unknown' });
    const past = 'the database has lost commits that it had acknowledged';
    await expect(commitItem(store, 4)).rejects.toMatchObject({
      reason: 'unwritable',
      message: expect.stringContaining(past),
    });
    await commitItem(store, 5);
    await store.close();

    expect(await (await open(url)).load('a')).toMatchObject({ past });
  });

  test.each([
    ['reports that a standby has taken over', false],
    ['loses nothing when a synchronous standby has taken over, if there is one', true],
  ])('%s', async (_, synchronousStandby) => {
    const url = await cluster.createDatabase();
    const first = await open(url);
    await commitItem(first, 1);
    await first.close();
    await cluster.query(
      nameOf(url),
      "UPDATE uptime_exporter.accounts SET timeline = '00000000', transaction = pg_current_xact_id()",
    );

    const next = await openPostgres(url, { synchronousStandby });
    onTestFinished(() => next.store.close());
    const { past } = await next.store.load('a');
    expect(past).toBe(
      synchronousStandby ? undefined : 'the database was restored, or a standby has taken over',
    );
  });

  test('commits nothing of a process whose account another process has taken', async () => {
    const url = await cluster.createDatabase();
    const former = await open(url);
    await commitItem(former, 1);
    const next = await openPostgres(url, { owner: 'the next' });
    onTestFinished(() => next.store.close());
    await claimAll(next);
    await next.store.load('a');

    await expect(commitItem(former, 2)).rejects.toMatchObject({
      reason: 'fenced',
      message: 'the account a belongs to the next',
    });
    expect([...(await next.store.load('a')).items.check.keys()]).toEqual([1]);
  });

  test('ends the transaction that a stopped holder has left open, when the account is taken from it', async () => {
    const url = await cluster.createDatabase();
    const former = await open(url);
    await commitItem(former, 1);
    // A second client represents the stopped one: its session is the one in the lease.
    const stopped = new pg.Client({ connectionString: url });
    stopped.on('error', () => {});
    await stopped.connect();
    onTestFinished(() => stopped.end().catch(() => {}));
    await stopped.query('BEGIN');
    await stopped.query("SELECT 1 FROM uptime_exporter.accounts WHERE account = 'a' FOR UPDATE");
    await cluster.query(
      nameOf(url),
      `UPDATE uptime_exporter.leases SET transaction = pg_current_xact_id(), session_pid = pid, session_started_at = backend_start
       FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()`,
    );

    const next = await openPostgres(url);
    onTestFinished(() => next.store.close());
    await claimAll(next);
    expect([...(await next.store.load('a')).items.check.keys()]).toEqual([1]);
  });

  test('takes its session again after the server has ended it', async () => {
    const url = await cluster.createDatabase();
    const store = await open(url);
    await commitItem(store, 1);

    await endSessions(url);
    await commitItem(store, 2);

    expect([...(await store.load('a')).items.check.keys()]).toEqual([1, 2]);
  });

  test('does not know the outcome of a commit that no longer waits for the standby', async () => {
    const url = await cluster.createDatabase();
    const store = await open(url);
    await store.load('a');
    const waitForNobody = async () => {
      await cluster.query('postgres', 'ALTER SYSTEM RESET synchronous_standby_names');
      await cluster.query('postgres', 'SELECT pg_reload_conf()');
    };
    onTestFinished(waitForNobody);
    await cluster.query('postgres', "ALTER SYSTEM SET synchronous_standby_names = 'absent'");
    await cluster.query('postgres', 'SELECT pg_reload_conf()');

    // The server applies its settings soon after the reload; a commit before that does not wait.
    let [hasEnded, committed] = [true, Promise.resolve()];
    const cancelled = () => {
      if (hasEnded) {
        hasEnded = false;
        committed = commitItem(store, 1).finally(() => {
          hasEnded = true;
        });
        committed.catch(() => {});
      }
      return waiting(url, 'pg_cancel_backend(pid)');
    };
    await expect.poll(cancelled, { interval: 20 }).toBe(1);
    await expect(committed).rejects.toMatchObject({ reason: 'unknown' });

    await waitForNobody();
    await commitItem(store, 2);
    expect([...(await store.load('a')).items.check.keys()]).toEqual([1, 2]);
  });

  test('reports that a dump was restored, until the totals have begun again', async () => {
    const url = await cluster.createDatabase();
    const first = await open(url);
    await commitItem(first, 1);
    await first.close();
    await cluster.dumpAndRestore(nameOf(url), async () => {
      const meanwhile = await open(url);
      expect((await meanwhile.load('a')).past).toBeUndefined();
      await commitItem(meanwhile, 2);
      await meanwhile.close();
    });

    const past = 'the database was restored from a dump';
    const shared = await openPostgres(url);
    const restored = shared.store;
    onTestFinished(() => restored.close());
    // A lease of a dump is not free: it may have been taken again since.
    await expect(restored.load('a')).rejects.toMatchObject({ reason: 'fenced' });
    await claimAll(shared);
    expect(await restored.load('a')).toMatchObject({ past });
    await restored.close();
    const again = await open(url);
    expect(await again.load('a')).toMatchObject({ past });
    await again.commit({ account: 'a', beginsAgain: true });
    await again.close();
    expect((await (await open(url)).load('a')).past).toBeUndefined();
  });

  test('refuses an account whose rows have another format, and leaves it as it is', async () => {
    const url = await cluster.createDatabase();
    const first = await open(url);
    await commitItem(first, 1);
    await first.close();
    await cluster.query(nameOf(url), 'UPDATE uptime_exporter.accounts SET version = 99');

    await expect((await open(url)).load('a')).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringMatching(/^the account a has format 99, and this version reads format/),
    });

    const written = await cluster.query(
      nameOf(url),
      'SELECT version FROM uptime_exporter.accounts',
    );
    expect(written).toEqual([{ version: 99 }]);
  });

  test('refuses the tables of a version before the first release, and leaves them as they are', async () => {
    const url = await cluster.createDatabase();
    await (await open(url)).close();
    await cluster.query(
      nameOf(url),
      `DROP TABLE uptime_exporter.row, uptime_exporter.horizon CASCADE;
       CREATE TABLE uptime_exporter.records (account text, kind text, name text, bytes bytea)`,
    );

    await expect(open(url)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('has tables of another version'),
    });

    await cluster.query(nameOf(url), 'SELECT 1 FROM uptime_exporter.records');
  });

  test('refuses to begin in a database whose encoding lacks characters', async () => {
    await cluster.query(
      'postgres',
      "CREATE DATABASE latin OWNER uptime ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
    );

    await expect(openPostgres(cluster.urlOf('latin'))).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('has the encoding LATIN1'),
    });
    const [schema] = await cluster.query(
      'latin',
      "SELECT 1 FROM pg_namespace WHERE nspname = 'uptime_exporter'",
    );
    expect(schema).toBeUndefined();
  });

  test('refuses to begin on a server that does not say who it is', async () => {
    const url = await cluster.createDatabase();
    await cluster.query(nameOf(url), 'REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');

    await expect(openPostgres(url)).rejects.toMatchObject({
      reason: 'unwritable',
      message: expect.stringContaining('pg_control_system'),
    });
  });

  test('finds its sessions again whatever the form of times is', async () => {
    const url = await cluster.createDatabase();
    for (const setting of ["DateStyle = 'SQL, DMY'", "TimeZone = 'Asia/Kolkata'"])
      await cluster.query('postgres', `ALTER DATABASE ${nameOf(url)} SET ${setting}`);
    const store = await open(url);
    await store.load('a');

    const [lease] = await cluster.query(
      nameOf(url),
      `SELECT session_started_at = backend_start AS is_found FROM uptime_exporter.leases
       JOIN pg_stat_activity ON pid = session_pid`,
    );
    expect(lease).toEqual({ is_found: true });
  });

  test('reports a server that does not respond, and stores again when it does', async () => {
    const url = await cluster.createDatabase();
    const proxy = await CuttingProxy.start(cluster.port);
    const store = await open(cluster.urlOf(nameOf(url), proxy.port));
    await store.load('a');
    await endSessions(url);
    await cluster.query('postgres', `ALTER DATABASE ${nameOf(url)} ALLOW_CONNECTIONS false`);

    await expect(commitItem(store, 1)).rejects.toMatchObject({
      reason: 'unwritable',
      message: expect.stringMatching(/^cannot use the database .* is not currently accepting/),
    });

    await cluster.query('postgres', `ALTER DATABASE ${nameOf(url)} ALLOW_CONNECTIONS true`);
    await commitItem(store, 1);
    expect((await store.load('a')).items.check.get(1)).toEqual(plainItem(1));
  });

  async function open(url: string): Promise<Store> {
    const { store } = await openPostgres(url);
    onTestFinished(() => store.close());
    return store;
  }

  async function endSessions(url: string): Promise<void> {
    await cluster.query(
      'postgres',
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${nameOf(url)}'`,
    );
  }

  /** Applies an SQL function to each session that waits for a standby. Returns their number. */
  async function waiting(url: string, action: string): Promise<number> {
    const rows = await cluster.query(
      'postgres',
      `SELECT ${action} FROM pg_stat_activity WHERE datname = '${nameOf(url)}' AND wait_event = 'SyncRep'`,
    );
    return rows.length;
  }
});

/** Sleepers that wake when the test lets their deadlines pass. */
class Deadlines implements Clock {
  readonly #passing = new Set<() => void>();

  now(): number {
    return 0;
  }

  monotonic(): number {
    return 0;
  }

  sleep(_milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#passing.add(resolve);
      signal?.addEventListener('abort', () => {
        this.#passing.delete(resolve);
        reject(signal.reason);
      });
    });
  }

  pass(): void {
    for (const resolve of this.#passing) resolve();
  }
}

function nameOf(url: string): string {
  return databaseAddress(url).database;
}

async function commitItem(store: Store, id: number): Promise<void> {
  await store.commit({ account: 'a', items: { check: new Map([[id, plainItem(id)]]) } });
}
