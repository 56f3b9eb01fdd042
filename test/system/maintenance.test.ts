import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import { StoreError } from '../../src/store/store-error.ts';
import type { Samples } from '../support/counter-watch.ts';
import { casesOf, extent } from '../support/extent.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { countersOnly } from '../support/states-only.ts';
import { expectTheTruth } from '../support/the-truth.ts';

const minute = 60;
const hour = 60 * minute;
const known = 'uptime_exporter_maintenance_known{account="shop"}';
const operations = ['list_maintenance', 'list_occurrences'];

async function create(): Promise<RestartableExporter> {
  const limits = { shortLimit: 800, longLimit: 576_000 };
  const exporter = await RestartableExporter.create({
    checks: 4,
    transactions: 0,
    datasets: countersOnly,
    ...limits,
  });
  const { world } = exporter.sandbox;
  for (const [position, check] of world.checks.entries()) {
    const run = { from: check.created, resolutionSeconds: minute, phaseSeconds: 7 * position };
    world.registry.put({ ...check, resolutionMinutes: 1, runs: [run] });
  }
  return exporter;
}

async function running(account: Partial<AccountSettings> = {}): Promise<RestartableExporter> {
  const exporter = await create();
  await exporter.start(account);
  await exporter.pass(extent(12, 30) * minute);
  return exporter;
}

/** A window of all checks, this many seconds from now. */
function addWindow({ sandbox, now }: RestartableExporter, start: number, end: number): number {
  const uptimeids = sandbox.world.checks.map(({ id }) => id);
  return planMaintenance(sandbox.world, { from: now + start, to: now + end, uptimeids });
}

function firstCheck({ sandbox }: RestartableExporter): number {
  return sandbox.world.checks[0]?.id ?? 0;
}

function plant(exporter: RestartableExporter, start: number, end: number): void {
  const [from, to] = [exporter.now + start, exporter.now + end];
  exporter.sandbox.world.plant({ checkId: firstCheck(exporter), status: 'down', from, to });
}

function inMaintenance(samples: Samples, id: number): number {
  let total = 0;
  for (const [name, value] of samples) {
    const isIt = name.startsWith('uptime_check_maintenance_seconds_total{');
    if (isIt && name.includes(`check_id="${id}"`)) total += value;
  }
  return total;
}

function fail(exporter: RestartableExporter, kind: FaultName): void {
  for (const operation of operations) exporter.sandbox.faults.inject({ kind, operation });
}

async function countedUntil(exporter: RestartableExporter): Promise<number> {
  const samples = await exporter.scrape();
  return samples.get('uptime_exporter_counted_until_timestamp_seconds{account="shop"}') ?? 0;
}

test('a window made while the exporter was stopped is read before the time is counted', async () => {
  const exporter = await running();
  await exporter.stop();
  addWindow(exporter, 10 * minute, 50 * minute);
  plant(exporter, 20 * minute, 30 * minute);
  await exporter.pass(hour);

  await exporter.start();
  // A counter that has just begun is served as 0 for three minutes.
  await exporter.pass(5 * minute);

  const samples = await exporter.scrape();
  expect(inMaintenance(samples, firstCheck(exporter))).toBe(2_400);
  await expectTheTruth(exporter);
});

test('so is one made while the service could not be reached', async () => {
  const exporter = await running();
  const id = exporter.sandbox.faults.inject({ kind: 'status-503' });
  addWindow(exporter, 10 * minute, 50 * minute);
  plant(exporter, 20 * minute, 30 * minute);
  await exporter.pass(2 * hour);
  exporter.sandbox.faults.clear(id);

  await exporter.pass(hour);

  expect(inMaintenance(await exporter.scrape(), firstCheck(exporter))).toBe(2_400);
  await expectTheTruth(exporter);
});

