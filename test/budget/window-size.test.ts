import { expect, test } from 'vitest';
import { windowSize } from '../../src/budget/window-size.ts';

test.each([
  [399, 400],
  [397, 400],
  [396, 400],
  [395, 395],
  [400, 400],
  [350, 350],
  [79, 80],
  [78, 78],
  [71_999, 72_000],
  [71_200, 71_200],
  [1_199, 1_200],
])('a window of which at most %i were left grants %i', (limit, size) => {
  expect(windowSize({ limit })).toBe(size);
});
