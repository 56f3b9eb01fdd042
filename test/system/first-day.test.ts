import { expect, test } from 'vitest';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { windowVerdict } from '../support/window-truth.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

test('of an account in which half of the checks failed, every budget is right when the past was asked for', async () => {
  const exporter = await RestartableExporter.create({
    ...{ checks: 16, transactions: 0 },
    ...{ shortLimit: 400, longLimit: 72_000 },
  });
  const { world, journal, limits } = exporter.sandbox;
  const { now } = exporter;
  for (const [position, { id }] of world.checks.entries()) {
    world.plant({ checkId: id, status: 'up', from: now - 60 * day, to: now + day });
    if (position % 2 === 0) continue;
    const from = now - Math.floor((0.2 + (position / 16) * 29) * day);
    world.plant({ checkId: id, status: 'down', from, to: from + 3 * hour });
  }
  const budgets = async () =>
    [...(await exporter.scrape()).keys()].filter((sample) =>
      sample.startsWith('uptime_check_error_budget_remaining_ratio'),
    ).length;
  const askedForThePast = () =>
    journal.recent.filter(({ operation, query }) => {
      const { from, to } = query as { readonly from?: string; readonly to?: string };
      return operation === 'list_outages' && Number(to) - Number(from) > 5 * day;
    }).length;
  const created = world.checks.filter((check) => check.created < now - 40 * day).length;

  await exporter.start();
  await exporter.pass(4 * minute);
  // Those that did not fail cost nothing and are right at once.
  expect(await budgets()).toBeGreaterThanOrEqual(8);
  expect(await budgets()).toBeLessThan(16);
  let lowest = Number.POSITIVE_INFINITY;
  for (let passed = 0; passed < 20 && askedForThePast() < 3; passed++) await exporter.pass(minute);
  await exporter.crash();
  await exporter.pass(hour);
  await exporter.start();
  for (let passed = 0; passed < 120 && (await budgets()) < 16; passed++) {
    await exporter.pass(5 * minute);
    lowest = Math.min(lowest, limits.reading('short').remaining);
  }

  expect(await budgets()).toBe(16);
  expect(created).toBe(16);
  // One report for each that failed, and one more at most for what the crash took away.
  expect(askedForThePast()).toBeGreaterThanOrEqual(8);
  expect(askedForThePast()).toBeLessThanOrEqual(9);
  expect(lowest).toBeGreaterThanOrEqual(80);
  expect(journal.countOfStatus(429)).toBe(0);
  const verdict = await windowVerdict(exporter, await exporter.scrape());
  expect(verdict).toEqual({ compared: 16, wrong: [] });
});
