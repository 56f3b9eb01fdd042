import { describe, expect, test } from 'vitest';
import { casesOf, extent } from '../support/extent.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { countersOnly } from '../support/states-only.ts';
import { expectTheTruth } from '../support/the-truth.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Checks that are tested every minute and fail about every hour. Some are in maintenance. */
async function startUnruly(): Promise<RestartableExporter> {
  const exporter = await RestartableExporter.create({
    checks: 6,
    transactions: 2,
    datasets: countersOnly,
    shortLimit: 800,
    longLimit: 576_000,
  });
  const { world } = exporter.sandbox;
  const end = exporter.now + day;
  for (const [position, check] of world.checks.entries()) {
    const run = { from: check.created, resolutionSeconds: minute, phaseSeconds: 7 * position };
    world.registry.put({ ...check, resolutionMinutes: 1, runs: [run] });
    const period = hour + 500 * position;
    for (let from = exporter.now + minute * (20 + 9 * position); from < end; from += period) {
      world.plant({ checkId: check.id, status: 'down', from, to: from + 11 * minute });
    }
  }
  const uptimeids = world.checks.slice(0, 2).map(({ id }) => id);
  for (const [start, stop] of [
    [30, 100],
    [90, 200],
    [240, 600],
  ] as const) {
    const [from, to] = [exporter.now + start * minute, exporter.now + stop * minute];
    planMaintenance(world, { from, to, uptimeids });
  }
  await exporter.start();
  return exporter;
}

/**
 * An outage of every check with its results, and a share of everything else. More in one minute is
 * a burst.
 */
const mostInAMinute = 40;

/**
 * Advances the clock. Returns the largest number of requests that reached the sandbox within a
 * minute.
 */
async function busiestMinute(exporter: RestartableExporter, minutes: number): Promise<number> {
  let most = 0;
  for (let passed = 0; passed < minutes; passed++) {
    const before = exporter.sandbox.journal.total;
    await exporter.pass(minute);
    await exporter.scrape();
    most = Math.max(most, exporter.sandbox.journal.total - before);
  }
  return most;
}

describe('a machine that sleeps for a night', () => {
  const machines: readonly [string, (exporter: RestartableExporter) => void][] = [
    ['stands still', (exporter: RestartableExporter) => exporter.clock.stepWall(9 * hour * 1000)],
    ['goes on', (exporter: RestartableExporter) => exporter.clock.suspend(9 * hour * 1000)],
  ];
  test.each(casesOf(machines, 1))(
    'while its monotonic clock %s: no burst when it wakes, and the night is counted',
    async (_how, sleep) => {
      const exporter = await startUnruly();
      await busiestMinute(exporter, extent(30, 60));

      sleep(exporter);

      expect(await busiestMinute(exporter, 60)).toBeLessThan(mostInAMinute);
      expect(exporter.sandbox.journal.countOfStatus(429)).toBe(0);
      await exporter.pass(hour);
      await expectTheTruth(exporter);
    },
  );
});
