import { budgetModes, type WindowView } from '../../budget/budget-view.ts';
import { datasetNames } from '../../domain/dataset.ts';
import { windowNames } from '../../domain/rate-limit.ts';
import { talliedStates } from '../../domain/totals.ts';
import type { DatasetStatus } from '../../state/snapshot.ts';
import type { SampleValue, ViewFamily } from './family.ts';

/** The exporter's own state of each account: its datasets, and the budget of its API requests. */
export const viewFamilies: readonly ViewFamily[] = [
  dataset(
    'last_success_timestamp_seconds',
    'UNIX time of the last refresh that worked.',
    (status) => status.lastSuccessAtSeconds,
  ),
  dataset(
    'last_attempt_timestamp_seconds',
    'UNIX time of the last refresh, whether it worked or not.',
    (status) => status.lastAttemptAtSeconds,
  ),
  dataset(
    'interval_seconds',
    'Planned time between two refreshes.',
    (status) => status.intervalSeconds,
  ),
  dataset('items', 'Entries in the last refresh that worked.', (status) => status.items),
  dataset(
    'stale',
    '1 when there are no data or they are too old, so that their series are withdrawn.',
    (status) => status.stale,
  ),
  {
    ...gauge('api_requests_in_flight', 'API requests that are under way.'),
    samples: ({ budget }, emit) => emit(budget.inFlight),
  },
  rateLimit(
    'remaining',
    'Requests left in the window, those in flight taken off.',
    (view) => view.remaining,
  ),
  rateLimit(
    'limit',
    'Size of the window in requests: the most that was seen to be left.',
    (view) => view.limit,
  ),
  rateLimit(
    'reserve',
    "Requests of the window that are left to the account's other users.",
    (view) => view.reserve,
  ),
  rateLimit(
    'reset_timestamp_seconds',
    'UNIX time at which the window resets.',
    (view, nowSeconds) => Math.round(nowSeconds + view.resetSeconds),
  ),
  {
    ...gauge('budget_requests_per_second', 'Requests that the budget sustains.'),
    samples: ({ budget }, emit) => emit(budget.requestsPerSecond),
  },
  {
    ...gauge(
      'budget_mode',
      "What the budget rests on, 1 for the one mode: learning, the service's headers, or the fallback.",
      'mode',
    ),
    samples: ({ budget }, emit) => {
      for (const mode of budgetModes) emit(budget.mode === mode, mode);
    },
  },
  {
    ...gauge('budget_paused', '1 while the budget holds every request back, else 0.'),
    samples: ({ budget }, emit) => emit(budget.paused),
  },
  {
    ...gauge(
      'demand_requests_per_second',
      'Requests that refreshing every dataset as often as is of use takes, whatever the budget.',
    ),
    samples: ({ schedule }, emit) => emit(schedule.demandRequestsPerSecond),
  },
  {
    ...gauge(
      'dataset_missing_requests_per_second',
      'Requests that the budget lacks to refresh the dataset often enough to be of use; 0 when it suffices.',
      'dataset',
    ),
    samples: ({ schedule }, emit) => {
      for (const [name, missing] of Object.entries(schedule.missingRequestsPerSecond)) {
        emit(missing, name);
      }
    },
  },
  {
    ...gauge('agenda_items', 'Items that wait for their turn to be refreshed, by class.', 'class'),
    samples: ({ schedule }, emit) => {
      for (const [name, count] of Object.entries(schedule.items)) emit(count, name);
    },
  },
  {
    ...gauge(
      'agenda_oldest_due_seconds',
      'For how long the longest due item has been waiting; 0 when nothing is due.',
    ),
    samples: ({ schedule }, emit) => emit(schedule.oldestDueSeconds),
  },
  {
    ...gauge(
      'counted_until_timestamp_seconds',
      "UNIX time by the service's clock up to which every check that is tested is counted.",
    ),
    samples: ({ counting }, emit) => emit(counting?.countedUntilSeconds),
  },
  {
    ...gauge(
      'tally_lag_seconds',
      'How far the counters of the check that is furthest behind are from its last test.',
    ),
    samples: ({ counting }, emit) => emit(counting?.lagSeconds),
  },
  {
    ...gauge(
      'late_seconds_total',
      "Seconds of checks that were counted later than twice the planned interval, or than twice the check's.",
      'state',
    ),
    type: 'counter',
    samples: ({ counting }, emit) => {
      if (counting === undefined) return;
      for (const state of talliedStates) emit(counting.lateSeconds[state], state);
    },
  },
  {
    ...gauge(
      'maintenance_known',
      '1 when maintenance was read, 0 while none is assumed because it cannot be read or is switched off.',
    ),
    samples: ({ counting }, emit) => emit(counting && counting.maintenance.is === 'known'),
  },
];

function gauge(suffix: string, help: string, ...labels: readonly string[]) {
  const name = `uptime_exporter_${suffix}`;
  return { name, type: 'gauge', help, commonLabels: ['account'], labels } as const;
}

function dataset(
  suffix: string,
  help: string,
  value: (status: DatasetStatus) => SampleValue,
): ViewFamily {
  return {
    ...gauge(`dataset_${suffix}`, help, 'dataset'),
    samples: ({ snapshot }, emit) => {
      for (const name of datasetNames) {
        const status = snapshot.datasets[name];
        if (status !== undefined) emit(value(status), name);
      }
    },
  };
}

function rateLimit(
  suffix: string,
  help: string,
  value: (view: WindowView, nowSeconds: number) => number,
): ViewFamily {
  return {
    ...gauge(`rate_limit_${suffix}`, help, 'window'),
    samples: ({ budget }, emit, nowSeconds) => {
      for (const name of windowNames) {
        const view = budget.windows[name];
        emit(view && value(view, nowSeconds), name);
      }
    },
  };
}
