import { describe, expect, test } from 'vitest';
import type { ApiVersion } from '../../src/domain/version.ts';
import { type ErrorRange, errorRanges, rangeLengths } from '../../src/slo/range-seconds.ts';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { casesOf, extent } from '../support/extent.ts';
import { servedOnly } from '../support/served-only.ts';
import { statesOnly } from '../support/states-only.ts';
import { type Range, type Span, secondsIn, Truth } from './truth.ts';
import { World, type WorldOptions } from './world.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

interface PastCheck {
  readonly ageSeconds: number;
  readonly resolutionMinutes?: number;
  /** Seconds before first sight. */
  readonly downFrom: number;
  readonly downTo: number;
}

/** A world whose first check has this past. Other checks of the account are always up or paused. */
function worldWith(version: ApiVersion, past: PastCheck, options: WorldOptions = {}) {
  const { ageSeconds, resolutionMinutes = 1, downFrom, downTo } = past;
  const world = World.inMemory({
    checks: 3,
    transactions: 0,
    datasets: statesOnly,
    served: servedOnly('uptime_check_error_ratio'),
    account: accountsByVersion[version],
    ...options,
  });
  const { now, sandbox } = world;
  const { maintenance, checks, registry } = sandbox.world;
  for (const window of maintenance.windows.all) maintenance.remove(window.id);
  const [check] = checks;
  if (check === undefined) throw new Error('the account has no check');
  const { id: checkId } = check;
  const created = now - ageSeconds;
  const run = { from: created, resolutionSeconds: resolutionMinutes * minute, phaseSeconds: 17 };
  registry.put({ ...check, created, resolutionMinutes, runs: [run] });
  sandbox.world.plant({ checkId, status: 'up', from: created, to: now + day });
  sandbox.world.plant({ checkId, status: 'down', from: now - downFrom, to: now - downTo });
  const shown = async () => {
    const samples = await world.scrape();
    const known = errorRanges.map((window): [ErrorRange, number | undefined] => [
      window,
      samples.get(
        `uptime_check_error_ratio{account="shop",check_id="${checkId}",window="${window}"}`,
      ),
    ]);
    return new Map(known.filter(([, ratio]) => ratio !== undefined));
  };
  const item = async () => (await world.disk.load('shop')).items.check.get(checkId);
  const truth = new Truth(sandbox);
  /** The windows whose ratio is not that of the service, at any end that the page may have. */
  const wrong = async () => {
    const ratios = await shown();
    const { horizonSeconds = 0, state = 'up' } = (await item())?.states ?? {};
    const latest = Math.min(world.now, horizonSeconds + resolutionMinutes * minute);
    const range = { from: latest - 31 * day, to: horizonSeconds };
    // The state of the last known test lasts until the next one is due.
    const held = { state, from: horizonSeconds, to: latest };
    const known = truth.spans(checkId, range, world.now);
    const { givenUp = [] } = (await item())?.log ?? {};
    const unread = givenUp.map(({ fromSeconds, toSeconds }) => ({
      from: fromSeconds,
      to: toSeconds,
    }));
    const spans = [...without(known, unread), held];
    return [...ratios].flatMap(([window, ratio = 0]) => {
      const possible = [horizonSeconds, latest].map((to) => {
        const from = Math.max(created, to - rangeLengths[window]);
        const { up, down } = secondsIn(spans, { from, to });
        return down / (up + down);
      });
      const isRight =
        ratio >= Math.min(...possible) - 1e-9 && ratio <= Math.max(...possible) + 1e-9;
      return isRight ? [] : [`${window}: ${ratio}, not ${possible.join(' to ')}`];
    });
  };
  return { world, checkId, created, shown, wrong, item };
}

const isDownNow = { downFrom: 5 * minute, downTo: -10 * minute };

function without(spans: readonly Span[], ranges: readonly Range[]): readonly Span[] {
  return ranges.reduce<readonly Span[]>(
    (left, { from, to }) =>
      left.flatMap((span) =>
        [
          { ...span, to: Math.min(span.to, from) },
          { ...span, from: Math.max(span.from, to) },
        ].filter((part) => part.from < part.to),
      ),
    spans,
  );
}

