import { expect, test } from 'vitest';
import { maintenanceShareOf } from '../../src/slo/maintenance-share.ts';
import { noon, statesBy } from '../support/snapshots.ts';

test.each([
  ['in maintenance is wholly in it', noon - 600, 'whole'],
  ['before maintenance is not in it', noon + 1, 'none'],
])('an outage of which only the first second is known %s', (_, fromSeconds, share) => {
  const states = statesBy({ 1: [{ state: 'up', fromSeconds: noon - 60, toSeconds: noon }] })(1);
  if (states === undefined) throw new Error('there are no states');
  const planned = [{ fromSeconds, toSeconds: noon + 600 }];
  expect(maintenanceShareOf(states, { fromSeconds: noon }, planned)).toBe(share);
});
