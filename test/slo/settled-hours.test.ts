import { expect, test } from 'vitest';
import type { PerformanceInterval } from '../../src/domain/averages.ts';
import { isLastHour, lastHour, settledHours } from '../../src/slo/settled-hours.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog, type KnownStates } from '../../src/slo/state-log.ts';

const minute = 60;
const hour = 60 * minute;
const start = 1_767_225_600;

function hourOf(up: number, down: number, unmonitored: number, at = start): PerformanceInterval {
  const seconds = { upSeconds: up, downSeconds: down, unmonitoredSeconds: unmonitored };
  return { startAtSeconds: at, complete: true, averageResponseTimeSeconds: 0.2, ...seconds };
}

/** A check that was down for the first ten minutes of the hour, as far as it is counted. */
function counted(horizonSeconds: number): KnownStates {
  const changes = new StateChanges(['down', 'up'], [start, start + 600]);
  return {
    states: { startSeconds: start - hour, horizonSeconds, state: 'up' },
    log: { ...emptyLog(start - hour), changes },
  };
}

/**
 * Whether the hour is shown this many minutes after its end, for a check that is tested every five
 * minutes.
 */
function isShown(interval: PerformanceInterval, minutesAfter: number, known = counted(start)) {
  const now = start + hour + minutesAfter * minute;
  return lastHour(settledHours([interval], known, now, 5 * minute)) !== undefined;
}

test('an hour with every second up or down is shown at once if it has the downtime that is counted', () => {
  expect(isShown(hourOf(3_000, 600, 0), 0, counted(start + hour))).toBe(true);
});

test.each([
  ['is not counted yet', hourOf(3_000, 600, 0), start + hour - 1],
  ['lacks an outage that is counted', hourOf(3_600, 0, 0), start + hour],
])('an hour that %s is shown when no report can lag so far', (_, reported, horizonSeconds) => {
  expect(isShown(reported, 39, counted(horizonSeconds))).toBe(false);
  expect(isShown(reported, 40, counted(horizonSeconds))).toBe(true);
});

test('an hour that ends with unmonitored time may lack its last tests, until no report can lag so far', () => {
  expect(isShown(hourOf(3_000, 0, 600), 39)).toBe(false);
  expect(isShown(hourOf(3_000, 0, 600), 40)).toBe(true);
  expect(isShown(hourOf(2_400, 600, 600), 39, counted(start + hour))).toBe(false);
});

test('an hour of which the seconds do not add up is never shown, and the one before it is', () => {
  expect(isShown(hourOf(2_400, 0, 0), 10)).toBe(false);
  expect(isShown(hourOf(2_400, 0, 0), 600)).toBe(false);
  const hours = [hourOf(3_600, 0, 0), hourOf(2_400, 0, 0, start + hour)];
  expect(lastHour(settledHours(hours, counted(start), start + 10 * hour))?.startAtSeconds).toBe(
    start,
  );
});

test.each([
  ['seconds', {}],
  ['unmonitored seconds', { upSeconds: 3_000, downSeconds: 0 }],
  ['seconds up', { downSeconds: 0, unmonitoredSeconds: 0 }],
  ['seconds down', { upSeconds: 3_000, unmonitoredSeconds: 0 }],
])('an hour without %s is shown when no report can lag so far', (_, seconds) => {
  const some = { startAtSeconds: start, complete: true, averageResponseTimeSeconds: 0.2 };
  expect(isShown({ ...some, ...seconds }, 39)).toBe(false);
  expect(isShown({ ...some, ...seconds }, 40)).toBe(true);
});

test('an hour is the last one until the next has ended', () => {
  const known = hourOf(hour, 0, 0);
  expect(isLastHour(known, start + 2 * hour - 1)).toBe(true);
  expect(isLastHour(known, start + 2 * hour)).toBe(false);
  expect(isLastHour(undefined, start)).toBe(false);
});
