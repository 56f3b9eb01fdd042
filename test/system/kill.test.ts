import { test } from 'vitest';
import { expectTheTruthAfterKills } from '../support/kills.ts';

test('killed after 3 random writes and during reloads, no counter steps back, and in the end all agree with the service', async () => {
  await expectTheTruthAfterKills(1, 3);
});
