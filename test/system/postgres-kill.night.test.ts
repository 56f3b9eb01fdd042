import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PostgresCluster } from '../replicas/support/postgres-cluster.ts';
import { startExporter, unreadableAccount } from '../support/exporter-command.ts';
import { expectTheTruthAfterKills } from '../support/kills.ts';
import { missing } from '../support/tools.ts';

const lanes = 2;
const killsOfEach = 8;
/** So frequent that each lane loses its connection about as often as it is killed. */
const cutMilliseconds = 700;

test.skipIf(missing('initdb'))(
  'on PostgreSQL, killed after random writes and cut off at random moments, no counter steps back, and in the end all agree with the service',
  async () => {
    const cluster = await PostgresCluster.start();
    onTestFinished(() => cluster.stop());
    const databases = await Promise.all(
      Array.from({ length: lanes }, () => cluster.createDatabase()),
    );
    const cutting = new AbortController();
    const cuts = cutAgainAndAgain(cluster, cutting.signal);
    // The test's own sessions read the stores afterwards.
    const ended = async () => {
      cutting.abort();
      await cuts;
    };
    onTestFinished(ended);

    await expectTheTruthAfterKills(lanes, killsOfEach, { databases, ended });

    expect(await cuts).toBeGreaterThan(killsOfEach);
  },
);

test.skipIf(missing('initdb'))(
  'an exporter whose account was taken no longer serves it, and takes it again when its lease has expired',
  async () => {
    const cluster = await PostgresCluster.start();
    onTestFinished(() => cluster.stop());
    const url = await cluster.createDatabase();
    const exporter = startExporter(
      [
        'serve',
        `--storage.url=${url}`,
        // A process that stands still for a sixth of it loses its lease, and notices nothing else.
        '--storage.lease-ttl=30s',
        '--web.listen-address=127.0.0.1:0',
      ],
      unreadableAccount,
    );
    await exporter.until(/account taken/);

    // Another exporter that takes the account changes both epochs.
    const database = new URL(url).pathname.slice(1);
    await cluster.query(database, 'UPDATE uptime_exporter.accounts SET epoch = gen_random_uuid()');
    await cluster.query(
      database,
      'UPDATE uptime_exporter.leases SET epoch = gen_random_uuid(), transaction = pg_current_xact_id()',
    );

    await exporter.until(/account lost.*reason=taken/);
    await exporter.until(/account taken.*take=2/);
    exporter.process.kill('SIGTERM');
    expect(await exporter.ended).toBe(0);
  },
);

/** Ends all sessions of the exporters from time to time. Resolves with their number. */
async function cutAgainAndAgain(cluster: PostgresCluster, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    await delay(cutMilliseconds, undefined, { signal }).catch(() => {});
    const ended = await cluster.query(
      'postgres',
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'uptime-exporter'",
    );
    count += ended.length;
  }
  return count;
}
