import { expect, test } from 'vitest';
import { overlaps } from '../../src/domain/interval.ts';

const range = (fromSeconds: number, toSeconds: number) => ({ fromSeconds, toSeconds });

test.each([
  ['one begins when the other ends', range(0, 60), range(60, 120), false],
  ['they have one second in common', range(0, 61), range(60, 120), true],
  ['one lies within the other', range(0, 120), range(30, 60), true],
  ['there is time between them', range(0, 60), range(90, 120), false],
])('two ranges overlap only with a second in common: %s', (_, one, other, expected) => {
  expect([overlaps(one, other), overlaps(other, one)]).toEqual([expected, expected]);
});
