import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError, type ApiErrorReason } from '../../src/api/errors.ts';
import type { Check } from '../../src/domain/check.ts';
import type { DatasetName, ItemId } from '../../src/domain/dataset.ts';
import { Agenda } from '../../src/schedule/agenda.ts';
import { intervalsOf } from '../../src/schedule/plan.ts';
import { Planner } from '../../src/schedule/planner.ts';
import { Poller } from '../../src/schedule/poller.ts';
import {
  alreadyKnown,
  nothingLeft,
  type Refresh,
  type RefreshResult,
} from '../../src/schedule/refresh.ts';
import { logAtFirstSight } from '../../src/slo/past.ts';
import type { AccountState } from '../../src/state/account-state.ts';
import type { CheckTotals } from '../../src/state/items/totals.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { startEventTally } from '../../src/tally/event-tally.ts';
import { startResultTally } from '../../src/tally/result-tally.ts';
import { startTally } from '../../src/tally/start-tally.ts';
import { shopState } from '../state/support/shop.ts';
import { budgetWith } from '../support/snapshots.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const nothingElse = { rejected: [], events: [], entries: 0 };
const noTotals = () => {
  throw new Error('there is no check');
};

/** Replaces the refresh of the check list. */
type FakeRefresh = (
  signal: AbortSignal,
  world: { clock: VirtualClock; state: AccountState },
) => ReturnType<Refresh>;

interface Replaced {
  readonly concurrency?: number;
  readonly refreshDetail?: Refresh;
  readonly refreshHistory?: Refresh;
  /** The result of reading the credits. */
  readonly credits?: RefreshResult;
}

function setUp(
  refreshChecks?: FakeRefresh,
  {
    concurrency = 4,
    refreshDetail = async () => nothingElse,
    refreshHistory = async () => nothingElse,
    credits = nothingElse,
  }: Replaced = {},
) {
  const clock = new VirtualClock();
  const log: string[] = [];
  const state = shopState({
    clock,
    responseTimeBounds: [],
  });
  const calls: { dataset: DatasetName; at: number }[] = [];
  const budget = { waitMilliseconds: 0, broken: false, isUsedUp: false };
  const agenda = new Agenda(() => 1, state);
  const refreshes = new Map<DatasetName, Refresh>([
    [
      'checks',
      async (_id, signal) => {
        called('checks');
        if (refreshChecks !== undefined) return await refreshChecks(signal, { clock, state });
        state.list('check', [], noTotals);
        return nothingElse;
      },
    ],
    [
      'credits',
      async () => {
        called('credits');
        state.setAccountData({ credits: {} });
        return credits;
      },
    ],
    ['detail', refreshDetail],
    [
      'history',
      (id, signal) => {
        called('history');
        return refreshHistory(id, signal);
      },
    ],
  ]);
  const called = (dataset: DatasetName) => calls.push({ dataset, at: clock.monotonic() });
  const poller = new Poller({
    state,
    clock,
    refreshes,
    agenda,
    planner: new Planner({
      agenda,
      datasets: new Set(refreshes.keys()),
      events: {
        planned: (plan) => state.datasets.planned(intervalsOf(plan)),
        planChanged: () => {},
      },
    }),
    budget: {
      msUntilAdmission: () => budget.waitMilliseconds,
      view: () => {
        if (budget.broken) throw new TypeError('oops');
        return budgetWith({ requestsPerSecond: 1, paused: budget.isUsedUp });
      },
    },
    concurrency,
    events: {
      changed: () => log.push('changed'),
      refreshed: ({ dataset }) => log.push(`refreshed ${dataset}`),
      failed: ({ dataset }, error) => {
        if (error.message.includes('told badly')) throw new RangeError('cannot be told');
        log.push(`failed ${dataset}: ${error.reason}`);
      },
      storeFailed: ({ reason }) => log.push(`store failed: ${reason}`),
      budgetUsedUp: () => log.push('budget used up'),
      budgetAllowsAgain: () => log.push('budget allows again'),
      loopFailed: (error) => log.push(`loop failed: ${error}`),
    },
  });
  poller.start();
  onTestFinished(() => poller.stop());
  const callsOf = (name: DatasetName) =>
    calls.filter(({ dataset }) => dataset === name).map(({ at }) => at / 1000);
  return { clock, poller, state, log, budget, callsOf };
}

