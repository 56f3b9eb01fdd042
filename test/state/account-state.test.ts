import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { type Check, checkStatuses } from '../../src/domain/check.ts';
import { present } from '../../src/lib/present.ts';
import { logAtFirstSight } from '../../src/slo/past.ts';
import type { AccountState } from '../../src/state/account-state.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { countEvents } from '../../src/tally/event-tally.ts';
import { startTally } from '../../src/tally/start-tally.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { firstTotals, shopState } from './support/shop.ts';

const startSeconds = 1_700_000_000;

function setUp() {
  const clock = new VirtualClock(startSeconds * 1000 + 400);
  let refusal: StoreError | undefined;
  const state = shopState({
    clock,
    storeTotals: async () => {
      if (refusal !== undefined) throw refusal;
    },
  });
  const refuse = (error: StoreError | undefined) => {
    refusal = error;
  };
  state.datasets.planned(
    new Map([
      ['checks', 60],
      ['credits', 900],
    ] as const),
  );
  return { clock, state, refuse };
}

function check(id: number, fields: Partial<Check> = {}): Check {
  return { id, name: `check ${id}`, type: 'http', status: 'up', tags: [], ...fields };
}

/** A list in which every check is seen for the first time now. */
function list(state: AccountState, checks: readonly Check[]): void {
  state.list('check', checks, (entry) => firstTotals(entry, startSeconds));
}

function failure(): ApiError {
  return new ApiError({ reason: 'server_error', operation: 'list_checks', message: 'failed' });
}

test('the number of listed checks includes those that a filter excludes', () => {
  const { state } = setUp();
  const totalsOf = (entry: Check) => firstTotals(entry, startSeconds);
  state.list('check', [check(1)], totalsOf, { isComplete: true, excluded: new Set([2, 3]) });
  expect(state.snapshot().listedChecks).toBe(3);

  state.list('check', [], totalsOf);
  expect(state.snapshot().listedChecks).toBe(0);
});

test('of a listed check that is down, the past and the causes are unknown; all is known of one that has not failed', () => {
  const { state } = setUp();
  const checks = [check(1, { status: 'down' }), check(2)];
  state.list('check', checks, (entry) => ({
    ...firstTotals(entry, startSeconds),
    ...present({ log: logAtFirstSight(entry, entry.status, startSeconds) }),
  }));

  expect([1, 2, 3].map((id) => state.firstSight.isPastUnknown(id))).toEqual([true, false, false]);
  expect(state.firstSight.pastsLeft).toBe(1);
  expect(state.firstSight.checks()).toEqual([
    {
      ...{ id: 1, isOpen: true, lastFailedAtSeconds: expect.anything() },
      lacks: new Set(['history', 'analyses', 'results']),
    },
  ]);
});

test('a reader that must not block others gets the last snapshot while many rows are to be built', () => {
  const { state } = setUp();
  const before = state.snapshot();
  list(
    state,
    Array.from({ length: 1_000 }, (_, id) => check(id)),
  );

  expect(state.recentSnapshot).toBe(before);
  expect(state.summary.datasets.checks.lastSuccessAtSeconds).toBe(startSeconds);

  while (state.prepareSnapshot());
  expect(state.recentSnapshot.checks).toHaveLength(1_000);
});

test('before the first refresh nothing is known and the account is not up', () => {
  const snapshot = setUp().state.snapshot();

  expect(snapshot).toEqual({
    account: 'shop',
    apiVersion: '3.1',
    baseUrl: 'https://api.example.com',
    up: false,
    datasets: {
      checks: { intervalSeconds: 60, stale: true },
      credits: { intervalSeconds: 900, stale: true },
    },
  });
});

test('counted data are as old as what is counted', async () => {
  const { state, clock } = setUp();
  list(state, [check(1)]);
  await clock.advance(90_000);

  expect(state.ageSeconds('results', 1)).toBe(90);
  expect(state.ageSeconds('active_probes', 1)).toBeUndefined();
});

test('only a check that is up has a last response time', () => {
  const { state } = setUp();
  list(
    state,
    checkStatuses.map((status, id) => check(id + 1, { status, lastResponseTimeSeconds: 0.2 })),
  );
  const timed = state.snapshot().checks?.filter((row) => row.lastResponseTimeSeconds === 0.2);
  expect(timed?.map(({ status }) => status)).toEqual(['up']);
});

test('a list is ordered by id and stamped with whole seconds', () => {
  const { state } = setUp();

  list(state, [check(9), check(3)]);

  const snapshot = state.snapshot();
  expect(snapshot.up).toBe(true);
  expect(snapshot.checks?.map(({ id }) => id)).toEqual([3, 9]);
  expect(snapshot.datasets.checks).toEqual({
    intervalSeconds: 60,
    stale: false,
    items: 2,
    lastAttemptAtSeconds: startSeconds,
    lastSuccessAtSeconds: startSeconds,
  });
});

