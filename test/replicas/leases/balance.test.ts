import { describe, expect, test } from 'vitest';
import { Balance, fairShare } from '../../../src/replicas/leases/balance.ts';
import { leaseTimes } from '../../../src/replicas/leases/lease.ts';

const times = leaseTimes(30);
const stable = 2 * times.ttlMilliseconds;

test.each([
  [40, 3, 14],
  [6, 3, 2],
  [1, 3, 1],
  [5, 1, 5],
])('the share of %i accounts among %i replicas is %i', (accounts, replicas, share) => {
  expect(fairShare(accounts, replicas)).toBe(share);
});

describe('a surplus account is released', () => {
  test.each<[string, string[], (string | undefined)[], boolean]>([
    ['by the replica with more than its share', ['x', 'y'], ['x', 'x', 'x', 'y'], true],
    ['not by a replica with its share', ['x', 'y'], ['x', 'x', 'x', 'y', 'y'], false],
    ['not while an account has no owner', ['x', 'y'], ['x', 'x', 'x', undefined], false],
    ['not while a dead replica owns an account', ['x', 'y'], ['x', 'x', 'x', 'z'], false],
    ['not by one of less', ['x', 'y', 'z'], ['x', 'x', 'x', 'y', 'y', 'y', 'y'], false],
    ['by the first of those with the most', ['x', 'y', 'z'], ['x', 'x', 'x', 'y', 'y', 'y'], true],
    ['not by a replica alone', ['x'], ['x', 'x'], false],
  ])('%s', (_, live, holders, isReleased) => {
    const balance = new Balance(times);
    expect(balance.isSurplus('x', holders, live, 0)).toBe(false);
    expect(balance.isSurplus('x', holders, live, stable)).toBe(isReleased);
  });

  test('not before the live replicas have been the same for twice the time to live', () => {
    const balance = new Balance(times);
    const holders = ['x', 'x', 'x', 'y'];
    balance.isSurplus('x', holders, ['x', 'y'], 0);
    balance.isSurplus('x', holders, ['x', 'y', 'z'], stable - 1);
    expect(balance.isSurplus('x', holders, ['x', 'y', 'z'], stable)).toBe(false);
    expect(balance.isSurplus('x', holders, ['x', 'y', 'z'], 2 * stable - 1)).toBe(true);
  });
});