test('one made two minutes before an outage is on the page with the outage', async () => {
  const exporter = await running();
  const id = firstCheck(exporter);
  for (let outage = 0; outage < extent(3, 8); outage++) {
    await exporter.pass(7 * minute + 53 * outage);
    addWindow(exporter, 30, 15 * minute);
    plant(exporter, 2 * minute, 10 * minute);
    let shown = 0;
    for (let seconds = 0; seconds < 6 * minute; seconds += 10) {
      await exporter.pass(10);
      const samples = await exporter.scrape();
      const value = (family: string) =>
        [...samples].find(
          ([name]) => name.startsWith(`${family}{`) && name.includes(`"${id}"`),
        )?.[1];
      if (value('uptime_check_up') !== 0) continue;
      shown += 1;
      expect(value('uptime_check_in_maintenance')).toBe(1);
    }
    expect(shown).toBeGreaterThan(0);
  }
  await exporter.pass(20 * minute);
  await expectTheTruth(exporter);
});

test('a window made while the disk is full silences at once, in spite of a reload, and is counted when there is room', async () => {
  const exporter = await running();
  const id = firstCheck(exporter);
  await exporter.pass(5 * minute);
  exporter.disk.failWith(new StoreError('full', 'no space left'));
  plant(exporter, 30, 40 * minute);
  await exporter.pass(5 * minute);
  const shown = async (family: string) =>
    [...(await exporter.scrape())].find(
      ([name]) => name.startsWith(`${family}{`) && name.includes(`"${id}"`),
    )?.[1];
  expect(await shown('uptime_check_outage_open')).toBe(1);

  addWindow(exporter, 0, 30 * minute);
  await exporter.pass(11 * minute);
  expect(await shown('uptime_check_in_maintenance')).toBe(1);
  expect(await shown('uptime_check_outage_open')).toBe(0);
  await exporter.reload({ digest: 'reloaded' });
  await exporter.pass(2 * minute);
  expect(await shown('uptime_check_in_maintenance')).toBe(1);
  expect(await shown('uptime_check_outage_open')).not.toBe(1);
  expect(inMaintenance(await exporter.scrape(), id)).toBe(0);

  exporter.disk.failWith(undefined);
  await exporter.pass(hour);
  expect(inMaintenance(await exporter.scrape(), id)).toBe(30 * minute);
  await expectTheTruth(exporter);
});

test('a reading that hangs delays no list for longer than 10 s', async () => {
  const exporter = await running();
  const id = firstCheck(exporter);
  await exporter.pass(3 * minute);
  fail(exporter, 'hang');
  plant(exporter, 0, 20 * minute);
  const before = exporter.sandbox.journal.countOfOperation('list_checks');

  let seconds = 0;
  let samples = await exporter.scrape();
  const isShown = () =>
    [...samples].some(
      ([name, value]) =>
        name.startsWith('uptime_check_up{') && name.includes(`"${id}"`) && value === 0,
    );
  while (!isShown() && seconds < 400) {
    await exporter.pass(1);
    seconds += 1;
    samples = await exporter.scrape();
  }

  expect(seconds).toBeLessThan(4 * minute);
  expect(exporter.sandbox.journal.countOfOperation('list_checks')).toBeGreaterThan(before);
});

test('while it fails horizons wait for an hour at most; what was missed is added when it is learnt', async () => {
  const exporter = await running();
  fail(exporter, 'status-500');
  addWindow(exporter, 20 * minute, 100 * minute);
  plant(exporter, 30 * minute, 40 * minute);
  const failedAt = exporter.now;

  await exporter.pass(50 * minute);
  expect(await countedUntil(exporter)).toBeLessThan(failedAt + 20 * minute);
  expect((await exporter.scrape()).get(known)).toBe(0);
  await exporter.pass(70 * minute);
  expect(await countedUntil(exporter)).toBeGreaterThan(exporter.now - 5 * minute);
  expect(inMaintenance(await exporter.scrape(), firstCheck(exporter))).toBe(0);
  expect(await (await request(`${exporter.url}/`)).body.text()).toContain(
    'Time is counted with the maintenance that was read at',
  );
  exporter.sandbox.faults.clear();
  await exporter.pass(hour);

  const samples = await exporter.scrape();
  expect(samples.get(known)).toBe(1);
  expect(inMaintenance(samples, firstCheck(exporter))).toBe(80 * minute);
  await expectTheTruth(exporter);
});