test('the account is up while its list can be read and is fresh, whatever else fails', async () => {
  const { state, clock } = setUp();
  const isUp = () => state.snapshot().up;
  list(state, [check(1)]);
  state.datasets.failed('credits', failure());
  expect(isUp()).toBe(true);

  state.datasets.failed('checks', failure());
  expect(isUp()).toBe(false);
  expect(state.snapshot().checks).toHaveLength(1);
  list(state, [check(1)]);
  expect(isUp()).toBe(true);

  await clock.advance(300_000);
  expect(isUp()).toBe(true);
  await clock.advance(1);
  expect(isUp()).toBe(false);
});

test.each([
  ['unauthorized', 'unauthorized'],
  ['blocked', 'blocked_or_unauthorized'],
] as const)(
  'a failed refresh that is %s becomes %s in every dataset when later refusals show it',
  async (reason, shown) => {
    const { clock, state } = setUp();
    const refuse = (dataset: 'checks' | 'credits') =>
      state.datasets.failed(
        dataset,
        new ApiError({ reason, operation: dataset, message: 'HTTP 401' }),
      );
    refuse('credits');
    refuse('checks');
    await clock.advance(15 * 60_000);
    refuse('checks');

    const { checks, credits } = state.snapshot().datasets;
    expect([checks.failure?.reason, credits?.failure?.reason]).toEqual([shown, shown]);
  },
);

test('maintenance is the same object while it holds, and tells of no occurrence that is over', async () => {
  const { clock, state } = setUp();
  const day = 86_400;
  const occurrence = (id: number, fromSeconds: number) => ({
    id,
    maintenanceId: 5,
    fromSeconds,
    toSeconds: fromSeconds + 600,
  });
  const [past, coming] = [occurrence(1, startSeconds - day), occurrence(2, startSeconds + 3600)];
  const windows = [{ id: 5, recurrence: 'day', checkIds: [], transactionIds: [] } as const];
  await state.setMaintenance({ windows, occurrences: [past, coming] });

  const { maintenance } = state.snapshot();
  expect(maintenance).toEqual({ windows, next: new Map([[5, coming]]), activeIds: new Set() });
  await clock.advance(3_599_000);
  expect(state.snapshot().maintenance).toBe(maintenance);
  await clock.advance(1_000);
  expect(state.snapshot().maintenance?.activeIds).toEqual(new Set([5]));
  await clock.advance(600_000);
  expect(state.snapshot().maintenance?.next).toEqual(new Map());
});

describe('maintenance that cannot be stored', () => {
  const windows = [{ id: 5, recurrence: 'none', checkIds: [1], transactionIds: [] } as const];
  const occurrence = {
    id: 1,
    maintenanceId: 5,
    fromSeconds: startSeconds + 60,
    toSeconds: startSeconds + 3600,
  };
  const planned = { windows, occurrences: [occurrence] };

  async function refused() {
    const parts = setUp();
    const { state, refuse } = parts;
    state.datasets.planned(new Map([['checks', 60] as const, ['maintenance', 600] as const]));
    list(state, [check(1, { status: 'down' })]);
    await state.setMaintenance({ windows: [], occurrences: [] });
    state.succeeded('maintenance', 0);
    refuse(new StoreError('full', 'no space left'));
    await expect(state.setMaintenance(planned)).rejects.toThrow('no space left');
    const isInMaintenance = () => state.snapshot().checks?.[0]?.maintenance?.active;
    return { ...parts, isInMaintenance };
  }

  test('is shown and closes the outage when it begins, but nothing is counted with it', async () => {
    const { state, clock, isInMaintenance } = await refused();
    const outages = state.listedOutages('check', true);
    await expect(state.totals.commit(() => present({ outages }))).rejects.toThrow('no space left');
    expect(state.snapshot().checks?.[0]?.outage?.open).toBe(true);

    await clock.advance(60_000);

    expect(isInMaintenance()).toBe(true);
    expect(state.snapshot().checks?.[0]?.outage?.open).toBe(false);
    expect(state.maintenance.occurrencesOf.check(1)).toEqual([]);
    expect(state.maintenance.read?.windows).toEqual([]);
  });

  test('does not become stale while it is read, and is read again after a restart', async () => {
    const { state, clock } = await refused();
    const names = () => state.storedSuccesses.map(({ name }) => name);
    await clock.advance(1_500_000);
    await expect(state.setMaintenance(planned)).rejects.toThrow('no space left');
    await clock.advance(1_500_000);

    expect(state.snapshot().datasets.maintenance?.stale).toBe(false);
    expect(names()).toEqual(['checks']);
  });

  test('has its effect on the counters when it is stored', async () => {
    const { state, refuse, clock, isInMaintenance } = await refused();
    refuse(undefined);
    await state.setMaintenance(planned);
    await clock.advance(60_000);

    expect(isInMaintenance()).toBe(true);
    expect(state.maintenance.occurrencesOf.check(1)).toHaveLength(1);
    expect(state.storedSuccesses.map(({ name }) => name)).toContain('maintenance');
  });

  test('is withdrawn when it is cancelled before it is stored', async () => {
    const { state, clock, isInMaintenance } = await refused();
    await state.setMaintenance({ windows: [], occurrences: [] });
    await clock.advance(60_000);

    expect(isInMaintenance()).not.toBe(true);
    expect(state.storedSuccesses.map(({ name }) => name)).toContain('maintenance');
  });
});

