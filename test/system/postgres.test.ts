import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { PostgresCluster } from '../replicas/support/postgres-cluster.ts';
import { startExporter, unreadableAccount } from '../support/exporter-command.ts';
import { addressOf } from '../support/scaled-life.ts';
import { missing } from '../support/tools.ts';

test.skipIf(missing('initdb'))(
  'of two exporters on PostgreSQL one serves the account, and the other takes it over',
  async () => {
    const cluster = await PostgresCluster.start();
    onTestFinished(() => cluster.stop());
    const url = await cluster.createDatabase();
    const flags = [
      `--storage.url=${url}`,
      '--storage.lease-ttl=6s',
      '--web.listen-address=127.0.0.1:0',
    ];
    const start = () => startExporter(['serve', ...flags], unreadableAccount);
    const held = async (exporter: ReturnType<typeof start>) => {
      const { body } = await request(`${await addressOf(exporter)}/metrics`);
      const page = await body.text();
      return [
        /uptime_exporter_lease_held\{account="default"\} (\d)/.exec(page)?.[1],
        page.includes('uptime_up{'),
      ];
    };

    const first = start();
    await first.until(/account taken/);
    const second = start();
    expect(await held(second)).toEqual(['0', false]);
    expect(await held(first)).toEqual(['1', true]);
    expect((await request(`${await addressOf(second)}/-/ready`)).statusCode).toBe(200);

    first.process.kill('SIGKILL');
    await second.until(/account taken/);
    expect(await held(second)).toEqual(['1', true]);

    const third = start();
    await third.until(/serving metrics/);
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    await third.until(/account taken/);
    expect(await held(third)).toEqual(['1', true]);
  },
);
