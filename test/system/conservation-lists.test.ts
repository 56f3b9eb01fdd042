import { expect, test } from 'vitest';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import { accountCredentials } from '../../src/api/http/authentication.ts';
import { Secret } from '../../src/lib/secret.ts';
import type { StoredItem } from '../../src/store/store.ts';
import { casesOf, extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates } from '../support/service-truth.ts';
import { bookedSpan, shownOf } from '../support/shown-totals.ts';
import { statesOnly } from '../support/states-only.ts';

const minute = 60;
const hour = 60 * minute;

async function watched(checks = 4): Promise<RestartableExporter> {
  const exporter = await RestartableExporter.create({ checks, datasets: statesOnly });
  await exporter.start();
  await exporter.pass(extent(20 * minute, hour));
  await exporter.scrape();
  return exporter;
}

function idsOf({ sandbox }: RestartableExporter): number[] {
  return sandbox.world.checks.map(({ id }) => id);
}

/** Listed checks. The totals of a removed one are kept for some days, in case it returns. */
async function storedChecks({ disk }: RestartableExporter): Promise<[number, StoredItem][]> {
  const { items } = await disk.load('shop');
  return [...items.check]
    .filter(([, { goneAtSeconds }]) => goneAtSeconds === undefined)
    .sort(([a], [b]) => a - b);
}

async function storedIds(exporter: RestartableExporter): Promise<number[]> {
  return (await storedChecks(exporter)).map(([id]) => id);
}

async function expectTheTruth(exporter: RestartableExporter): Promise<void> {
  const samples = await exporter.scrape();
  const items = await storedChecks(exporter);
  expect(items.map(([id]) => id)).toEqual(idsOf(exporter));
  for (const [id, item] of items) {
    const { seconds, outages } = checkStates(exporter.sandbox, id, bookedSpan(item), exporter.now);
    expect({ id, ...shownOf(samples, 'check', 'shop', id) }).toEqual({ id, seconds, outages });
    expect(exporter.now - item.states.horizonSeconds).toBeLessThan(hour);
  }
}

test('a deleted check leaves the page with the next list, its totals are kept apart, the others stay', async () => {
  const exporter = await watched();
  const [gone = 0, ...left] = idsOf(exporter);
  expect(await exporter.page()).toContain(`check_id="${gone}"`);

  await exporter.change('DELETE', `/checks/${gone}`);
  await exporter.pass(2 * minute);

  const page = await exporter.page();
  expect(page).not.toContain(`check_id="${gone}"`);
  for (const id of left) expect(page).toContain(`check_id="${id}"`);
  expect(await storedIds(exporter)).toEqual(left);
  const { items } = await exporter.disk.load('shop');
  expect(items.check.get(gone)?.goneAtSeconds).toBeDefined();
  await exporter.crash();
  await exporter.start();
  expect(await exporter.page()).not.toContain(`check_id="${gone}"`);
  await expectTheTruth(exporter);
});

test('a check that is deleted while the exporter is away is removed when it is back', async () => {
  const exporter = await watched();
  const [gone = 0] = idsOf(exporter);
  await exporter.crash();
  await exporter.change('DELETE', `/checks/${gone}`);

  await exporter.start();
  expect(await exporter.page()).toContain(`check_id="${gone}"`);
  await exporter.pass(2 * minute);

  expect(await exporter.page()).not.toContain(`check_id="${gone}"`);
  await expectTheTruth(exporter);
});

const faults: readonly FaultName[] = [
  'status-500',
  'empty-body',
  'truncated-json',
  'truncated-gzip',
  'json-empty-object',
  'json-array',
  'html',
  'forbidden',
  'malformed-entries',
];
test('no faulty list deletes anything', async () => {
  const exporter = await watched();
  const ids = idsOf(exporter);

  for (const kind of casesOf(faults, 0, 2, 5)) {
    exporter.sandbox.faults.inject({ kind, operation: 'list_checks' });
    await exporter.pass(10 * minute);

    expect(await storedIds(exporter), kind).toEqual(ids);
    const samples = await exporter.scrape();
    for (const id of ids) {
      expect(shownOf(samples, 'check', 'shop', id).seconds.up, kind).toBeDefined();
    }
    exporter.sandbox.faults.clear();
    await exporter.pass(extent(10, 20) * minute);
  }
  await exporter.pass(hour);
  expect(exporter.watch.backsteps).toEqual([]);
  await expectTheTruth(exporter);
});

