import { describe, expect, test, vi } from 'vitest';
import { type Check, checkStatuses } from '../../../src/domain/check.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import { StateChanges } from '../../../src/slo/state-changes.ts';
import { emptyLog } from '../../../src/slo/state-log.ts';
import type { MaintenanceStates } from '../../../src/state/maintenance-now.ts';
import {
  AccountOutages,
  outageEntryOfCheck,
  outageEntryOfTransaction,
} from '../../../src/state/standing/account-outages.ts';
import { defaultPolicies } from '../../support/default-policies.ts';

const start = 1_767_225_607;
const [minute, day] = [60, 86_400];
const check: Check = { id: 1, name: 'shop', type: 'http', status: 'down', tags: [] };
const order: Transaction = { id: 2, name: 'order', kind: 'script', status: 'failing', tags: [] };
/** Nothing was counted, so only the list shows when an outage began. */
const known = {
  states: {
    startSeconds: start,
    horizonSeconds: start,
    state: 'up',
  },
} as const;
const noMaintenance: MaintenanceStates = new Map();
const inMaintenance: MaintenanceStates = new Map([[1, { active: true }]]);

describe('a check', () => {
  test('counts as down, as up, as neither, or as one that is not watched, by its status', () => {
    const states = checkStatuses.map((status) => [
      status,
      outageEntryOfCheck({ ...check, status }, known).state,
    ]);
    expect(Object.fromEntries(states)).toEqual({
      up: 'up',
      down: 'down',
      unconfirmed_down: 'unsure',
      unknown: 'unsure',
      paused: 'ended',
    });
  });

  test.each([
    ['LOW', 'low'],
    ['low', 'low'],
    ['HIGH', 'high'],
    ['urgent', 'high'],
    [undefined, 'high'],
  ])('of the severity %s has the importance %s', (severity, importance) => {
    const entry = outageEntryOfCheck(
      { ...check, ...(severity !== undefined && { severity }) },
      known,
    );
    expect(entry.alertLabels).toEqual({ importance, hostname: '' });
  });
});

test.each([
  ['3.1, as it says', { lastDownStartAtSeconds: start - 90 }, start - 90],
  ['2.x, which have no start, as it was counted', {}, start - 60],
])('an outage begins, for lists of %s', (_, listed, expected) => {
  const since = [{ state: 'down', fromSeconds: start - 60 }] as const;
  const log = { ...emptyLog(start - 600), changes: StateChanges.of(since) };
  const counted = { states: { ...known.states, state: 'down' as const }, log };
  expect(outageEntryOfCheck({ ...check, ...listed }, counted).sinceSeconds).toBe(expected);
});

test.each([
  ['failing', true, 'down'],
  ['failing', undefined, 'down'],
  ['failing', false, 'ended'],
  ['successful', true, 'up'],
  ['unknown', true, 'unsure'],
] as const)('a transaction that is %s, and active: %s, counts as %s', (status, active, state) => {
  const entry = { ...order, status, ...(active !== undefined && { active }) };
  expect(outageEntryOfTransaction(entry, known).state).toBe(state);
});

/** The outages of a check that has these states in the lists, which are a minute apart. */
function watched(outagePolicy = defaultPolicies().outages) {
  const policies = { ...defaultPolicies(), outages: outagePolicy };
  let now = start;
  const outages = new AccountOutages('check', policies);
  return {
    outages,
    use: (other: typeof outagePolicy) => {
      policies.outages = other;
    },
    pass: (seconds: number) => {
      now += seconds;
    },
    list: (
      status: Check['status'],
      { maintenance = noMaintenance, isComplete = true, isListed = true } = {},
    ) => {
      now += minute;
      const entries = isListed ? [outageEntryOfCheck({ ...check, status }, known)] : [];
      const listed = outages.listed({
        entries,
        maintenance,
        isComplete,
        nowSeconds: now,
        isListed: () => isListed,
      });
      outages.apply(listed, () => {});
      return outages.of(1);
    },
    move: (maintenance = noMaintenance) => {
      const changed: number[] = [];
      outages.move(maintenance, now, (id) => changed.push(id));
      return changed;
    },
  };
}

