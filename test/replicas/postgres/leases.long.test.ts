import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { instantOf } from '../../../src/replicas/leases/trust.ts';
import type { SharedStore } from '../../../src/replicas/postgres/open-postgres-store.ts';
import { CuttingProxy } from '../../store/support/cutting-proxy.ts';
import { missing } from '../../support/tools.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { PostgresCluster } from '../support/postgres-cluster.ts';

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** A replica that is closed at the end of the test. */
async function open(url: string): Promise<SharedStore> {
  const shared = await openPostgres(url, { views: 'http://one:9158/' });
  onTestFinished(async () => {
    await shared.database.close();
    await shared.store.close();
  });
  return shared;
}

const beatOf = ({ leases: { replica } }: SharedStore) => ({ replica, renewals: [], dead: [] });

describe.skipIf(missing('initdb'))('the leases in PostgreSQL', () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await PostgresCluster.start();
  });
  afterAll(() => cluster.stop());

  test('a webhook does not make the released lease of a dump free', async () => {
    const url = await cluster.createDatabase();
    const first = await openPostgres(url);
    await first.store.load('a');
    await first.store.close();
    await first.database.close();
    const holder = await open(url);
    await cluster.dumpAndRestore(nameOf(url), async () => {
      await holder.store.load('a');
    });
    const other = await open(url);
    const { leases: seen } = await other.database.beat(beatOf(other));
    expect(seen).toMatchObject([{ account: 'a', isReleased: true, isCurrent: false }]);

    await other.database.call('a');

    await expect(other.store.load('a')).rejects.toMatchObject({ reason: 'fenced' });
  });

  test('a webhook keeps the lease of a holder current', async () => {
    const url = await cluster.createDatabase();
    const holder = await open(url);
    await holder.store.load('a');

    await holder.database.call('a');

    const { leases: seen } = await holder.database.beat(beatOf(holder));
    expect(seen).toMatchObject([
      { account: 'a', isCurrent: true, holder: { url: 'http://one:9158/' } },
    ]);
  });

  test('the takes of an account are numbered, whoever takes it', async () => {
    const url = await cluster.createDatabase();
    for (const take of [1, 2, 3]) {
      const { store, database, leases } = await openPostgres(url);
      await store.load('a');
      expect(leases.numberOf('a')).toBe(take);
      await store.close();
      await database.close();
    }
  });

  test('replicas that begin and renew at the same time do not fail each other, whatever isolation is the default', async () => {
    const url = await cluster.createDatabase();
    await cluster.query(
      'postgres',
      `ALTER DATABASE ${nameOf(url)} SET default_transaction_isolation = 'serializable'`,
    );
    const replicas = await Promise.all([open(url), open(url)]);
    for (const [index, { store }] of replicas.entries()) await store.load(`account ${index}`);

    for (let beat = 0; beat < 5; beat++) {
      await Promise.all(
        replicas.map((replica) => {
          const renewals = replica.leases.renewals(() => crypto.randomUUID());
          return replica.database.beat({ ...beatOf(replica), renewals });
        }),
      );
    }
  });

  test('a connection on which nothing arrives any more is replaced while the lease can still be renewed', async () => {
    const url = await cluster.createDatabase();
    const proxy = await CuttingProxy.start(cluster.port);
    const shared = await openPostgres(cluster.urlOf(nameOf(url), proxy.port), {
      leaseTtlSeconds: 6,
    });
    const { store, database, leases } = shared;
    onTestFinished(() => database.close());
    await store.load('a');
    const beat = () =>
      database.beat({ ...beatOf(shared), renewals: leases.renewals(() => crypto.randomUUID()) });
    await beat();
    proxy.silence();

    // The lease is trusted for 5 of its 6 seconds.
    await expect(beat()).rejects.toThrow('no answer within 2.5 seconds');
    expect([...(await beat()).renewed]).toEqual(['a']);
  });

  test('webhooks neither reject a renewal nor undo one that was acknowledged', async () => {
    const url = await cluster.createDatabase();
    const { store, database, leases } = await open(url);
    await store.load('a');
    const ended = new AbortController();
    const calls = callAgainAndAgain(database, ended.signal);
    for (let beat = 0; beat < 50; beat++) {
      const renewals = leases.renewals(() => crypto.randomUUID());
      const from = instantOf(systemClock);

      const { renewed } = await database.beat({ replica: leases.replica, renewals, dead: [] });

      expect(leases.renewed(renewals, renewed, from)).toEqual([]);
      const [row] = await cluster.query(
        nameOf(url),
        "SELECT renewal FROM uptime_exporter.leases WHERE account = 'a'",
      );
      expect(row?.renewal).toBe(renewals[0]?.next);
    }
    ended.abort();
    expect(await calls).toBeGreaterThan(10);
  });
});

/** Resolves with the number of calls. None of them may fail. */
async function callAgainAndAgain(
  database: SharedStore['database'],
  signal: AbortSignal,
): Promise<number> {
  const calls: Promise<void>[] = [];
  while (!signal.aborted) {
    calls.push(database.call('a'));
    await delay(1);
  }
  await Promise.all(calls);
  return calls.length;
}