const cases = (['2.1', '3.1'] as const).flatMap((version) =>
  [50 * day, 15 * minute].map((ageSeconds) => ({ version, ageSeconds })),
);

test.each(casesOf(cases, 0, 3))(
  'a check that goes down five minutes before first sight has no wrong ratio, and all when reports show the outage: $version, $ageSeconds s old',
  async ({ version, ageSeconds }) => {
    for (let seed = 4; seed < 4 + extent(1, 12); seed++) {
      const { world, shown, wrong } = worldWith(version, { ageSeconds, ...isDownNow }, { seed });
      const { max } = world.sandbox.world.wire.reportLagSeconds;
      const begin = world.now;
      await world.start();
      let knownAfter: number | undefined;
      for (let passed = 0; passed < hour; passed += 2 * minute) {
        await world.pass(passed === 0 ? 20 : 2 * minute);
        if ((await shown()).has('30d')) knownAfter ??= world.now - begin;
        if (passed % (10 * minute) === 0 || knownAfter === world.now - begin) {
          expect({ seed, passed, wrong: await wrong() }).toEqual({ seed, passed, wrong: [] });
        }
      }
      expect(knownAfter).toBeLessThan(2 * max + 8 * minute);
      await world.stop();
    }
  },
);

test('the status says that a past is not read whose dataset is switched off', async () => {
  const past = { ageSeconds: 60 * day, downFrom: 3 * day, downTo: 2 * day };
  const datasets = { ...statesOnly, history: { enabled: false } };
  const { world } = worldWith('3.1', past, { datasets });
  await world.start();
  await world.pass(2 * minute);

  const { accounts } = JSON.parse(await world.get('/status.json'));
  expect(accounts).toMatchObject([{ first_sight: { is_read: false } }]);
  await world.stop();
});

test('the list after first sight proves for nothing that a check was up since its report ended', async () => {
  const past = { ageSeconds: 50 * day, downFrom: 2 * hour, downTo: 1 * hour };
  const wire = { reportLagSeconds: { min: 600, max: 600 }, listLagSeconds: { min: 0, max: 0 } };
  const { world, checkId, shown, wrong } = worldWith('3.1', past, { wire });
  await world.start();
  await world.pass(3 * minute);

  expect(await wrong()).toEqual([]);
  expect((await shown()).size).toBe(errorRanges.length);
  await world.pass(hour);
  const ofCheck = world.sandbox.journal.recent.filter(
    ({ operation, path }) => operation === 'list_outages' && path.endsWith(`/${checkId}`),
  );
  expect(ofCheck).toHaveLength(1);
  await world.stop();
});

test('the past is known where the service rejects reports of more than 31 days', async () => {
  const past = { ageSeconds: 50 * day, downFrom: 34 * day, downTo: 33 * day };
  const { world, shown, wrong, item } = worldWith('3.1', past, { wire: { statesSpan: '31-days' } });
  await world.start();
  await world.pass(hour);

  expect(await wrong()).toEqual([]);
  expect((await shown()).has('30d')).toBe(true);
  expect((await item())?.log?.changes.states).toEqual(['up', 'down', 'up']);
  await world.stop();
});

const hollow = [
  { fault: 'no-states', outage: 'for ten minutes', downFrom: 10 * minute, downTo: -5 * minute },
  { fault: 'no-states', outage: 'an hour ago', downFrom: hour, downTo: 55 * minute },
  { fault: 'down-states-only', outage: 'for ten minutes', downFrom: 10 * minute, downTo: -hour },
  { fault: 'down-states-only', outage: 'an hour ago', downFrom: hour, downTo: 55 * minute },
] as const;

