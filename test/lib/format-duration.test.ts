import { expect, test } from 'vitest';
import { humanizeDuration, humanizeInterval } from '../../src/lib/format-duration.ts';

test.each([
  [0, '0 s'],
  [0.9, '0 s'],
  [-5, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [61, '1 min 1 s'],
  [3_600, '1 h'],
  [3_661, '1 h 1 min'],
  [3_601, '1 h'],
  [86_399, '23 h 59 min'],
  [90_000, '1 d 1 h'],
  [2_592_000, '30 d'],
])('%d seconds are %j', (seconds, words) => {
  expect(humanizeDuration(seconds)).toBe(words);
});

test.each([
  [90, '1 min 30 s'],
  [364 * 86_400, '364 d'],
  [365 * 86_400, 'never'],
  [Number.POSITIVE_INFINITY, 'never'],
])('an interval of %d seconds is %j', (seconds, words) => {
  expect(humanizeInterval(seconds)).toBe(words);
});
