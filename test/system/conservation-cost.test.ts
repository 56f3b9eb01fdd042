import { expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates } from '../support/service-truth.ts';
import { bookedSpan, shownOf } from '../support/shown-totals.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const watched = extent(4, 10) * hour;
const checks = 60;
const outages = extent(2, 5);

test('availability costs the check list and a few requests per outage, however many checks there are', async () => {
  const exporter = await RestartableExporter.create({
    checks,
    transactions: 0,
    shortLimit: 400,
    longLimit: 72_000,
  });
  const { world, journal } = exporter.sandbox;
  const start = exporter.now;
  const [from, to] = [start - 400 * day, start + 3 * day];
  for (const check of world.checks) {
    const resolutionSeconds = 60 * check.resolutionMinutes;
    const run = { from, resolutionSeconds, phaseSeconds: check.id % resolutionSeconds };
    world.registry.put({ ...check, runs: [run] });
    world.plant({ checkId: check.id, status: 'up', from, to });
  }
  const failing = world.checks.filter((_check, place) => place % (checks / outages) === 0);
  for (const [place, { id }] of failing.entries()) {
    const begins = start + hour + place * 1.5 * hour;
    world.plant({ checkId: id, status: 'down', from: begins, to: begins + hour });
  }

  await exporter.start();
  await exporter.pass(watched);

  const samples = await exporter.scrape();
  const { items } = await exporter.disk.load('shop');
  let counted = 0;
  for (const [id, item] of items.check) {
    const truth = checkStates(exporter.sandbox, id, bookedSpan(item), exporter.now);
    const shown = shownOf(samples, 'check', 'shop', id);
    expect({ id, ...shown }).toEqual({ id, seconds: truth.seconds, outages: truth.outages });
    counted += shown.outages;
  }
  expect(counted).toBe(outages);
  expect(journal.countOfOperation('list_checks')).toBeGreaterThan(watched / (3 * minute));
  expect(journal.countOfOperation('list_checks')).toBeLessThanOrEqual(watched / minute + 1);
  expect(journal.countOfOperation('list_outages')).toBeLessThanOrEqual(3 * outages);
  expect(journal.countOfStatus(429)).toBe(0);
});