test('a check that is renamed and has new tags continues counting, under its new name only', async () => {
  const exporter = await watched();
  const [id = 0] = idsOf(exporter);
  const before = shownOf(await exporter.scrape(), 'check', 'shop', id).seconds.up;

  await exporter.change('PUT', `/checks/${id}`, {
    name: 'Another "name"',
    tags: ['blue', 'green'],
  });
  await exporter.pass(10 * minute);

  const page = await exporter.page();
  const series = page.split('\n').filter((line) => line.includes(`check_id="${id}"`));
  for (const line of series) expect(line).toContain('name="Another \\"name\\""');
  expect(page).toContain('tag="blue"');
  const samples = await exporter.scrape();
  expect(shownOf(samples, 'check', 'shop', id).seconds.up).toBeGreaterThan(before);
  expect(exporter.watch.backsteps).toEqual([]);
  await expectTheTruth(exporter);
});

test('two checks of one name are distinguished', async () => {
  const exporter = await watched();
  const [first = 0, second = 0] = idsOf(exporter);
  const from = exporter.now + 10 * minute;
  exporter.sandbox.world.plant({ checkId: second, status: 'down', from, to: from + hour });

  for (const id of [first, second]) await exporter.change('PUT', `/checks/${id}`, { name: 'Twin' });
  await exporter.pass(3 * hour);

  const samples = await exporter.scrape();
  expect(shownOf(samples, 'check', 'shop', first).outages).toBe(0);
  expect(shownOf(samples, 'check', 'shop', second).outages).toBe(1);
  const lines = (await exporter.page()).split('\n');
  const up = lines.filter(
    (line) => line.startsWith('uptime_check_up{') && line.includes('name="Twin"'),
  );
  expect(up).toHaveLength(2);
  await expectTheTruth(exporter);
});

test.each(casesOf(['3.1', '2.1', '2.0'] as const, 0))(
  'in API %s a pause that reports show as unknown counts as time that was not monitored',
  async (version) => {
    const exporter = await RestartableExporter.create({
      checks: 4,
      datasets: statesOnly,
      wire: { pausesInReports: 'unknown' },
    });
    const authentication = accountCredentials({
      email: 'demo@example.com',
      password: new Secret('demo'),
      appKey: new Secret('demo-app-key'),
    });
    await exporter.start(version === '3.1' ? {} : { version, authentication });
    await exporter.pass(extent(20 * minute, hour));
    const [id = 0] = idsOf(exporter);

    await exporter.change('PUT', `/checks/${id}`, { paused: true });
    const pause = extent(1, 3);
    await exporter.pass(pause * hour);
    const paused = shownOf(await exporter.scrape(), 'check', 'shop', id);
    await exporter.change('PUT', `/checks/${id}`, { paused: false });
    await exporter.pass(extent(1, 2) * hour);

    expect(paused.seconds.unmonitored).toBeGreaterThan((pause - 0.1) * hour);
    expect(paused.seconds.unknown).toBe(0);
    await expectTheTruth(exporter);
    expect(exporter.watch.backsteps).toEqual([]);
  },
);

test('a check that is paused and resumed has its pause counted as time that was not monitored', async () => {
  const exporter = await watched();
  const [id = 0] = idsOf(exporter);

  await exporter.change('PUT', `/checks/${id}`, { paused: true });
  const pause = extent(2, 5);
  await exporter.pass(pause * hour);
  const paused = shownOf(await exporter.scrape(), 'check', 'shop', id);
  await exporter.change('PUT', `/checks/${id}`, { paused: false });
  await exporter.pass(extent(1, 2) * hour);

  expect(paused.seconds.unmonitored).toBeGreaterThan((pause - 0.1) * hour);
  await expectTheTruth(exporter);
  expect(exporter.watch.backsteps).toEqual([]);
});
