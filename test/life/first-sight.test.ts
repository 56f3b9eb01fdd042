import { expect, test } from 'vitest';
import type { ApiVersion } from '../../src/domain/version.ts';
import { type ErrorRange, errorRanges, rangeLengths } from '../../src/slo/range-seconds.ts';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { extent } from '../support/extent.ts';
import { statesOnly } from '../support/states-only.ts';
import { secondsIn, Truth } from './truth.ts';
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
    const spans = [...truth.spans(checkId, range, world.now), held];
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

const cases = (['2.1', '3.1'] as const).flatMap((version) =>
  [50 * day, 15 * minute].map((ageSeconds) => ({ version, ageSeconds })),
);

test.each(cases)(
  'a check that goes down five minutes before first sight has no wrong ratio, and all when reports show the outage: $version, $ageSeconds s old',
  async ({ version, ageSeconds }) => {
    for (let seed = 4; seed < 4 + extent(2, 24); seed++) {
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
