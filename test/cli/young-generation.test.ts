import { expect, test } from 'vitest';
import { youngGeneration } from '../../src/cli/young-generation.ts';

const small = '--semi-space-growth-factor=1';
const growing = '--semi-space-growth-factor=2';

test('the young generation of V8 is kept small up to 999 checks, and may grow from 1,000 on', () => {
  const flags: string[] = [];
  const follow = youngGeneration((flag) => flags.push(flag));
  for (const checks of [20, 999]) follow(checks);
  expect(flags).toEqual([small, small, small]);

  for (const checks of [1_000, 25_000, 20]) follow(checks);
  expect(flags).toEqual([small, small, small, growing]);
});
