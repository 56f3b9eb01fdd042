import { test } from 'vitest';
import { extent } from '../support/extent.ts';
import { expectExactThroughGaps, expectExactWhileWatched } from '../support/tally-laws.ts';

test('while the list is watched, every second and every outage is as the service reports it', async () => {
  await expectExactWhileWatched(extent(3, 40));
});

test('through gaps, restarts, faults and droughts, down seconds and outages stay exact, and only what no list showed reads as up', async () => {
  await expectExactThroughGaps(extent(6, 60));
});
