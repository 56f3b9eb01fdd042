import type { BudgetView } from '../../src/budget/budget-view.ts';
import type { CheckStatus } from '../../src/domain/check.ts';
import type { StateSpan } from '../../src/domain/interval.ts';
import type { AccountStatus } from '../../src/http/ports.ts';
import type { ItemStates } from '../../src/slo/reported-states.ts';
import { type StateChange, StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog, type StateLog } from '../../src/slo/state-log.ts';
import type { AccountSnapshot, CheckRow, DatasetStatus } from '../../src/state/snapshot.ts';

/** Monday 2026-01-05 12:00:00 UTC, where `VirtualClock` starts. */
export const noon = 1_767_614_400;

export function checkWith(overrides: Partial<CheckRow> & Pick<CheckRow, 'id'>): CheckRow {
  return {
    name: `check ${overrides.id}`,
    type: 'http',
    status: 'up',
    hostname: `host${overrides.id}.example.com`,
    tags: [],
    resolutionSeconds: 60,
    lastTestAtSeconds: noon - 20,
    ...overrides,
  };
}

export function datasetWith(overrides: Partial<DatasetStatus> = {}): DatasetStatus {
  return {
    intervalSeconds: 60,
    lastAttemptAtSeconds: noon - 25,
    lastSuccessAtSeconds: noon - 25,
    items: 5,
    stale: false,
    ...overrides,
  };
}

export function budgetWith(overrides: Partial<BudgetView> = {}): BudgetView {
  return {
    mode: 'headers',
    windows: {
      short: { limit: 400, remaining: 312, reserve: 80, resetSeconds: 1_500 },
      long: { limit: 72_000, remaining: 51_840, reserve: 14_400, resetSeconds: 1_814_400 },
    },
    requestsPerSecond: 0.02,
    paused: false,
    inFlight: 0,
    ...overrides,
  };
}

const statuses: readonly CheckStatus[] = ['up', 'down', 'unconfirmed_down', 'unknown', 'paused'];

/** An account without problems, with one check in each status. */
export function healthySnapshot(overrides: Partial<AccountSnapshot> = {}): AccountSnapshot {
  return {
    account: 'main',
    apiVersion: '3.1',
    baseUrl: 'https://api.example.com',
    up: true,
    checks: statuses.map((status, index) =>
      checkWith({
        id: index + 1,
        status,
        ...(status === 'down' ? { lastDownStartAtSeconds: noon - 3_840 } : {}),
      }),
    ),
    datasets: {
      checks: datasetWith(),
      credits: datasetWith({ intervalSeconds: 900, lastSuccessAtSeconds: noon - 400, items: 1 }),
    },
    ...overrides,
  };
}

const untouched: DatasetStatus = { intervalSeconds: 60, stale: true };

/** Each state lasts until the next; nothing is known before the first. */
export function logOf(changes: readonly [StateChange, ...StateChange[]]): StateLog {
  return { ...emptyLog(changes[0].fromSeconds), changes: StateChanges.of(changes) };
}

/** Items with these states, which end at their horizons, keyed by id. */
export function statesBy(spans: Readonly<Record<number, readonly StateSpan[]>>) {
  return (id: number): ItemStates | undefined => {
    const [first, last] = [spans[id]?.[0], spans[id]?.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const changes = StateChanges.of(spans[id] ?? []);
    const { fromSeconds: startSeconds } = first;
    const { toSeconds: horizonSeconds, state } = last;
    const log = { ...emptyLog(startSeconds), changes };
    return {
      known: { states: { startSeconds, horizonSeconds, state }, log },
      endSeconds: horizonSeconds,
    };
  };
}

/** Accounts in each state that the status page distinguishes, keyed by that state. */
export const accountsByState = {
  ok: { snapshot: healthySnapshot(), budget: budgetWith() },
  starting: {
    snapshot: {
      account: 'new',
      apiVersion: '2.1',
      baseUrl: 'https://api.example.com',
      up: false,
      datasets: { checks: untouched, credits: untouched },
    },
    budget: budgetWith({
      mode: 'learning',
      windows: {},
      requestsPerSecond: 100 / 3_600,
      inFlight: 1,
    }),
  },
  failing: {
    snapshot: healthySnapshot({
      account: 'flaky',
      up: false,
      datasets: {
        checks: datasetWith({
          lastSuccessAtSeconds: noon - 130,
          failure: {
            reason: 'timeout',
            message: 'no answer within 10 s',
            sinceSeconds: noon - 65,
            consecutive: 1,
          },
        }),
        credits: datasetWith(),
      },
    }),
    budget: budgetWith(),
  },
  stale: {
    snapshot: healthySnapshot({
      account: 'cut off',
      up: false,
      datasets: {
        checks: datasetWith({
          lastSuccessAtSeconds: noon - 7_200,
          stale: true,
          failure: {
            reason: 'dns',
            message: 'api.example.com does not resolve',
            sinceSeconds: noon - 7_140,
            consecutive: 24,
          },
        }),
        credits: datasetWith({ intervalSeconds: 900 }),
      },
    }),
    budget: budgetWith(),
  },
  unauthorized: {
    snapshot: {
      account: 'locked out',
      apiVersion: '3.1',
      baseUrl: 'https://api.example.com',
      up: false,
      datasets: {
        checks: {
          ...untouched,
          failure: {
            reason: 'unauthorized',
            message: 'HTTP 401',
            sinceSeconds: noon - 300,
            consecutive: 3,
          },
        },
        credits: untouched,
      },
    },
    budget: budgetWith(),
  },
  paused: {
    snapshot: healthySnapshot({ account: 'spent' }),
    budget: budgetWith({
      windows: {
        short: { limit: 400, remaining: 0, reserve: 80, resetSeconds: 95 },
        long: { limit: 72_000, remaining: 14_000, reserve: 14_400, resetSeconds: 86_400 },
      },
      requestsPerSecond: 0,
      paused: true,
    }),
  },
} as const satisfies { readonly [state: string]: AccountStatus };

/** The account, in whose snapshot this is different. */
export function accountWith(
  status: AccountStatus,
  overrides: Partial<AccountSnapshot>,
): AccountStatus {
  return { ...status, snapshot: { ...status.snapshot, ...overrides } };
}

/** An account without problems, in whose snapshot this is different. */
export const healthyAccount = (overrides: Partial<AccountSnapshot>) =>
  accountWith(accountsByState.ok, overrides);

/** Exhausted after a 429 without limit headers: both windows are nearly full. */
export const refusedAccount: AccountStatus = {
  snapshot: healthySnapshot({ account: 'refused' }),
  budget: budgetWith({ paused: true, retrySeconds: 200 }),
};
