import { describe, expect, test } from 'vitest';
import { sloPolicyOf } from '../../../src/config/objectives-schema.ts';
import type { Check } from '../../../src/domain/check.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import { StateChanges } from '../../../src/slo/state-changes.ts';
import { emptyLog } from '../../../src/slo/state-log.ts';
import { defaultPolicies } from '../../support/default-policies.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { firstTotals, shopState } from '../support/shop.ts';

const start = 1_767_225_607;
const minute = 60_000;

/** A state with lists, applied and committed like the refreshes do it. */
function watched(slo = sloPolicyOf({}, { from_tags: ['team:*'] })) {
  const clock = new VirtualClock(start * 1000);
  const state = shopState({ clock, policies: { ...defaultPolicies(), slo } });
  const list = async (...checks: readonly Check[]) => {
    await clock.advance(minute);
    const now = clock.now() / 1000;
    state.list('check', checks, (check) => firstTotals(check, now));
    const outages = state.listedOutages('check', true);
    await state.totals.commit(() => (outages === undefined ? {} : { outages }));
  };
  return { clock, state, list };
}

function aCheck(id: number, status: Check['status']): Check {
  return {
    id,
    name: `check ${id}`,
    type: 'http',
    status,
    tags: [{ name: 'team:a', source: 'user' }],
  };
}

test('there are at most as many groups as the configuration allows', async () => {
  const namesOf = async (groups: object) => {
    const { state, list } = watched(sloPolicyOf({}, { from_tags: ['team:*'], ...groups }));
    const tags = ['team:a', 'team:b'].map((name) => ({ name, source: 'user' }) as const);
    await list({ ...aCheck(1, 'up'), tags });
    return state.snapshot().groups?.map(({ name }) => name);
  };

  expect(await namesOf({})).toEqual(['team:a', 'team:b']);
  expect(await namesOf({ max_groups: 1 })).toEqual(['team:a']);
});

describe('an open outage', () => {
  test('is counted by its account and its groups until the check is up, paused or removed', async () => {
    const { state, list } = watched();
    const counts = () => {
      const { openCheckOutages, groups } = state.snapshot();
      return [openCheckOutages, groups?.[0]?.outagesOpen];
    };
    expect(counts()).toEqual([undefined, undefined]);
    await list(aCheck(1, 'up'), aCheck(2, 'up'), aCheck(3, 'up'));
    expect(counts()).toEqual([0, 0]);
    await list(aCheck(1, 'down'), aCheck(2, 'down'), aCheck(3, 'down'));
    expect(counts()).toEqual([3, 3]);
    await list(aCheck(1, 'unknown'), aCheck(2, 'unconfirmed_down'), aCheck(3, 'paused'));
    expect(counts()).toEqual([2, 2]);
    await list(aCheck(2, 'up'), aCheck(3, 'up'));
    expect(counts()).toEqual([1, 1]);
    await list(aCheck(2, 'up'), aCheck(3, 'up'));
    expect(counts()).toEqual([0, 0]);
  });

  test('has its start once a report shows it, before the next list', async () => {
    const { state, list } = watched();
    const since = () => state.snapshot().checks?.[0]?.outage?.sinceSeconds;
    await list(aCheck(1, 'up'));
    await list(aCheck(1, 'down'));
    expect(since()).toBeUndefined();

    const changes = StateChanges.of([
      { state: 'up', fromSeconds: start + 60 },
      { state: 'down', fromSeconds: start + 90 },
    ]);
    await state.totals.commitCheck(1, (totals) => ({
      ...totals,
      states: { ...totals.states, horizonSeconds: start + 120, state: 'down' },
      log: { ...emptyLog(start), changes },
    }));
    expect(since()).toBe(start + 90);
  });

  test('is shown after a restart, whatever of the list was lost', async () => {
    const { state, list } = watched();
    await list(aCheck(1, 'down'));
    const next = watched().state;
    const nothing = { checkTotals: new Map(), transactionTotals: new Map() };
    const details = { checkDetails: new Map(), transactionDetails: new Map() };
    const { outages } = state.standing;
    // The time of its last list is lost, so its rows are not shown.
    const checkTotals = new Map([...state.checks.records()].map((of) => [of.entry.id, of.totals]));
    const listed = { checks: [aCheck(1, 'down')], checkTotals };
    next.restore({ ...nothing, ...details, outages, ...listed });
    expect(next.checks.has(1)).toBe(true);
    expect(next.snapshot().openCheckOutages).toBe(1);
    expect(next.snapshot().endedChecks).toMatchObject([{ id: 1, outage: { open: true } }]);
    const unlisted = watched().state;
    unlisted.restore({ ...nothing, ...details, outages });
    expect(unlisted.snapshot().endedChecks).toMatchObject([{ id: 1, outage: { open: true } }]);
  });
});

