import { expect, test } from 'vitest';
import type { Lease, Replica } from '../../src/replicas/leases/lease.ts';
import { ownerIn } from '../../src/replicas/shared-accounts.ts';

const own = { id: 'a', name: 'replica A' };
const other = { id: 'b', name: 'replica B', url: 'http://b' };

function leaseOf(holder: Replica, isReleased = false): Lease {
  return {
    ...{
      account: 'shop',
      epoch: 'e',
      renewal: 'r',
      number: 1,
      sinceSeconds: 0,
      holder,
      isReleased,
    },
    ...{ isCurrent: true, session: { pid: 1, startedAt: '' } },
  };
}

test.each([
  ['own, while it is held', true, leaseOf(own), true, own],
  ['own, while it is held and the database does not respond', true, leaseOf(own), false, own],
  ['own, just taken', true, leaseOf(other), true, own],
  ['own, lost because the database does not respond', false, leaseOf(own), false, undefined],
  ['own, lost', false, leaseOf(own), true, undefined],
  ["another replica's", false, leaseOf(other), true, other],
  [
    "another replica's, while the database does not respond",
    false,
    leaseOf(other),
    false,
    undefined,
  ],
  ['released', false, leaseOf(other, true), true, undefined],
  ['none', false, undefined, true, undefined],
])('the owner of an account whose lease is %s', (_, isHeld, lease, isDatabaseUp, owner) => {
  expect(ownerIn({ isHeld, lease }, own, isDatabaseUp)).toEqual(owner);
});
