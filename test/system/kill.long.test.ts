import { expect, test } from 'vitest';
import { expectTheTruthAfterKills } from '../support/kills.ts';

test('killed 300 times at random moments and during reloads, no counter steps back, and in the end all agree with the service', async () => {
  // Of those that are not in the midst of one.
  expect(await expectTheTruthAfterKills(4, 75)).toBeGreaterThan(10);
});
