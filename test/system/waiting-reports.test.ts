import { expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates } from '../support/service-truth.ts';
import { bookedSpan, shownOf } from '../support/shown-totals.ts';

const minute = 60;
const shortLimit = 400;
const failing = 100;

test('reports that lag keep within the budget, leave the reserve, and do not delay the check list', async () => {
  const exporter = await RestartableExporter.create({
    seed: 3,
    checks: extent(150, 2_000),
    transactions: 0,
    shortLimit,
    longLimit: 72_000,
    wire: { reportLagSeconds: { min: 600, max: 600 } },
  });
  const { sandbox } = exporter;
  const { journal, limits, world } = sandbox;
  await exporter.start();
  await exporter.pass(30 * minute);
  const from = exporter.now + minute;
  const down = world.checks.filter(({ runs }) => runs.at(-1)?.to === undefined).slice(0, failing);
  for (const { id } of down) {
    world.plant({ checkId: id, status: 'down', from, to: from + 20 * minute });
  }
  const lists: number[] = [];
  let [lowest, reports] = [Number.POSITIVE_INFINITY, 0];
  let before = journal.countOfOperation('list_checks');
  const hours = extent(1, 4);
  for (let minutes = 0; minutes < hours * 60; minutes++) {
    await exporter.pass(minute);
    lowest = Math.min(lowest, limits.reading('short').remaining);
    const listed = journal.countOfOperation('list_checks');
    if (listed > before) lists.push(exporter.now);
    before = listed;
    reports = journal.countOfOperation('list_outages');
  }

  expect(journal.countOfStatus(429)).toBe(0);
  expect(lowest).toBeGreaterThanOrEqual(shortLimit / 5);
  const gaps = lists.slice(1).map((at, place) => at - (lists[place] ?? at));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(5 * minute);
  // A report that is requested too early costs one request. The next request waits for the lag
  // that it showed.
  expect(reports).toBeGreaterThan(failing / 2);
  const samples = await exporter.scrape();
  const { items } = await exporter.disk.load('shop');
  for (const { id } of down) {
    const item = items.check.get(id);
    if (item === undefined) throw new Error(`check ${id} is not stored`);
    const span = bookedSpan(item);
    const truth = checkStates(sandbox, id, span, exporter.now);
    const shown = shownOf(samples, 'check', 'shop', id);
    expect({ id, down: shown.seconds.down }).toEqual({ id, down: truth.seconds.down });
  }
  process.stdout.write(`${reports} outage reports, ${lowest} requests left at least\n`);
});
