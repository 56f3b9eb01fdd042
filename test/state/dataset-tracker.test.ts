import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { DatasetTrackers, type MaxStaleness } from '../../src/state/dataset-tracker.ts';
import { SkewedClock } from '../support/skewed-clock.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const startSeconds = 1_767_225_600;

/** The service's clock is two minutes ahead; this machine's may step. */
function tracked(maxStaleness?: MaxStaleness) {
  const time = new VirtualClock(startSeconds * 1000);
  const clock = new SkewedClock(time);
  const serviceClock = new SkewedClock(time);
  serviceClock.stepWall(120_000);
  const trackers = new DatasetTrackers({ clock, serviceClock }, maxStaleness);
  return { trackers, clock, serviceClock, pass: (seconds: number) => time.advance(seconds * 1000) };
}

function timeout() {
  return new ApiError({ reason: 'timeout', operation: 'get_credits', message: 'too slow' });
}

test('a success is dated by both clocks, also after a restart', () => {
  const { trackers } = tracked();
  trackers.planned(new Map([['credits', 600]]));
  trackers.of('credits').succeeded(7);
  expect(trackers.serviceAtSeconds('credits')).toBe(startSeconds + 120);
  expect(trackers.statuses().credits).toEqual({
    stale: false,
    intervalSeconds: 600,
    lastAttemptAtSeconds: startSeconds,
    lastSuccessAtSeconds: startSeconds,
    items: 7,
  });

  const after = tracked().trackers;
  after.restore(trackers.successes());
  expect(after.successes()).toEqual(trackers.successes());
  expect(after.serviceAtSeconds('credits')).toBe(startSeconds + 120);
  expect(after.of('credits').hasEnded).toBe(false);
  expect(after.isUnread('credits')).toBe(false);
});

test('a list with entries that cannot be decoded is incomplete until the next one', () => {
  const { trackers } = tracked();
  trackers.of('checks').succeeded(7, true);
  expect(trackers.statuses().checks.isIncomplete).toBe(true);
  trackers.of('checks').known(7);
  expect(trackers.statuses().checks.isIncomplete).toBeUndefined();
});

describe('data are too old to be shown', () => {
  test.each([
    ['after five minutes', {}, 60, 300],
    ['after three planned intervals, if these are longer', {}, 600, 1_800],
    ['after a time of their own', { credits: 40 }, 600, 40],
  ])('%s', async (_, maxStaleness, interval, limit) => {
    const { trackers, pass } = tracked(maxStaleness);
    trackers.planned(new Map([['credits', interval]]));
    expect(trackers.of('credits').isStale).toBe(true);
    trackers.of('credits').succeeded(7);
    await pass(limit);
    expect(trackers.of('credits').isStale).toBe(false);
    await pass(1);
    expect(trackers.of('credits').isStale).toBe(true);
    expect(trackers.freshSince('credits')).toBe(1000);
  });

  test('by default where they were never asked for', async () => {
    const { trackers, pass } = tracked();
    await pass(301);
    expect(trackers.freshSince('credits')).toBe(1000);
    expect(Object.keys(trackers.statuses())).toEqual(['checks']);
  });

  test('by the time that has passed, wherever the clock steps to', async () => {
    const { trackers, clock, pass } = tracked();
    trackers.of('credits').succeeded(7);
    clock.stepWall(-86_400_000);
    await pass(30);
    expect(trackers.of('credits').ageSeconds).toBe(30);
  });

  test('by the wall clocks, if both say that time has passed', () => {
    const { trackers, clock, serviceClock } = tracked();
    expect(trackers.of('credits').wallAgeSeconds).toBe(0);
    trackers.of('credits').succeeded(7);
    clock.stepWall(7_200_000);
    expect(trackers.of('credits').wallAgeSeconds).toBe(0);
    serviceClock.stepWall(3_600_000);
    expect(trackers.of('credits').wallAgeSeconds).toBe(3_600);
    clock.stepWall(-14_400_000);
    expect(trackers.of('credits').wallAgeSeconds).toBe(0);
  });

  test('by the clock of the service alone, if they were restored', () => {
    const { trackers, clock, serviceClock } = tracked();
    const stored = { atSeconds: startSeconds, items: 7 };
    trackers.restore([
      { name: 'credits', ...stored, serviceAtSeconds: startSeconds + 120 },
      { name: 'probes', ...stored },
    ]);
    clock.stepWall(1_000 * (60 - startSeconds));
    serviceClock.stepWall(3_600_000);
    expect(trackers.of('credits').wallAgeSeconds).toBe(3_600);
    expect(trackers.of('probes').wallAgeSeconds).toBe(0);
    serviceClock.stepWall(-7_200_000);
    expect(trackers.of('credits').wallAgeSeconds).toBe(0);
  });

  test('with the age that they had before a restart, and none in the future', () => {
    const { trackers } = tracked();
    trackers.restore([
      { name: 'credits', atSeconds: startSeconds - 90, items: 7 },
      { name: 'probes', atSeconds: startSeconds + 90, items: 7 },
    ]);
    expect(trackers.of('credits').ageSeconds).toBe(90);
    expect(trackers.of('probes').ageSeconds).toBe(0);
  });
});

test('a failure lasts from its first attempt until a success', async () => {
  const { trackers, pass } = tracked();
  const failure = () => trackers.of('credits').failure;
  trackers.failed('credits', timeout());
  await pass(60);
  trackers.failed('credits', timeout());
  await pass(3_600);
  // Nothing was asked for, so the service may fail still, but the data are the newest.
  trackers.of('credits').known(7);
  expect(trackers.of('credits').isStale).toBe(false);
  expect(failure()).toEqual({
    reason: 'timeout',
    message: 'get_credits: too slow',
    sinceSeconds: startSeconds,
    consecutive: 2,
  });
  trackers.of('credits').succeeded(7);
  expect(failure()).toBeUndefined();
});

test('a dataset without a plan is not tracked, except the check list', () => {
  const { trackers } = tracked();
  trackers.of('credits').succeeded(7);
  trackers.planned(new Map([['probes', 60]]));
  expect(Object.keys(trackers.statuses()).sort()).toEqual(['checks', 'probes']);
  expect(trackers.successes()).toEqual([]);
  expect(trackers.stale()).toBe('checks probes ');
});