function fails(reason: ApiErrorReason): FakeRefresh {
  return () => Promise.reject(new ApiError({ reason, operation: 'list_checks', message: 'no' }));
}

test('refreshes the check list every minute and the credits every quarter of an hour', async () => {
  const { clock, callsOf } = setUp();

  await clock.advance(30 * 60_000);

  expect(callsOf('checks')).toEqual(Array.from({ length: 31 }, (_, minute) => minute * 60));
  const [first, second = 0, third] = callsOf('credits');
  expect(first).toBe(0);
  expect(third).toBe(second + 900);
});

test('starts nothing while the budget admits nothing', async () => {
  const { clock, callsOf, budget } = setUp();
  await clock.advance(1_000);
  budget.waitMilliseconds = 3_600_000;

  await clock.advance(3_000_000);
  expect(callsOf('checks')).toEqual([0]);
  budget.waitMilliseconds = 0;
  await clock.advance(10_000);
  expect(callsOf('checks')).toHaveLength(2);
});

test('a request that the budget refused is no failure and is tried again soon', async () => {
  const { clock, callsOf, state, log } = setUp(fails('budget'));

  await clock.advance(2_500);

  expect(callsOf('checks')).toEqual([0, 1, 2]);
  expect(state.snapshot().datasets.checks).not.toHaveProperty('failure');
  expect(log).not.toContain('failed checks: budget');
});

test('an item that is too early is tried again every minute, and nothing is told of it', async () => {
  const early = { rejected: [], events: [], isTooEarly: true } as const;
  const { clock, callsOf, log, state } = setUp(() => Promise.resolve(early));

  await clock.advance(150_000);

  expect(callsOf('checks')).toEqual([0, 60, 120]);
  expect(log).not.toContain('refreshed checks');
  expect(state.datasets.of('checks').hasSucceeded).toBe(false);
});

test('a list whose totals cannot be stored keeps its interval, and so do the other datasets', async () => {
  const refused = new StoreError('full', 'no space left');
  const { clock, callsOf, log, state } = setUp(() => Promise.reject(refused));

  await clock.advance(3_600_000);

  expect(callsOf('checks')).toEqual(Array.from({ length: 61 }, (_, minute) => minute * 60));
  expect(callsOf('credits')).toHaveLength(5);
  expect(log.filter((line) => line === 'store failed: full')).toHaveLength(61);
  expect(state.snapshot().datasets.checks).not.toHaveProperty('failure');
});

test('a past that cannot be stored is read again a minute later, until it is stored', async () => {
  const refused = new StoreError('full', 'no space left');
  const id = 7;
  const atSeconds = new VirtualClock().now() / 1000;
  const entry: Check = {
    id,
    name: 'shop',
    type: 'http',
    status: 'up',
    tags: [],
    createdAtSeconds: atSeconds - 30 * 86_400,
    lastErrorAtSeconds: atSeconds - 86_400,
    lastTestAtSeconds: atSeconds,
  };
  const look = { receivedAtSeconds: atSeconds, passedSeconds: atSeconds };
  const states = startTally(entry, look);
  const log = logAtFirstSight(entry, entry.status, states.startSeconds);
  const totals: CheckTotals = {
    states,
    ...(log !== undefined && { log }),
    results: startResultTally(atSeconds, []),
    analyses: startEventTally(atSeconds),
  };
  let isFull = true;
  const { clock, callsOf } = setUp(
    async (_signal, { state }) => {
      state.list('check', [entry], () => totals);
      return nothingElse;
    },
    {
      refreshHistory: async () => {
        if (isFull) throw refused;
        return nothingElse;
      },
    },
  );

  await clock.advance(600_000);
  const [first = 0, ...more] = callsOf('history');
  expect(more.map((at) => Math.round(at - first))).toEqual([
    60, 120, 180, 240, 300, 360, 420, 480, 540,
  ]);
  isFull = false;
  await clock.advance(120_000);
  expect(callsOf('history')).toHaveLength(11);
});

