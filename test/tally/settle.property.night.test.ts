import { test } from 'vitest';
import { expectExactThroughGaps } from '../support/tally-laws.ts';

test('through gaps, restarts, faults and droughts, down seconds and outages stay exact in 300 lives', async () => {
  await expectExactThroughGaps(300);
});
