import { test } from 'vitest';
import { expectTheTruthAfterKills } from '../support/kills.ts';

test('k', async () => {
  await expectTheTruthAfterKills(1, 2);
}, 400000);