describe('the outages of an account', () => {
  test('are counted once a complete list has been read', () => {
    const { outages, list } = watched();
    expect(outages.openCount).toBeUndefined();
    expect(list('down', { isComplete: false })?.open).toBe(true);
    expect(outages.openCount).toBeUndefined();
    list('down');
    expect(outages.openCount).toBe(1);
    list('up', { isComplete: false });
    expect(outages.openCount).toBe(0);
  });

  test('do not open for a check in maintenance, and end when maintenance begins', () => {
    const { outages, list, move } = watched();
    expect(list('down', { maintenance: inMaintenance })).toBeUndefined();
    expect(list('down')?.open).toBe(true);
    expect(move(inMaintenance)).toEqual([1]);
    expect(outages.of(1)?.open).toBe(false);
    expect(move(inMaintenance)).toEqual([]);
    // The next list shows whether it is still down after the maintenance.
    expect(move()).toEqual([]);
    expect(outages.of(1)?.open).toBe(false);
  });

  test('are shown as over for 24 hours', () => {
    const { outages, list, pass, move } = watched();
    list('down');
    list('up');
    pass(day - 1);
    expect(move()).toEqual([]);
    expect(outages.of(1)).toMatchObject({ open: false });
    pass(1);
    expect(move()).toEqual([1]);
    expect(outages.of(1)).toBeUndefined();
  });

  test('flap from the third on, and maintenance that begins ends that, too', () => {
    const { outages, list, move } = watched();
    for (const status of ['down', 'up', 'down', 'up'] as const) {
      expect(list(status)?.flapping).toBeUndefined();
    }
    expect(list('down')?.flapping).toBe(true);
    expect(list('up')).toMatchObject({ open: false, flapping: true });
    expect(move(inMaintenance)).toEqual([1]);
    expect(outages.of(1)?.flapping).toBe(false);
  });

  test('are closed under labels that the configuration no longer promotes, and only once', () => {
    const promotedOf = vi.fn(() => ({ team: 'payments' }));
    const { outages, list, use, move } = watched({ ...defaultPolicies().outages, promotedOf });
    list('down');
    expect(move()).toEqual([]);
    const { length } = promotedOf.mock.calls;
    expect(move()).toEqual([]);
    expect(promotedOf.mock.calls).toHaveLength(length);
    use(defaultPolicies().outages);
    expect(move()).toEqual([1]);
    expect(outages.of(1)?.open).toBe(true);
    expect(outages.current.former).toMatchObject([{ labels: { promoted: { team: 'payments' } } }]);
    expect(move()).toEqual([]);
    list('down');
    expect(outages.current.former).toHaveLength(1);
  });

  test('end when a list no longer has the check', () => {
    const { outages, list } = watched();
    list('down');
    list('down', { isListed: false });
    expect(outages.openCount).toBe(0);
    expect(outages.current.former).toMatchObject([{ id: 1, labels: { name: 'shop' } }]);
  });

  test.each([
    [true, 0],
    [false, undefined],
  ])('end when the check leaves; if others are read: %s, %s are open', (isRead, openCount) => {
    const { outages, list } = watched();
    list('down');
    const changed: number[] = [];
    const leave = (ids: readonly number[]) =>
      outages.leave({ ids, isRead, nowSeconds: start }, (id) => changed.push(id));
    expect(leave([1])).toBe(true);
    expect(changed).toEqual([1]);
    expect(outages.openCount).toBe(openCount);
    expect(outages.current.former).toMatchObject([{ id: 1, untilSeconds: start + day }]);
    expect(leave([1, 2])).toBe(false);
  });
});