test('a restart before and after it is learnt late counts nothing twice', async () => {
  const exporter = await running();
  fail(exporter, 'status-500');
  addWindow(exporter, 5 * minute, 70 * minute);
  await exporter.pass(90 * minute);
  await exporter.crash();
  exporter.sandbox.faults.clear();
  await exporter.start();
  await exporter.pass(5 * minute);
  await exporter.crash();
  await exporter.start();
  await exporter.pass(20 * minute);

  expect(inMaintenance(await exporter.scrape(), firstCheck(exporter))).toBe(65 * minute);
  await expectTheTruth(exporter);
});

describe('without any to read', () => {
  const refusals: readonly FaultName[] = ['forbidden', 'unauthorized'];
  test.each(casesOf(refusals, 0))(
    'since the service responds with %s, time is counted at once',
    async (kind) => {
      const exporter = await create();
      fail(exporter, kind);
      await exporter.start();

      await exporter.pass(10 * minute);

      expect(await countedUntil(exporter)).toBeGreaterThan(exporter.now - 3 * minute);
      expect((await exporter.scrape()).get(known)).toBe(0);
      exporter.sandbox.faults.clear();
      await exporter.pass(hour);
      expect((await exporter.scrape()).get(known)).toBe(1);
    },
  );

  test('since it is switched off, time is counted at once', async () => {
    const exporter = await running({ datasets: { maintenance: { enabled: false } } });

    expect(await countedUntil(exporter)).toBeGreaterThan(exporter.now - 3 * minute);
    expect((await exporter.scrape()).get(known)).toBe(0);
    expect(exporter.sandbox.journal.countOfOperation('list_maintenance')).toBe(0);
  });
});

test('a window that is shortened, and made longer again, takes nothing back and adds nothing twice', async () => {
  const exporter = await running();
  const { maintenance } = exporter.sandbox.world;
  const id = addWindow(exporter, 5 * minute, 60 * minute);
  const begin = exporter.now + 5 * minute;
  await exporter.pass(45 * minute);
  const counted = inMaintenance(await exporter.scrape(), firstCheck(exporter));
  expect(counted).toBeGreaterThan(35 * minute);

  const occurrence = maintenance.occurrences.all.find(({ maintenanceid }) => maintenanceid === id);
  if (occurrence === undefined) throw new Error('the sandbox lost the occurrence');
  maintenance.occurrences.put({ ...occurrence, to: begin + 10 * minute });
  await exporter.pass(20 * minute);
  const shortened = inMaintenance(await exporter.scrape(), firstCheck(exporter));
  expect(shortened).toBeGreaterThanOrEqual(counted);
  maintenance.occurrences.put({ ...occurrence, to: begin + 55 * minute });
  await exporter.pass(40 * minute);

  expect(inMaintenance(await exporter.scrape(), firstCheck(exporter))).toBe(55 * minute);
  expect(exporter.watch.backsteps).toEqual([]);
});

test('a window that becomes known more than a day late is counted for the time that it covers', async () => {
  const exporter = await running();
  plant(exporter, 90 * minute, 100 * minute);
  await exporter.pass(2 * hour);
  await exporter.stop();
  await exporter.pass(24.5 * hour);
  await exporter.start();
  await exporter.pass(0.5 * hour);

  addWindow(exporter, -26 * hour, -25 * hour);
  await exporter.pass(hour);

  expect(inMaintenance(await exporter.scrape(), firstCheck(exporter))).toBe(hour);
  await expectTheTruth(exporter);
});