test('a series of alerts sent is 0 for three minutes before its first value, then the same object until another is counted or the list is read', async () => {
  const { state, clock } = setUp();
  state.succeeded('actions', 0);
  list(state, [check(7)]);
  const count = (minute: number) =>
    state.totals.commit(() => ({
      alerts: countEvents(
        state.alerts,
        { fromSeconds: startSeconds, toSeconds: startSeconds + 60 * minute },
        [{ atSeconds: startSeconds + 60 * minute - 1, key: '1', label: '7 email sent' }],
      ),
    }));
  await count(1);

  expect(state.snapshot().alertsSent).toMatchObject([{ checkId: 7, count: 0 }]);
  await clock.advance(179_000);
  expect(state.snapshot().alertsSent).toMatchObject([{ count: 0 }]);
  await clock.advance(1_000);
  const { alertsSent } = state.snapshot();
  expect(alertsSent).toMatchObject([{ checkId: 7, checkName: 'check 7', count: 1 }]);
  state.succeeded('credits', 1);
  expect(state.snapshot().alertsSent).toBe(alertsSent);
  await count(2);
  expect(state.snapshot().alertsSent).toMatchObject([{ count: 2 }]);
  list(state, [check(7, { name: 'new name' })]);
  expect(state.snapshot().alertsSent).toMatchObject([{ checkName: 'new name' }]);
});

test.each([
  ['a list without any', (state: AccountState) => state.datasets.of('transactions').succeeded(0)],
  ['a failed read', (state: AccountState) => state.datasets.of('transactions').failed(failure())],
])('transactions are unknown until there was %s', (_, read) => {
  const { state } = setUp();
  expect(state.size).toMatchObject({ transactions: 0, transactionsAreUnknown: true });
  // A dataset outside the plan would be shown as stale.
  expect(state.snapshot().datasets).not.toHaveProperty('transactions');

  read(state);

  expect(state.size).not.toHaveProperty('transactionsAreUnknown');
});

test('the shortest interval of the transactions follows each list, also one with the same transactions', () => {
  const { state } = setUp();
  const listed = (...intervals: readonly number[]) => {
    const entries = intervals.map((intervalSeconds, place) => ({
      id: place + 1,
      name: `transaction ${place + 1}`,
      kind: 'script' as const,
      status: 'successful' as const,
      tags: [],
      intervalSeconds,
    }));
    const states = startTally(check(1), {
      receivedAtSeconds: startSeconds,
      passedSeconds: startSeconds,
    });
    state.list('transaction', entries, () => ({ states }));
    return state.size.shortestTransactionSeconds;
  };

  expect(listed(600, 1_200)).toBe(600);
  expect(listed(600, 300)).toBe(300);
  expect(listed(600, 900)).toBe(600);

  state.leaveAll('transaction', 'dataset');
  expect(state.size).not.toHaveProperty('shortestTransactionSeconds');
});

test('the numbers of checks follow the list, and are the same object while no entry changes', () => {
  const { state } = setUp();
  const numbers = () =>
    [...(state.snapshot().checkCounts ?? [])].map(([type, counts]) => [
      type,
      counts.get('up'),
      counts.get('down'),
    ]);
  expect(state.snapshot().checkCounts).toBeUndefined();

  list(state, [check(1), check(2), check(3, { type: 'dns' })]);
  expect(numbers()).toEqual([
    ['http', 2, 0],
    ['dns', 1, 0],
  ]);
  const { checkCounts } = state.snapshot();
  state.setDetail('check', 1, 'activeProbes', 5);
  expect(state.snapshot().checkCounts).toBe(checkCounts);

  list(state, [check(1), check(2, { status: 'down' }), check(3, { type: 'dns' })]);
  expect(numbers()).toEqual([
    ['http', 1, 1],
    ['dns', 1, 0],
  ]);
  state.leave('check', [3], 'filter');
  expect(numbers()).toEqual([['http', 1, 1]]);
});
