import { expect, test } from 'vitest';
import { backoffMilliseconds } from '../../src/lib/backoff.ts';
import fc from '../support/fast-check.ts';

const backoff = { baseMilliseconds: 1_000, capMilliseconds: 60_000 };

test.each([
  [1, 1_000],
  [2, 2_000],
  [4, 8_000],
  [7, 60_000],
  [2_000, 60_000],
])('after %i failures the longest delay is %i ms', (failures, longest) => {
  expect(backoffMilliseconds(backoff, failures, () => 1)).toBe(longest);
});

test('jitter takes away at most half', () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), unit, (failures, random) => {
      const longest = Math.min(60_000, 1_000 * 2 ** (failures - 1));
      const delay = backoffMilliseconds(backoff, failures, () => random);
      expect(delay).toBeGreaterThanOrEqual(longest / 2);
      expect(delay).toBeLessThanOrEqual(longest);
    }),
  );
});
