import { expect, test } from 'vitest';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { windowVerdict } from '../support/window-truth.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Every check is tested each minute. Half of them were down for three hours within 30 days. */
async function account(checks: number, shortLimit = 400): Promise<RestartableExporter> {
  const exporter = await RestartableExporter.create({
    checks,
    transactions: 0,
    shortLimit,
    longLimit: 180 * shortLimit,
  });
  const { world } = exporter.sandbox;
  const { now } = exporter;
  for (const [position, check] of world.checks.entries()) {
    const { id, created } = check;
    const run = { from: created, resolutionSeconds: minute, phaseSeconds: position % minute };
    world.registry.put({ ...check, resolutionMinutes: 1, runs: [run] });
    world.plant({ checkId: id, status: 'up', from: now - 60 * day, to: now + day });
    if (position % 2 === 0) continue;
    const from = now - Math.floor((0.2 + (position / checks) * 29) * day);
    world.plant({ checkId: id, status: 'down', from, to: from + 3 * hour });
  }
  expect(world.checks.every(({ created }) => created < now - 40 * day)).toBe(true);
  return exporter;
}

async function budgets(exporter: RestartableExporter): Promise<number> {
  const names = [...(await exporter.scrape()).keys()];
  return names.filter((name) => name.startsWith('uptime_check_error_budget_remaining_ratio'))
    .length;
}

function askedForThePast({ sandbox }: RestartableExporter): number {
  return sandbox.journal.recent.filter(({ operation, query }) => {
    const { from, to } = query as { readonly from?: string; readonly to?: string };
    return operation === 'list_outages' && Number(to) - Number(from) > 5 * day;
  }).length;
}

test('of 40 checks, half of which failed, every budget is right within minutes', async () => {
  const exporter = await account(40);
  await exporter.start();
  await exporter.pass(10 * minute);

  expect(await budgets(exporter)).toBe(40);
  expect(askedForThePast(exporter)).toBe(20);
  expect(exporter.sandbox.limits.reading('short').remaining).toBeGreaterThanOrEqual(80);
  const verdict = await windowVerdict(exporter, await exporter.scrape());
  expect(verdict).toEqual({ compared: 40, wrong: [] });
});

test('of an account in which half of the checks failed, every budget is right when the past was asked for', async () => {
  // Of 100 requests an hour, 20 are sustained and 20 reserved, and events may use 12. So 48 may be
  // sent at once, and 70 are needed.
  const exporter = await account(140, 100);
  const { journal, limits } = exporter.sandbox;
  const begin = exporter.now;
  await exporter.start();
  await exporter.pass(4 * minute);
  // Checks that did not fail cost no request and are right at once.
  expect(await budgets(exporter)).toBeGreaterThanOrEqual(70 + 40);
  expect(await budgets(exporter)).toBeLessThan(140);
  expect(askedForThePast(exporter)).toBeGreaterThan(40);
  expect(askedForThePast(exporter)).toBeLessThanOrEqual(53);
  const { accounts } = JSON.parse(await exporter.get('/status.json'));
  const { pasts_left: left, done } = accounts[0].first_sight;
  expect(left).toBeGreaterThan(10);
  await exporter.crash();
  await exporter.pass(5 * minute);
  await exporter.start();
  let lowest = Number.POSITIVE_INFINITY;
  while ((await budgets(exporter)) < 140 && exporter.now < begin + 9 * hour) {
    await exporter.pass(5 * minute);
    lowest = Math.min(lowest, limits.reading('short').remaining);
  }

  expect(await budgets(exporter)).toBe(140);
  expect(exporter.now - begin).toBeLessThan(8 * hour);
  // As the status had promised, to a tenth.
  expect(Math.abs(exporter.now - done)).toBeLessThan((exporter.now - begin) / 10);
  // One report for each check that failed, and at most one more for the data that the crash lost.
  expect(askedForThePast(exporter)).toBeGreaterThanOrEqual(70);
  expect(askedForThePast(exporter)).toBeLessThanOrEqual(71);
  expect(lowest).toBeGreaterThanOrEqual(20);
  expect(journal.countOfStatus(429)).toBe(0);
  // The status of checks does not wait for their past.
  expect(journal.countOfOperation('list_checks')).toBeGreaterThan((exporter.now - begin) / 600 - 5);
  const verdict = await windowVerdict(exporter, await exporter.scrape());
  expect(verdict).toEqual({ compared: 140, wrong: [] });
});

test('in the first hour, neither the past nor events make the check list late', async () => {
  const exporter = await RestartableExporter.create({
    checks: 200,
    transactions: 0,
    seed: 6,
    // A list that is refused is asked for again soon, but later than planned.
    wire: { stray401: 0, stray403: 0 },
    shortLimit: 400,
    longLimit: 72_000,
  });
  const { journal, limits } = exporter.sandbox;
  await exporter.start();
  await exporter.pass(hour - minute);

  const lists = journal.recent.filter(({ operation }) => operation === 'list_checks');
  const intervals = lists.map(({ time }, place) => time - (lists[place - 1]?.time ?? time));
  // At most 1.25 times the planned minute, and the time of some responses.
  expect(Math.max(...intervals) / 1000).toBeLessThan(75.1);
  expect(lists.length).toBeGreaterThan(45);
  expect(limits.reading('short').remaining).toBeGreaterThanOrEqual(80);
});

test('the alerts that were sent are known within minutes', async () => {
  const exporter = await account(24);
  await exporter.start();
  await exporter.pass(10 * minute);

  const stale = 'uptime_exporter_dataset_stale{account="shop",dataset="actions"}';
  expect((await exporter.scrape()).get(stale)).toBe(0);
});
