import { request } from 'undici';
import { expect, test } from 'vitest';
import type { Samples } from '../support/counter-watch.ts';
import { casesOf } from '../support/extent.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { RestartableExporter, type RestartableOptions } from '../support/restartable-exporter.ts';
import { countersOnly, statesOnly } from '../support/states-only.ts';
import { expectTheTruth } from '../support/the-truth.ts';

const minute = 60;
const hour = 60 * minute;

/** An account with outages, a pause and maintenance, on a machine whose clock is wrong. */
async function start(
  wrongSeconds: number,
  options: RestartableOptions = {},
): Promise<RestartableExporter> {
  const exporter = await RestartableExporter.create({
    checks: 6,
    transactions: 2,
    datasets: countersOnly,
    ...options,
  });
  const { world } = exporter.sandbox;
  for (const [position, check] of world.checks.entries()) {
    for (const begin of [20, 95]) {
      const from = exporter.now + minute * (begin + 7 * position);
      world.plant({ checkId: check.id, status: 'down', from, to: from + 13 * minute });
    }
  }
  const [from, to] = [exporter.now + 60 * minute, exporter.now + 130 * minute];
  const uptimeids = world.checks.slice(0, 2).map(({ id }) => id);
  planMaintenance(world, { from, to, uptimeids });
  exporter.machineClock.stepWall(wrongSeconds * 1000);
  await exporter.start();
  return exporter;
}

function totals(samples: Samples): Record<string, number> {
  const counters = [...samples].filter(([name]) =>
    /^uptime_(check|transaction|alerts)_\w+_(total|count)\{/.test(name),
  );
  return Object.fromEntries(counters);
}

async function hoursWatched(
  exporter: RestartableExporter,
  meanwhile: (passedMinutes: number) => Promise<void> = async () => {},
): Promise<Record<string, number>> {
  for (let passed = 0; passed < 150; passed += 10) {
    await meanwhile(passed);
    await exporter.pass(10 * minute);
    await exporter.scrape();
  }
  await exporter.pass(hour);
  return totals(await exporter.scrape());
}

let right: Promise<Record<string, number>> | undefined;
function rightTotals(): Promise<Record<string, number>> {
  right ??= start(0).then((exporter) => hoursWatched(exporter));
  return right;
}

async function pageOf(exporter: RestartableExporter): Promise<{ page: string; off: unknown }> {
  const page = await (await request(`${exporter.url}/`)).body.text();
  const json = (await (await request(`${exporter.url}/status.json`)).body.json()) as {
    accounts: readonly { clock_is_off: boolean; clock_offset_seconds: number }[];
  };
  return { page, off: json.accounts[0] };
}

const clocks: readonly [string, number][] = [
  ['20 minutes slow', -20 * minute],
  ['10 minutes fast', 10 * minute],
  ['a day fast', 24 * hour],
];
test.each(casesOf(clocks, 0))(
  'a clock that is %s counts the same as a right one, and is reported',
  async (_how, wrong) => {
    const exporter = await start(wrong);

    const counted = await hoursWatched(exporter);

    expect(counted).toEqual(await rightTotals());
    await expectTheTruth(exporter);
    const { page, off } = await pageOf(exporter);
    expect(page).toContain(`${wrong < 0 ? 'behind' : 'ahead of'} the service’s.`);
    expect(off).toMatchObject({ clock_is_off: true, clock_offset_seconds: -wrong });
    expect(
      (await exporter.scrape()).get('uptime_exporter_api_clock_offset_seconds{account="shop"}'),
    ).toBe(-wrong);
    expect(exporter.log.join('').match(/level=warn msg="local clock differs/g)).toHaveLength(1);
  },
);

test('a clock that steps to and fro counts the same', async () => {
  const exporter = await start(0);

  const counted = await hoursWatched(exporter, async (passed) => {
    const step = [20 * minute, -hour, 40 * minute, -10 * minute, 10 * minute][(passed / 10) % 5];
    exporter.machineClock.stepWall((step ?? 0) * 1000);
  });

  expect(counted).toEqual(await rightTotals());
  await expectTheTruth(exporter);
});

test('restarts on a machine whose clock is wrong lose and shift nothing', async () => {
  const exporter = await start(-20 * minute);

  await hoursWatched(exporter, async (passed) => {
    if (passed % 50 !== 40) return;
    await exporter.stop();
    exporter.machineClock.stepWall(7 * minute * 1000);
    await exporter.pass(11 * minute);
    await exporter.start();
  });

  await expectTheTruth(exporter);
});

test('with a service whose time runs 30 times as fast every counter is right', async () => {
  const exporter = await start(0, { timeScale: 30 });

  for (let passed = 0; passed < 30; passed++) {
    await exporter.pass(minute);
    await exporter.scrape();
  }

  // Results are read every ten minutes, which are five hours of the service.
  await expectTheTruth(exporter, 6 * hour);
  expect((await exporter.scrape()).get('uptime_up{account="shop"}')).toBe(1);
});

test('a right clock is no warning', async () => {
  const exporter = await start(0);
  await exporter.pass(10 * minute);

  const { page, off } = await pageOf(exporter);

  expect(page).not.toContain('The clock of this machine');
  expect(off).toMatchObject({ clock_is_off: false });
});

const restartedClocks: readonly [string, number][] = [
  ['is 40 minutes fast', 40 * minute],
  ['is an hour slow', -hour],
  ['is right', 0],
];
test.each(casesOf(restartedClocks, 0))(
  'after a restart on a machine whose clock %s, ratios end where they ended, and go on from there',
  async (_how, wrong) => {
    const exporter = await RestartableExporter.create({
      checks: 8,
      transactions: 0,
      datasets: statesOnly,
      // The next test is an hour later, and ratios wait for it after an unconfirmed recovery.
      wire: { recoveries: 'up' },
    });
    const { world, faults } = exporter.sandbox;
    const begin = exporter.now;
    for (const check of world.checks) {
      const runs = [
        { from: check.created, resolutionSeconds: hour, phaseSeconds: (begin + 300) % hour },
      ];
      world.registry.put({ ...check, resolutionMinutes: 60, runs });
      world.plant({ checkId: check.id, status: 'down', from: begin, to: begin + 2.5 * hour });
    }
    await exporter.start();
    // Up again for 15 minutes, until the test that is due in three quarters of an hour.
    await exporter.pass(3 * hour + 20 * minute + 50);
    const before = ratiosOf(await exporter.scrape());
    await exporter.stop();
    const fault = faults.inject({ kind: 'reset-before-headers' });
    exporter.machineClock.stepWall(wrong * 1000);
    await exporter.start();

    expect(before.size).toBeGreaterThan(20);
    expect(ratiosOf(await exporter.scrape())).toEqual(before);
    faults.clear(fault);
    let earlier = before;
    for (let passed = 0; passed < 5 * minute; passed += 10) {
      await exporter.pass(10);
      const ratios = ratiosOf(await exporter.scrape());
      for (const [name, ratio] of ratios) {
        // The outage is over, so a ratio only falls while its range goes on.
        expect(ratio, name).toBeLessThanOrEqual(earlier.get(name) ?? 1);
      }
      earlier = ratios;
    }
    expect(earlier).not.toEqual(before);
  },
);

function ratiosOf(samples: Samples): ReadonlyMap<string, number> {
  return new Map([...samples].filter(([name]) => name.startsWith('uptime_check_error_ratio')));
}