test('outages of transactions are over, and not counted, once their list is no longer read', () => {
  const { state } = watched();
  const order: Transaction = { id: 7, name: 'order', status: 'failing', kind: 'script', tags: [] };
  state.list('transaction', [order], () => ({
    states: {
      startSeconds: start,
      horizonSeconds: start,
      state: 'unknown',
    },
  }));
  const outages = state.listedOutages('transaction', true);
  const next = watched().state;
  const nothing = { checkTotals: new Map(), transactionTotals: new Map() };
  const details = { checkDetails: new Map(), transactionDetails: new Map() };
  next.restore({ ...nothing, ...details, outages: { ...state.standing.outages, ...outages } });
  expect(next.snapshot().openTransactionOutages).toBe(1);
  next.leaveAll('transaction', 'dataset');
  const { openTransactionOutages, endedTransactions } = next.snapshot();
  expect(openTransactionOutages).toBeUndefined();
  expect(endedTransactions).toMatchObject([{ id: 7, outage: { open: false } }]);
});

describe('with more groups than the limit of the configuration', () => {
  const limited = sloPolicyOf(
    { rules: [{ ratio: 0.99, groups: ['team:y*'] }] },
    { from_tags: ['team:*'], named: [{ name: 'zz', ids: [1] }], max_groups: 4 },
  );
  const teams = ['team:a', 'team:b', 'team:c', 'team:d', 'team:y', 'team:z'];
  const checks = (down: readonly string[]) =>
    teams.map((name, place) => ({
      ...aCheck(place + 1, down.includes(name) ? ('down' as const) : ('up' as const)),
      tags: [{ name, source: 'user' as const }],
    }));
  const shown = ({ state }: ReturnType<typeof watched>) => {
    const { groups = [], groupsLeftOut } = state.snapshot();
    return [groups.map(({ name }) => name), groupsLeftOut];
  };

  test('those that it chooses are shown, then by name', async () => {
    const account = watched(limited);
    await account.list(...checks([]));
    expect(shown(account)).toEqual([
      ['team:a', 'team:b', 'team:y', 'zz'],
      ['team:c', 'team:d', 'team:z'],
    ]);
  });

  test('one with a check that is down is shown, and stays when the check is up again', async () => {
    const account = watched(limited);
    await account.list(...checks([]));
    await account.list(...checks(['team:z']));
    const withZ = [
      ['team:a', 'team:y', 'team:z', 'zz'],
      ['team:b', 'team:c', 'team:d'],
    ];
    expect(shown(account)).toEqual(withZ);
    await account.list(...checks([]));
    expect(shown(account)).toEqual(withZ);
    await account.list(...checks(['team:b', 'team:c']));
    expect(shown(account)[0]).toEqual(['team:b', 'team:c', 'team:y', 'zz']);
  });

  test('all are shown when there are no more than the limit', async () => {
    const account = watched(limited);
    await account.list(...checks(['team:z']));
    // A check is removed when two lists lack it.
    for (let lists = 0; lists < 2; lists++) await account.list(...checks([]).slice(0, 3));
    expect(shown(account)).toEqual([['team:a', 'team:b', 'team:c', 'zz'], []]);
  });
});
