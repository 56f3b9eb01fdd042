import { expect, test } from 'vitest';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;
const hour = 60 * minute;

/** The number of analyses of a check since a time: in the service, and on the page. */
async function analysesOf(exporter: RestartableExporter, id: number, since: number) {
  const { world, history } = exporter.sandbox;
  const check = world.check(id);
  if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
  const outages = [...history.outages(check, since, exporter.now)];
  const samples = await exporter.scrape();
  const shown = samples.get(`uptime_check_analyses_total{account="shop",check_id="${id}"}`);
  return { atService: outages.filter(({ start }) => start > since).length, shown };
}

test.each(casesOf([0, 600, 4 * hour], 0, 1))(
  'every outage that the list pins down is counted with its analysis, %i seconds late',
  async (analysisDelaySeconds) => {
    const exporter = await RestartableExporter.create({
      checks: 1,
      transactions: 0,
      wire: { analysisDelaySeconds },
    });
    const [check] = exporter.sandbox.world.checks;
    const id = check?.id ?? 0;
    const start = exporter.now;
    const plant = (status: 'up' | 'down', from: number, seconds: number) =>
      exporter.sandbox.world.plant({ checkId: id, status, from, to: from + seconds });
    plant('up', start - hour, 48 * hour);
    for (const after of [0.5, 1, 1.5]) plant('down', start + after * hour, 10 * minute);
    await exporter.start();
    await exporter.pass(1.25 * hour);
    await exporter.crash();
    await exporter.start();
    await exporter.pass(Math.max(1.5 * hour, 3.5 * analysisDelaySeconds));

    const { atService, shown } = await analysesOf(exporter, id, start);
    expect(atService).toBe(3);
    expect(shown).toBe(3);
    // Three outages, each with its delay, and no more requests than the doubling waits allow.
    const requests = exporter.sandbox.journal.countOfOperation('list_analyses');
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThan(30);
    expect(exporter.watch.backsteps).toEqual([]);
  },
);

test('an analysis that appeared while the exporter was away for days is counted soon after its return', async () => {
  const exporter = await RestartableExporter.create({
    ...{ checks: 1, transactions: 0, wire: { analysisDelaySeconds: 2 * hour } },
  });
  const [check] = exporter.sandbox.world.checks;
  const id = check?.id ?? 0;
  const start = exporter.now;
  const plant = (status: 'up' | 'down', from: number, to: number) =>
    exporter.sandbox.world.plant({ checkId: id, status, from, to });
  plant('up', start - hour, start + 96 * hour);
  plant('down', start + 0.5 * hour, start + 0.5 * hour + 10 * minute);
  await exporter.start();
  await exporter.pass(hour);
  expect(await analysesOf(exporter, id, start)).toEqual({ atService: 1, shown: 0 });
  await exporter.crash();
  await exporter.pass(72 * hour);
  await exporter.start();
  await exporter.pass(0.5 * hour);

  expect(await analysesOf(exporter, id, start)).toEqual({ atService: 1, shown: 1 });
});
