import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LabelPolicy } from '../../src/exposition/labels/label-policy.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { runBackfill } from '../backfill/support/run-backfill.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { BackfilledPrometheus } from '../support/backfilled-prometheus.ts';
import { LiveScrapes } from '../support/live-scrapes.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { missing, toolPath } from '../support/tools.ts';

const [hour, day] = [3_600, 86_400];

/** Ten days before the present. */
async function runJob(exporter: RestartableExporter): Promise<string> {
  const from = `${exporter.now - 10 * day}`;
  const { status } = await fetch(`${exporter.url}/-/backfill?from=${from}`, { method: 'POST' });
  expect(status).toBe(202);
  await untilDone(exporter);
  return from;
}

async function untilDone(exporter: RestartableExporter): Promise<void> {
  for (let turn = 0; turn < 60; turn++) {
    const text = await (await fetch(`${exporter.url}/-/backfill`)).text();
    if (text.includes('"state":"done"')) return;
    await exporter.pass(300);
  }
  throw new Error('the backfill job did not end');
}

describe.skipIf(missing('prometheus-3') || missing('promtool-3'))(
  'history for a real Prometheus 3',
  () => {
    test('leaves out a check that was renamed, one whose labels were promoted, and one that is too young, and is refused after a lost store', async () => {
      let disk: Store = new MemoryStore();
      const store: Store = {
        get id() {
          return disk.id;
        },
        accounts: () => disk.accounts(),
        load: (account) => disk.load(account),
        readMonth: (batch) => disk.readMonth(batch),
        commit: (changes) => disk.commit(changes),
        close: () => disk.close(),
      };
      let labels = new LabelPolicy({});
      const exporter = await RestartableExporter.create({
        checks: 6,
        transactions: 1,
        store,
        labels: () => labels,
      });
      const scraped = new LiveScrapes();
      const live = async (seconds: number) => {
        for (let passed = 0; passed < seconds; passed += 300) {
          await exporter.pass(300);
          scraped.add(await exporter.page(), exporter.now);
        }
      };
      const { registry, checks } = exporter.sandbox.world;
      const [renamed, promoted, ...others] = checks;
      if (renamed === undefined || promoted === undefined) throw new Error('there are no checks');
      await exporter.start();
      await live(hour);
      registry.put({ ...renamed, name: 'Another name' });
      registry.put({ ...promoted, tags: [...promoted.tags, { name: 'crew:pay', type: 'u' }] });
      await exporter.crash();
      labels = new LabelPolicy({ promote: [{ from: 'crew:*', as: 'crew' }] });
      await exporter.start();
      await live(3 * hour);
      const created = exporter.now - day;
      const young = registry.add((id) => ({ ...renamed, id, name: 'Young', created }));
      await live(hour);

      const server = await BackfilledPrometheus.create(toolPath('prometheus-3'));
      const promtool = toolPath('promtool-3');
      await server.importText(promtool, scraped.text);
      await server.start();
      const from = await runJob(exporter);
      const flags = { exporter: exporter.url, from, prometheus: server.url };
      const output = join(await temporaryFolder(), 'history');
      const target = { blocks: server.data, promtool };
      const now = exporter.now * 1_000;
      const told = await runBackfill({ ...flags, ...target, output }, { now });
      expect(told).toContain('Not written: 3 checks or transactions.');
      expect(told).toContain(`check ${renamed.id} (Another name): its labels have changed`);
      expect(told).toContain(`name was ${JSON.stringify(renamed.name)} and is "Another name"`);
      expect(told).toContain(`check ${promoted.id} (`);
      expect(told).toContain('crew was "" and is "pay"');
      expect(told).toContain(`check ${young.id} (Young): first seen too recently; can be written`);
      expect(told).toContain(`for ${others.length + 1} checks and transactions`);
      await server.stop();
      await server.start();
      const seen = `uptime_check_state_seconds_total{state="up"}[9d]`;
      const written = await server.query(seen, exporter.now - day);
      const ids = written.map((series) => series.labels.check_id);
      expect(ids.sort()).toEqual(others.map(({ id }) => `${id}`).sort());
      const verified = await runBackfill({ ...flags, verify: true, output }, { now });
      expect(verified).toContain('The server has what the service reported');

      await exporter.crash();
      disk = new MemoryStore();
      await exporter.start();
      await live(hour);
      const again = new LiveScrapes();
      again.add(await exporter.page(), exporter.now);
      await server.importText(promtool, again.text);
      await server.stop();
      await server.start();
      const fresh = { ...flags, from: await runJob(exporter), exporter: exporter.url };
      const later = { now: (exporter.now + 4 * hour) * 1_000 };
      const refused = runBackfill({ ...fresh, ...target, output: `${output}-2` }, later);
      await expect(refused).rejects.toThrow('there is no history that can be written');
    });
  },
);
