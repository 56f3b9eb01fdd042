import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import type { KnownStates } from '../../src/slo/state-log.ts';
import { CountingProgress } from '../../src/state/counting-progress.ts';
import { SkewedClock } from '../support/skewed-clock.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { firstTotals, shopState } from './support/shop.ts';

const now = 1_767_225_600;
const day = 86_400;

function check(changes: Partial<Check> = {}): Check {
  const entry: Check = { id: 1, name: 'shop', type: 'http', tags: [], status: 'up' };
  return { ...entry, lastTestAtSeconds: now, ...changes };
}

/** The totals of a check that was up all day. */
function upUntil(horizonSeconds: number, resolutionSeconds?: number): KnownStates {
  const states = { startSeconds: now - day, horizonSeconds, state: 'up' } as const;
  return { states: resolutionSeconds === undefined ? states : { ...states, resolutionSeconds } };
}

function progressOf(...records: readonly (readonly [Check, horizonSeconds: number])[]) {
  return new CountingProgress(() =>
    records.map(([entry, horizonSeconds]) => ({ entry, totals: upUntil(horizonSeconds) })),
  );
}

test('an account is counted as far as each of its tested checks', () => {
  const progress = progressOf(
    [check(), now - 100],
    [check({ resolutionSeconds: 900 }), now - 400],
    [check({ status: 'unconfirmed_down' }), now - 300],
    [check({ status: 'unconfirmed_up' }), now - 350],
    [check({ status: 'paused' }), now - 5_000],
  );
  // The test after the horizon of the second one is not due yet.
  expect(progress.reach(now)).toEqual({ countedUntilSeconds: now - 400, lagSeconds: 40 });
  expect(progress.reach(now - 60)).toMatchObject({ lagSeconds: 0 });
  expect(progress.earliestHorizonSeconds(now)).toBe(now - 5_000);
});

test('an account without tested checks lags behind nothing', () => {
  const { lastTestAtSeconds: _, ...untested } = check();
  expect(progressOf([untested, now - 400]).reach(now)).toEqual({ lagSeconds: 0 });
  expect(progressOf().earliestHorizonSeconds(now)).toBe(now);
});

test('an account that is counted further is known to be', () => {
  let horizon = now - 400;
  const progress = new CountingProgress(() => [{ entry: check(), totals: upUntil(horizon) }]);
  expect(progress.reach(now).countedUntilSeconds).toBe(now - 400);
  horizon = now - 100;
  progress.counted(upUntil(now - 400), upUntil(now - 100), now, 60);
  expect(progress.reach(now).countedUntilSeconds).toBe(now - 100);
});

test('counters wait for a time that is minutes ahead', () => {
  const progress = progressOf([check(), now + 121], [check(), now - 60]);
  expect(progress.reach(now).waitsUntilSeconds).toBe(now + 121);
  expect(progress.reach(now + 1)).not.toHaveProperty('waitsUntilSeconds');
});

test.each([
  ['two planned intervals', 300, 60, 600],
  ['two tests, if these are rarer', 60, 900, 1_800],
  ['two minutes, where neither is known', undefined, undefined, 120],
])('what is counted later than %s is late', (_, interval, resolution, limit) => {
  const { late } = progressOf();
  const count = (from: number, to: number) =>
    late.counted(upUntil(now + from), upUntil(now + to, resolution), now, interval);
  count(-limit, -10);
  expect(late.seconds).toEqual({ up: 0, down: 0, unknown: 0, unmonitored: 0 });
  count(-limit - 500, -10);
  count(-limit - 500, -limit - 500);
  expect(late.seconds).toEqual({ up: 500, down: 0, unknown: 0, unmonitored: 0 });
});

test('lateness is measured with the clock of the service', async () => {
  const clock = new VirtualClock(now * 1000);
  const serviceClock = new SkewedClock(clock);
  serviceClock.stepWall(3_600_000);
  const state = shopState({ clock, serviceClock });
  state.list('check', [check()], (entry) => firstTotals(entry, now));
  const { results, analyses } = firstTotals(check(), now);
  const states = { startSeconds: now, horizonSeconds: now + 60, state: 'up' } as const;
  await state.totals.commit(() => ({ checks: new Map([[1, { states, results, analyses }]]) }));
  expect(state.counting.lateSeconds.up).toBe(60);
});
