import { expect, test } from 'vitest';
import { longestLagSeconds } from '../../src/tally/list-times.ts';
import {
  idleUntil,
  settlingSeconds,
  transactionHorizon,
} from '../../src/tally/transaction-horizon.ts';

const reported = [
  { state: 'up', fromSeconds: 100, toSeconds: 200 },
  { state: 'down', fromSeconds: 220, toSeconds: 260 },
] as const;

test.each([
  ['ends with the last run', 300, 260, 'down'],
  ['ends now', 260, 260, 'down'],
  ['goes on after the time that is settled', 240, 240, 'down'],
  ['has a state that begins when that time ends', 220, 220, 'down'],
  ['has another state before', 199, 199, 'up'],
  ['has a state that ends with that time', 200, 200, 'unmonitored'],
  ['has no state at that time', 210, 210, 'unmonitored'],
  ['begins later', 50, 50, 'unmonitored'],
] as const)('a report that %s proves the states up to there', (_, until, atSeconds, state) => {
  expect(transactionHorizon(reported, until, 0)).toEqual({ atSeconds, state });
});

test('a report without states proves nothing', () => {
  expect(transactionHorizon([], 300, 0)).toMatchObject({ atSeconds: 0 });
});

test.each([
  ['later than its last run', reported, 290, 300, 290, 'unmonitored'],
  ['before its last run', reported, 230, 300, 260, 'down'],
  ['when its last run ends', reported, 260, 300, 260, 'down'],
  ['before a run that is not settled', reported, 150, 240, 240, 'down'],
  ['and never ran', [], 290, 300, 290, 'unmonitored'],
] as const)(
  'a transaction that stopped %s is known to be idle up to then',
  (_, spans, idle, until, atSeconds, state) => {
    expect(transactionHorizon(spans, until, idle)).toEqual({ atSeconds, state });
  },
);

test('a stopped transaction is idle as far as the slowest report has all its runs', () => {
  const now = 10 * longestLagSeconds;
  const complete = now - longestLagSeconds;
  const settled = now - settlingSeconds;
  expect(idleUntil(complete, settled)).toBe(complete);
  expect(idleUntil(complete + 1, settled)).toBeUndefined();
  expect(idleUntil(undefined, settled)).toBeUndefined();
});
