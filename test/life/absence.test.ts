import { expect, test } from 'vitest';
import { StoreError } from '../../src/store/store-error.ts';
import { casesOf } from '../support/extent.ts';
import { servedOnly } from '../support/served-only.ts';
import { checkStates } from '../support/service-truth.ts';
import { bookedSpan, shownOf } from '../support/shown-totals.ts';
import { countersOnly } from '../support/states-only.ts';
import { CountedChecker } from './counted-checker.ts';
import { away, down, type Life, pause, play, type Script } from './script.ts';
import { World, type WorldOptions } from './world.ts';

const minute = 60;
const hour = 60 * minute;

/** A pause of each of five checks while the exporter is away, and an outage of one of them. */
const absent: Script = {
  checks: 5,
  minutes: 240,
  datasets: countersOnly,
  events: [
    away(20, 200),
    ...[0, 1, 2, 3, 4].map((check) => pause(check, 60 + check, 60)),
    down(3, 160, 20),
  ],
};

const cases = [
  ['3.1', {}],
  ['2.1', {}],
  ['2.0', {}],
  ['3.1', { reportLagSeconds: { min: 900, max: 900 } }],
] as const;

test.each(casesOf(cases, 3))(
  'a pause while the exporter was away is counted as time that was not monitored: API %s, %o',
  async (version, wire) => {
    let life: Life | undefined;
    // Nothing tells a pause from an unknown status if reports show it as one.
    const shown = { ...wire, pausesInReports: 'absent' } as const;
    const { broken } = await play({ ...absent, version, wire: shown }, (one) => {
      life = one;
      return new CountedChecker(one);
    });
    const { world } = life as unknown as Life;

    expect(broken).toEqual([]);
    const samples = await world.scrape();
    for (const [id, item] of (await world.disk.load('shop')).items.check) {
      const { seconds } = checkStates(world.sandbox, id, bookedSpan(item), world.now);
      const shown = shownOf(samples, 'check', 'shop', id).seconds;
      const missed = seconds.unmonitored - shown.unmonitored;
      expect(seconds.unmonitored).toBeGreaterThan(50 * minute);
      expect(Math.abs(missed), `unmonitored of ${id}`).toBeLessThan(minute);
    }
  },
);

/** The service, and an exporter that reads the first check. */
function watched(options: WorldOptions = {}) {
  const wire = { pausesInReports: 'absent' } as const;
  const world = World.inMemory({
    checks: 5,
    transactions: 0,
    datasets: countersOnly,
    served: servedOnly('uptime_check_state_seconds_total', 'uptime_check_outages_total'),
    wire,
    ...options,
  });
  const id = world.sandbox.world.checks[0]?.id ?? 0;
  const setPaused = (paused: boolean) => world.change('PUT', `/checks/${id}`, { paused });
  const expectThePause = async (seconds: number) => {
    const samples = await world.scrape();
    const item = (await world.disk.load('shop')).items.check.get(id);
    if (item === undefined) throw new Error('the check is not stored');
    const truth = checkStates(world.sandbox, id, bookedSpan(item), world.now).seconds.unmonitored;
    const shown = shownOf(samples, 'check', 'shop', id).seconds.unmonitored;
    expect(truth).toBeGreaterThan(seconds - 10 * minute);
    expect(Math.abs(truth - shown)).toBeLessThan(minute);
  };
  return { world, id, setPaused, expectThePause };
}

test('a pause while the machine slept is counted, although its monotonic clock stood still', async () => {
  const { world, setPaused, expectThePause } = watched();
  const sleep = (seconds: number) => {
    for (const clock of [world.machineClock, world.serviceClock]) clock.stepWall(seconds * 1000);
  };
  await world.start();
  await world.pass(30 * minute);
  sleep(2 * hour);
  await setPaused(true);
  sleep(2 * hour);
  await setPaused(false);
  sleep(2 * hour);
  await world.pass(40 * minute);

  await expectThePause(2 * hour);
  await world.stop();
});

test('a pause in an absence is counted, although its report could not be stored at first', async () => {
  let awaited: string | undefined;
  const { world, id, setPaused, expectThePause } = watched({
    onRead: ({ operation, path }) => {
      if (operation !== 'list_outages' || path !== awaited) return;
      awaited = undefined;
      world.disk.failWith(new StoreError('full', 'no space is left on the device'));
    },
  });
  await world.start();
  await world.pass(30 * minute);
  await world.stop();
  await world.pass(hour);
  await setPaused(true);
  await world.pass(hour);
  await setPaused(false);
  await world.pass(hour);
  awaited = `summary.outage/${id}`;
  await world.start();
  while (awaited !== undefined) await world.pass(1);
  await world.pass(10);
  world.disk.failWith(undefined);
  await world.pass(40 * minute);

  await expectThePause(hour);
  await world.stop();
});

test.each([
  ['1970', (world: World) => world.machineClock.now()],
  ['the last stop', () => 3 * hour * 1000],
])(
  'a pause in an absence is counted, although the machine starts with the time of %s',
  async (_, behind) => {
    const { world, setPaused, expectThePause } = watched();
    await world.start();
    await world.pass(30 * minute);
    await world.stop();
    await world.pass(hour);
    await setPaused(true);
    await world.pass(hour);
    await setPaused(false);
    await world.pass(hour);
    const milliseconds = behind(world);
    world.machineClock.stepWall(-milliseconds);
    await world.start();
    await world.pass(10 * minute);
    world.machineClock.stepWall(milliseconds);
    await world.pass(40 * minute);

    await expectThePause(hour);
    await world.stop();
  },
);