test('a failure is reported once per attempt, and retried with growing delays', async () => {
  const { clock, callsOf, log } = setUp(fails('server_error'));

  await clock.advance(500_000);

  expect(callsOf('checks')).toEqual([0, 60, 180, 420]);
  expect(log.filter((line) => line === 'failed checks: server_error')).toHaveLength(4);
});

test.each(['not_found', 'forbidden', 'bad_request'] as const)(
  'a check that the service refuses (%s) waits for its next interval, and the other checks are read',
  async (reason) => {
    const asked: ItemId[] = [];
    const checks = [1, 2, 3, 4].map(
      (id): Check => ({ id, name: `check ${id}`, type: 'http', status: 'paused', tags: [] }),
    );
    const lists: FakeRefresh = async (_signal, { state }) => {
      state.list('check', checks, (check) => ({
        states: startTally(check, { receivedAtSeconds: 0, passedSeconds: 0 }),
        results: startResultTally(0, []),
        analyses: startEventTally(0),
      }));
      return { ...nothingElse, entries: checks.length };
    };
    const refuses = async (id: ItemId) => {
      asked.push(id);
      if (id === 4) return nothingElse;
      throw new ApiError({ reason, operation: 'get_check', message: 'no' });
    };
    const { clock, log } = setUp(lists, { concurrency: 1, refreshDetail: refuses });

    await clock.advance(3 * 3_600_000);

    expect(asked.toSorted()).toEqual([1, 2, 3, 4]);
    expect(log.filter((line) => line === `failed detail: ${reason}`)).toHaveLength(3);
  },
);

test('a reload tries at once what failed', async () => {
  const { clock, poller, callsOf } = setUp(fails('forbidden'));
  await clock.advance(100_000);
  expect(callsOf('checks')).toEqual([0]);

  poller.retryNow();
  await clock.advance(1_000);

  expect(callsOf('checks')).toEqual([0, 100]);
});

test('a list that is refused with a 401 is read again a minute later', async () => {
  const outcomes = ['unauthorized', undefined, undefined] as const;
  let lists = 0;
  const { clock, callsOf, log, state } = setUp(async () => {
    const reason = outcomes[lists++];
    if (reason !== undefined) throw new ApiError({ reason, operation: 'list_checks', message: '' });
    return nothingElse;
  });

  await clock.advance(30_000);
  expect(state.snapshot().datasets.checks.failure?.reason).toBe('refused');
  await clock.advance(90_000);

  expect(callsOf('checks')).toEqual([0, 60, 120]);
  expect(log).toContain('failed checks: refused');
  expect(log).not.toContain('failed checks: unauthorized');
});

test('credentials that two lists refuse are tried rarely, and once more when another dataset is read', async () => {
  const { clock, callsOf, log } = setUp(fails('unauthorized'));

  await clock.advance(3_600_000);

  const again = callsOf('credits').find((at) => at > 300) ?? Number.NaN;
  expect(callsOf('checks').map(Math.floor)).toEqual(
    [0, 60, ...[0, 60, 960, 1020, 1920, 1980, 2880, 2940].map((at) => again + at)].map(Math.floor),
  );
  expect(log.filter((line) => line.startsWith('failed checks')).slice(0, 4)).toEqual([
    'failed checks: refused',
    'failed checks: unauthorized',
    'failed checks: refused',
    'failed checks: unauthorized',
  ]);
});

test('credentials stay unauthorized while other datasets succeed without a request', async () => {
  const { clock, callsOf, log, state } = setUp(fails('unauthorized'), { credits: alreadyKnown(1) });

  await clock.advance(3_600_000);

  expect(callsOf('credits').length).toBeGreaterThan(1);
  expect(state.snapshot().datasets.checks.failure?.reason).toBe('unauthorized');
  const failures = log.filter((line) => line.startsWith('failed checks'));
  expect(new Set(failures)).toEqual(new Set(['failed checks: unauthorized']));
});