describe.each(casesOf(hollow, 3))(
  'with reports of $fault and an outage $outage',
  ({ fault, ...past }) => {
    const spoilt = async (seed: number) => {
      const limits = { shortLimit: 20, longLimit: 14_400 };
      const known = worldWith('3.1', { ageSeconds: 50 * day, ...past }, { seed, ...limits });
      const { faults } = known.world.sandbox;
      faults.inject({ kind: fault, operation: 'list_outages' });
      await known.world.start();
      return { ...known, faults };
    };

    test('no ratio is shown that reaches into time without tests, and the listed outage stays', async () => {
      const { world, checkId, shown, wrong, item } = await spoilt(5);
      const start = world.now - past.downFrom;
      for (let hours = 0; hours < 27; hours++) {
        await world.pass(hours === 0 ? 5 * minute : hour);
        expect({ hours, wrong: await wrong() }).toEqual({ hours, wrong: [] });
        if (hours < 23) expect((await shown()).has('30d')).toBe(false);
        const outages = JSON.parse(await world.get('/outages.json?from=0')) as readonly {
          readonly checkId: number;
          readonly time: number;
        }[];
        const times = outages.filter((one) => one.checkId === checkId).map(({ time }) => time);
        expect(times.filter((time) => Math.abs(time / 1000 - start) <= minute)).toHaveLength(1);
      }
      const { givenUp = [] } = (await item())?.log ?? {};
      expect(givenUp.length).toBeGreaterThan(0);
      const { recent } = world.sandbox.journal;
      const requests = recent.filter(({ path }) => path.endsWith(`summary.outage/${checkId}`));
      expect(requests.length).toBeLessThan(25);
      expect((await shown()).get('30d')).toBeLessThan(0.1);
      await world.stop();
    });

    test('all is known when reports are whole again', async () => {
      const { world, shown, wrong, faults, item } = await spoilt(6);
      await world.pass(20 * minute);
      faults.clear();
      await world.pass(hour);

      expect(await wrong()).toEqual([]);
      expect((await shown()).size).toBe(errorRanges.length);
      expect((await item())?.log?.tail).toBeUndefined();
      await world.stop();
    });
  },
);

describe.each(['absent', 'unknown'] as const)(
  'with pauses that reports have as %s',
  (pausesInReports) => {
    const startMilliseconds = Date.parse('2026-11-28T03:17:00Z');

    /** The first check of a world that is paused from so many seconds before first sight on. */
    function paused(ageSeconds: number, pausedFor: number, downFrom: number) {
      const past = { ageSeconds, downFrom, downTo: downFrom - 10 * minute };
      const wire = { pausesInReports };
      const known = worldWith('3.1', past, { startMilliseconds, wire });
      const { world, checkId, created } = known;
      const { registry } = world.sandbox.world;
      const check = world.sandbox.world.check(checkId);
      if (check === undefined) throw new Error('the check is gone');
      const runs = check.runs.map((run) => ({ ...run, to: world.now - pausedFor }));
      registry.put({ ...check, created, runs });
      return known;
    }

    test('a check that was paused years ago was not monitored in a month that is read', async () => {
      const { world, checkId } = paused(8 * 365 * day, 7 * 365 * day, 7 * 365 * day + day);
      await world.start();
      await world.pass(10 * minute);
      await world.post('/-/backfill?from=2026-10-01');
      await world.pass(hour);
      const report = await world.get('/report.txt?month=2026-10');
      const { name } = world.sandbox.world.check(checkId) ?? {};

      expect(report).toContain(`${name}: not tested, objective 99.9 %, 31 d not monitored`);
      await world.stop();
    });

    test('the ratios of a check that failed and was then paused are known at once, and right', async () => {
      const { world, shown, wrong, item } = paused(50 * day, 10 * day, 12 * day);
      await world.start();
      await world.pass(3 * minute);

      expect(await wrong()).toEqual([]);
      expect((await shown()).has('30d')).toBe(true);
      const { changes } = (await item())?.log ?? {};
      expect(changes?.states).toEqual(['up', 'down', 'up', 'unmonitored']);
      await world.stop();
    });
  },
);