test.each([
  ['its window loses the check', 'replace'],
  ['its window is deleted', 'delete'],
  ['the check is removed, and returns an hour later', 'remove'],
] as const)('an occurrence that runs when %s stays maintenance until then', async (_, edit) => {
  const exporter = await create();
  const day = 24 * hour;
  const [from, to] = [exporter.now - 40 * day, exporter.now + day];
  exporter.sandbox.world.plant({ checkId: firstCheck(exporter), status: 'up', from, to });
  await exporter.start();
  await exporter.pass(12 * minute);
  const { maintenance, registry, checks } = exporter.sandbox.world;
  const id = firstCheck(exporter);
  const begin = exporter.now + 5 * minute;
  const windowId = addWindow(exporter, 5 * minute, 90 * minute);
  plant(exporter, 15 * minute, 25 * minute);
  await exporter.pass(45 * minute);
  const edited = exporter.now;
  const window = maintenance.windows.find(windowId);
  const check = checks.find((one) => one.id === id);
  if (window === undefined || check === undefined) throw new Error('the sandbox lost them');
  if (edit === 'delete') maintenance.remove(windowId);
  else {
    const uptimeids = window.uptimeids.filter((one) => one !== id);
    maintenance.replace({ ...window, uptimeids }, exporter.now);
  }
  if (edit === 'remove') {
    registry.remove(id);
    await exporter.pass(hour);
    registry.put(check);
  }
  await exporter.pass(2 * hour);

  const samples = await exporter.scrape();
  // Maintenance is read every few minutes.
  expect(inMaintenance(samples, id)).toBeGreaterThanOrEqual(edited - begin);
  expect(inMaintenance(samples, id)).toBeLessThan(edited - begin + 10 * minute);
  const ratios = [...samples].filter(
    ([name]) => /^uptime_check_error_ratio\{.*window="30d"/.test(name) && name.includes(`"${id}"`),
  );
  expect(ratios.map(([, ratio]) => ratio)).toEqual([0]);
  expect(exporter.watch.backsteps).toEqual([]);
});

describe('made while a check is down', () => {
  /** An outage that is open, and how often maintenance was asked for since it began. */
  async function down(account: Partial<AccountSettings> = {}) {
    const exporter = await running(account);
    const { journal } = exporter.sandbox;
    plant(exporter, 30, 5 * hour);
    await exporter.pass(5 * minute);
    const before = journal.countOfOperation('list_maintenance');
    return { exporter, asked: () => journal.countOfOperation('list_maintenance') - before };
  }

  async function shown(exporter: RestartableExporter, family: string) {
    const id = firstCheck(exporter);
    const samples = [...(await exporter.scrape())];
    const isIt = (name: string) => name.startsWith(`${family}{`) && name.includes(`"${id}"`);
    return samples.find(([name]) => isIt(name))?.[1];
  }

  test.each(casesOf([7, 21, 38, 59], 1))(
    'it silences within two minutes, %i minutes later',
    async (minutes) => {
      const { exporter } = await down();
      await exporter.pass(minutes * minute);
      expect(await shown(exporter, 'uptime_check_outage_open')).toBe(1);

      addWindow(exporter, 0, hour);
      await exporter.pass(2 * minute);

      expect(await shown(exporter, 'uptime_check_in_maintenance')).toBe(1);
      expect(await shown(exporter, 'uptime_check_outage_open')).toBe(0);
    },
  );

  test('its windows are asked for with each list at most, and more rarely as the outage goes on', async () => {
    const { exporter, asked } = await down();
    await exporter.pass(hour);
    const first = asked();
    await exporter.pass(3 * hour);

    expect(first).toBeGreaterThanOrEqual(45);
    expect(first).toBeLessThanOrEqual(60 + hour / (5 * minute));
    expect(asked() - first).toBeLessThan(2 * first);
  });
});