test('a success without a request ends no wait for the service, and is not reported', async () => {
  const { clock, callsOf, log } = setUp(fails('connection'), { credits: alreadyKnown(1) });

  await clock.advance(2 * 3_600_000);

  expect(callsOf('credits').length).toBeGreaterThan(1);
  const times = callsOf('checks');
  const waits = times.slice(1).map((at, place) => Math.round(at - (times[place] ?? 0)));
  expect(waits.length).toBeGreaterThan(3);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(log).not.toContain('refreshed credits');
});

test('a failure is over when nothing is left to read', async () => {
  let attempts = 0;
  const refreshDetail: Refresh = async () => {
    attempts += 1;
    if (attempts > 1) return nothingLeft;
    throw new ApiError({ reason: 'server_error', operation: 'get_check', message: 'no' });
  };
  const check: Check = { id: 1, name: 'shop', type: 'http', status: 'paused', tags: [] };
  const lists: FakeRefresh = async (_signal, { state }) => {
    state.list('check', [check], () => ({
      states: startTally(check, { receivedAtSeconds: 0, passedSeconds: 0 }),
      results: startResultTally(0, []),
      analyses: startEventTally(0),
    }));
    return { ...nothingElse, entries: 1 };
  };
  const { clock, log, state } = setUp(lists, { refreshDetail });

  await clock.advance(10_000);
  expect(state.snapshot().datasets.detail?.failure?.reason).toBe('server_error');
  await clock.advance(600_000);

  expect(attempts).toBeGreaterThan(1);
  expect(state.snapshot().datasets.detail?.failure).toBeUndefined();
  expect(log).toContain('refreshed detail');
});

test('a budget that is used up for long is reported once, and that it allows requests again', async () => {
  const { clock, budget, log } = setUp();
  const reported = () => log.filter((line) => line.startsWith('budget'));
  await clock.advance(90_000);
  budget.waitMilliseconds = 59_000;
  budget.isUsedUp = true;
  await clock.advance(120_000);
  expect(reported()).toEqual([]);

  budget.waitMilliseconds = 1_800_000;
  await clock.advance(600_000);
  expect(reported()).toEqual(['budget used up']);

  budget.waitMilliseconds = 0;
  budget.isUsedUp = false;
  await clock.advance(60_000);
  expect(reported()).toEqual(['budget used up', 'budget allows again']);
});

test('a mistake of the exporter itself is reported as such and the rest goes on', async () => {
  const { clock, callsOf, log } = setUp(() => Promise.reject(new TypeError('oops')));

  await clock.advance(900_000);

  expect(log).toContain('failed checks: internal');
  expect(callsOf('credits').length).toBeGreaterThan(1);
});

test('never runs two refreshes of one dataset at once', async () => {
  let running = 0;
  let most = 0;
  const { clock } = setUp(async (signal, world) => {
    running++;
    most = Math.max(most, running);
    try {
      await world.clock.sleep(200_000, signal);
    } catch (cause) {
      throw new ApiError({ reason: 'aborted', operation: 'list_checks', message: 'end', cause });
    } finally {
      running--;
    }
    return nothingElse;
  });

  await clock.advance(1_000_000);

  expect(most).toBe(1);
});

test('sleeps while no refresh can be started, and starts the next as soon as one ends', async () => {
  const { clock, callsOf } = setUp(
    async (signal, world) => {
      await world.clock.sleep(59_500, signal);
      world.state.list('check', [], noTotals);
      return nothingElse;
    },
    { concurrency: 1 },
  );
  const sleeps = vi.spyOn(clock, 'sleep');

  await clock.advance(59_499);
  expect(callsOf('credits')).toEqual([]);
  expect(sleeps.mock.calls.length).toBeLessThan(10);
  await clock.advance(1);
  expect(callsOf('credits')).toEqual([59.5]);
});

