import { describe, expect, test } from 'vitest';
import type { ResultStatus } from '../../src/domain/results.ts';
import { withoutLateResults } from '../../src/tally/late-results.ts';
import { startWatermark } from '../../src/tally/watermark.ts';

const minute = 60;
const start = 1_767_225_600;

/**
 * Minutes after the start: up to which results are counted, if there are tests at the given minutes,
 * and the results and, by default, the list are requested at a minute.
 */
function countedTo(
  tests: readonly (number | readonly [number, ResultStatus])[],
  askedAt: number,
  resolutionMinutes = 1,
  listedAt = askedAt,
  lastErrorAt = -1,
): number {
  // The service lists the newest first.
  const results = tests.toReversed().map((given) => {
    const [at, status] = typeof given === 'number' ? [given, 'up' as const] : given;
    return { atSeconds: start + Math.round(at * minute), probeId: 1, status };
  });
  const now = start + askedAt * minute;
  const range = { fromSeconds: start, toSeconds: now - 2 * minute };
  const { toSeconds } = withoutLateResults(
    startWatermark(start),
    range,
    results,
    {
      resolutionSeconds: resolutionMinutes * minute,
      listedAtSeconds: start + listedAt * minute,
      lastErrorAtSeconds: start + Math.round(lastErrorAt * minute),
    },
    now,
  );
  return (toSeconds - start) / minute;
}

/** Minutes after the start: the second after the test at a minute. */
const justAfter = (test: number) => (Math.round(test * minute) + 1) / minute;

/** In minutes. */
const seconds = (count: number) => count / minute;

test('results are counted up to the last test', () => {
  expect(countedTo([0, 1, 2, 3, 4, 5, 6, 7], 10)).toBe(justAfter(7));
});

test('where a test was due and has no result, the results after it wait until no result can lag so far', () => {
  expect(countedTo([0, 1, 2, 4, 5, 6, 7], 10)).toBe(justAfter(2));
  expect(countedTo([0, 1, 2, 4, 5, 6, 7], 40)).toBe(5);
});

test('a check that is tested more often than the list knows yet waits for its late results, too', () => {
  expect(countedTo([0.5, 1.5, 2.5, 4.5, 5.5], 10, 15)).toBe(justAfter(2.5));
});

test('the result of a test at the very start may be late, too', () => {
  expect(countedTo([-1, 1, 2, 3, 4], 10)).toBe(0);
  expect(countedTo([1, 2, 3, 4], 10)).toBe(0);
  expect(countedTo([-1, 0, 1, 2, 3, 4], 10)).toBe(justAfter(4));
});

test('the next test is due one resolution after the last result, not after the time that is counted', () => {
  // Counted up to just before the test at minute 0, which is late.
  expect(countedTo([-0.99, 1.01, 2.01], 10)).toBe(0);
});

test('a second probe that confirms a failure is no other resolution', () => {
  expect(countedTo([1, 6, 6.2, 11, 16], 20, 5)).toBe(justAfter(16));
});

describe('a first failed test', () => {
  const failed = [1, 'unconfirmed_down'] as const;
  const down = (at: number) => [at, 'down'] as const;

  test('may be repeated by another probe: without a result that comes soon, later ones wait', () => {
    for (const status of ['up', 'down', 'unknown'] as const) {
      expect(countedTo([0, failed, [2, status], 3], 10)).toBe(justAfter(1));
      expect(countedTo([0, failed, failed, [2, status], 3], 10)).toBe(justAfter(1));
      expect(countedTo([0, failed, [2, status], 3], 60)).toBe(25);
    }
    expect(countedTo([0, failed, [1.1, 'up'], 2, 3], 10)).toBe(justAfter(3));
    expect(countedTo([0, failed, down(1.1), down(2), 3], 10)).toBe(justAfter(3));
  });

  test('that is missing is waited for, as is one before the watermark', () => {
    expect(countedTo([0, down(1.1), down(2), 3], 10)).toBe(justAfter(0));
    expect(countedTo([[-1, 'unconfirmed_down'], 0, 1], 10)).toBe(0);
    expect(countedTo([down(-1), down(0), 1], 10)).toBe(justAfter(1));
    expect(countedTo([down(0), down(1)], 10)).toBe(justAfter(1));
  });
});

test('no result is missing between tests that are up to 13 seconds late', () => {
  const late = seconds(13);
  const byTurns = [0, 1 + late, 2, 3 + late, 4, 5 + late, 6, 7 + late];
  expect(countedTo(byTurns, 10)).toBe(justAfter(7 + late));
  expect(countedTo([seconds(5), 1, 2 + late, 3], 10)).toBe(justAfter(3));
});

test('the next test, 47 seconds after a late first failed one, is not its repetition', () => {
  const late = 1 + seconds(13);
  expect(countedTo([0, [late, 'unconfirmed_down'], [2, 'down'], 3], 10)).toBe(justAfter(late));
});

test('a result that is missing after the repetition of a late test is waited for', () => {
  const first = [1 + seconds(13), 'unconfirmed_down'] as const;
  const repeated = 1 + seconds(33);
  expect(countedTo([0, first, repeated, 3, 4], 10)).toBe(justAfter(repeated));
});

test('a listed error that has no result is waited for, although no test seems to be missing', () => {
  const counted = (lastErrorAt: number) =>
    countedTo([0, 5, [10.4, 'up'], 15], 20, 5, 20, lastErrorAt);
  expect(counted(10.1)).toBe(justAfter(5));
  expect(counted(10.4)).toBe(justAfter(15));
  expect(counted(-1)).toBe(justAfter(15));
  expect(countedTo([0, 5, [10.4, 'up'], 15], 60, 5, 60, 10.1)).toBe(25);
});

test('a test that comes early, and is younger than the list, waits for the next list', () => {
  expect(countedTo([0, 9], 20, 15, 5)).toBe(justAfter(0));
  expect(countedTo([0, 9], 20, 15, 9)).toBe(justAfter(9));
  expect(countedTo([0, 9], 60, 15, 5)).toBe(25);
});

test('a test that comes early, after an edit of the check, may be late, too', () => {
  const early = 17;
  expect(countedTo([0, 5, 10, 15], 20, 5)).toBeLessThan(early);
  expect(countedTo([0, 5, 10, 15, 32], 36, 15)).toBeLessThan(early);
});
