import { expect, test } from 'vitest';
import type { PerformanceInterval } from '../../src/domain/averages.ts';
import { lastHour, settledHours } from '../../src/slo/settled-hours.ts';

const minute = 60;
const hour = 60 * minute;
const start = 1_767_225_600;

function hourOf(up: number, down: number, unmonitored: number, at = start): PerformanceInterval {
  const seconds = { upSeconds: up, downSeconds: down, unmonitoredSeconds: unmonitored };
  return { startAtSeconds: at, complete: true, averageResponseTimeSeconds: 0.2, ...seconds };
}

/**
 * Whether the hour is shown this many minutes after its end, for a check that is tested every five
 * minutes.
 */
function isShown(interval: PerformanceInterval, minutesAfter: number): boolean {
  const now = start + hour + minutesAfter * minute;
  return lastHour(settledHours([interval], now, 5 * minute)) !== undefined;
}

test('an hour with every second up or down is shown at once', () => {
  expect(isShown(hourOf(3_000, 600, 0), 0)).toBe(true);
});

test('an hour that ends with unmonitored time may lack its last tests, until no report can lag so far', () => {
  expect(isShown(hourOf(3_000, 0, 600), 39)).toBe(false);
  expect(isShown(hourOf(3_000, 0, 600), 40)).toBe(true);
});

test('an hour of which the seconds do not add up is never shown, and the one before it is', () => {
  expect(isShown(hourOf(2_400, 0, 0), 10)).toBe(false);
  expect(isShown(hourOf(2_400, 0, 0), 600)).toBe(false);
  const hours = [hourOf(3_600, 0, 0), hourOf(2_400, 0, 0, start + hour)];
  expect(lastHour(settledHours(hours, start + 10 * hour))?.startAtSeconds).toBe(start);
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