describe('a refresh that only waits for the store', () => {
  const checks = Array.from(
    { length: 300 },
    (_, id): Check => ({ id, name: `check ${id}`, type: 'http', status: 'paused', tags: [] }),
  );
  const lists: FakeRefresh = async (_signal, { state }) => {
    state.list('check', checks, (check) => ({
      states: startTally(check, { receivedAtSeconds: 0, passedSeconds: 0 }),
      results: startResultTally(0, []),
      analyses: startEventTally(0),
    }));
    return nothingElse;
  };

  /** All details have been read and wait for the store, which responds when the test ends. */
  function onDiskThatHangs(refreshChecks: FakeRefresh) {
    let answer = () => {};
    const stored = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const waiting = new Set<ItemId>();
    const refreshDetail: Refresh = async (id, _signal, allRead) => {
      waiting.add(id);
      allRead?.();
      await stored;
      return nothingElse;
    };
    const set = setUp(refreshChecks, { concurrency: 1, refreshDetail });
    onTestFinished(() => answer());
    return { ...set, waiting };
  }

  test('takes no place from the check list, which is read every minute', async () => {
    const { clock, callsOf, waiting } = onDiskThatHangs(lists);

    await clock.advance(600_000);

    expect(waiting.size).toBeGreaterThan(10);
    expect(callsOf('checks').slice(0, 4)).toEqual([0, 60, 120, 180]);
  });

  test('is one of at most a hundred', async () => {
    const { clock, waiting } = onDiskThatHangs(lists);

    await clock.advance(3_600_000);

    expect(waiting.size).toBe(101);
  });
});

test('reports that the page changed when data grow stale although nothing else happens', async () => {
  const { clock, log, state } = setUp(async (signal, world) => {
    if (world.clock.monotonic() > 0) await world.clock.sleep(Number.MAX_SAFE_INTEGER, signal);
    world.state.list('check', [], noTotals);
    return nothingElse;
  });
  await clock.advance(290_000);
  log.length = 0;

  await clock.advance(21_000);

  expect(state.snapshot().datasets.checks.stale).toBe(true);
  expect(log).toEqual(['changed']);
});

test('reports that the page changed when maintenance begins and when it ends although nothing else happens', async () => {
  const { clock, log, state, budget } = setUp();
  await clock.advance(1_000);
  budget.waitMilliseconds = 3_600_000;
  const now = clock.now() / 1000;
  await state.setMaintenance({
    windows: [{ id: 5, recurrence: 'none', checkIds: [], transactionIds: [] }],
    occurrences: [{ maintenanceId: 5, fromSeconds: now + 60, toSeconds: now + 120 }],
  });
  await clock.advance(50_000);
  log.length = 0;

  await clock.advance(21_000);
  expect(log).toEqual(['changed']);
  await clock.advance(60_000);
  expect(log).toEqual(['changed', 'changed']);
});

test('stopping gives up what is under way and leaves nothing behind', async () => {
  let reason: unknown;
  const { clock, poller, log } = setUp(async (signal, world) => {
    await world.clock.sleep(1_000_000, signal).catch((error) => {
      reason = error;
    });
    throw new ApiError({ reason: 'aborted', operation: 'list_checks', message: 'given up' });
  });
  await clock.advance(1_000);

  await poller.stop();

  expect(reason).toBeInstanceOf(Error);
  expect(clock.sleepers).toBe(0);
  expect(log.filter((line) => line.startsWith('failed'))).toEqual([]);
});

test('the loop turns even when nothing is due, so that silence means it is stuck', async () => {
  const { clock, poller } = setUp();
  await clock.advance(45_000);
  expect(poller.silentFor).toBeLessThan(10_001);
});

test('a mistake in the loop itself ends neither the loop nor the process', async () => {
  const { clock, callsOf, budget, log, poller } = setUp();
  await clock.advance(30_000);
  budget.broken = true;

  await clock.advance(60_000);
  expect(log.filter((line) => line === 'loop failed: TypeError: oops').length).toBeGreaterThan(10);
  expect(poller.silentFor).toBeLessThan(10_001);
  budget.broken = false;
  await clock.advance(120_000);

  expect(callsOf('checks').length).toBeGreaterThanOrEqual(2);
});

test('a refresh whose end cannot be noted is tried again', async () => {
  const { clock, callsOf, log } = setUp(() => {
    const message = 'told badly';
    return Promise.reject(new ApiError({ reason: 'timeout', operation: 'list_checks', message }));
  });

  await clock.advance(500_000);

  expect(log).toContain('loop failed: RangeError: cannot be told');
  expect(callsOf('checks').length).toBeGreaterThan(2);
});
