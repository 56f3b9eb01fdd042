import { expect, onTestFinished, test } from 'vitest';
import { PostgresCluster } from '../store/support/postgres-cluster.ts';
import { startExporter, unreadableAccount } from '../support/exporter-command.ts';
import { missing } from '../support/tools.ts';

test.skipIf(missing('initdb'))(
  'an exporter on PostgreSQL goes on after a kill, and a second one is refused',
  async () => {
    const cluster = await PostgresCluster.start();
    onTestFinished(() => cluster.stop());
    const url = await cluster.createDatabase();
    const database = new URL(url).pathname.slice(1);
    const flags = [`--storage.url=${url}`, '--web.listen-address=127.0.0.1:0'];
    const start = () => startExporter(['serve', ...flags], unreadableAccount);
    const storeId = async () =>
      cluster.query(
        database,
        "SELECT md5(bytes) FROM uptime_exporter.records WHERE name = 'store'",
      );

    const killed = start();
    await killed.until(/serving metrics/);
    const [id] = await storeId();
    killed.process.kill('SIGKILL');
    await killed.ended;

    const exporter = start();
    await exporter.until(/serving metrics/);
    expect(await storeId()).toEqual([id]);

    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain('another process uses the database');
  },
);
