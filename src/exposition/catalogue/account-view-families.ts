import { budgetModes, type WindowView } from '../../budget/budget-view.ts';
import { windowSize } from '../../budget/window-size.ts';
import { datasetNames } from '../../domain/dataset.ts';
import { talliedStates } from '../../domain/interval.ts';
import { windowNames } from '../../domain/rate-limit.ts';
import type { DatasetStatus } from '../../state/snapshot.ts';
import {
  exporterFamily,
  type Family,
  lean,
  type SampledFamily,
  type SampleValue,
  type ScrapedAccount,
} from './family.ts';

/** The exporter's own state of each account: its datasets, and the budget of its API requests. */
export const accountViewFamilies: readonly SampledFamily<ScrapedAccount>[] = [
  {
    ...family(
      'account_failure',
      '1 while the check list of the account cannot be read, for this reason; 0 with reason="none" while it can. One series for each account. The reason is starting until the first attempt has ended, budget while the budget holds back every request or the service answered 429, and otherwise as in uptime_exporter_dataset_errors_total.',
      'reason',
    ),
    samples: ({ failure }, { emit }) => emit(failure !== 'none', failure),
  },
  dataset(
    'last_success_timestamp_seconds',
    'UNIX time of the last successful refresh.',
    'lastSuccessAtSeconds',
  ),
  dataset(
    'last_attempt_timestamp_seconds',
    'UNIX time of the last refresh, successful or not.',
    'lastAttemptAtSeconds',
  ),
  dataset('interval_seconds', 'Planned interval between refreshes.', 'intervalSeconds'),
  ofAccount(
    'outage_delay_seconds',
    'How late an outage may be seen after the service shows it: the time between the last check list and the next.',
    ({ list }) => list?.outageDelaySeconds,
  ),
  lean('nothing', dataset('items', 'Entries in the last successful refresh.', 'items')),
  dataset(
    'stale',
    '1 when the data are missing or too old, so that their gauges are withdrawn; else 0.',
    'stale',
  ),
  {
    ...family(
      'dataset_failure',
      '1 while the last refresh of the dataset has failed, by reason as in uptime_exporter_dataset_errors_total; otherwise absent.',
      'dataset',
      'reason',
    ),
    samples: ({ snapshot }, { emit }) => {
      for (const name of datasetNames) {
        const reason = snapshot.datasets[name]?.failure?.reason;
        if (reason !== undefined) emit(1, name, reason);
      }
    },
  },
  lean(
    'nothing',
    ofAccount('api_requests_in_flight', 'API requests in flight.', ({ budget }) => budget.inFlight),
  ),
  rateLimit(
    'remaining',
    'Requests left in the window, minus those in flight.',
    (view) => view.remaining,
  ),
  rateLimit(
    'limit',
    'Requests that the window grants: the largest remaining value seen, and those sent before it.',
    (view) => windowSize(view),
  ),
  rateLimit(
    'reserve',
    "Requests of the window that are reserved for the account's other clients.",
    (view) => view.reserve,
  ),
  rateLimit(
    'reset_timestamp_seconds',
    'UNIX time at which the window resets.',
    (view, nowSeconds) => Math.round(nowSeconds + view.resetSeconds),
  ),
  ofAccount(
    'budget_requests_per_second',
    'Sustainable request rate of the budget.',
    ({ budget }) => budget.requestsPerSecond,
  ),
  {
    ...lean(
      'nothing',
      family(
        'budget_mode',
        'Source of the budget, 1 for the current mode: learning, headers or fallback.',
        'mode',
      ),
    ),
    samples: ({ budget }, { emit }) => {
      for (const mode of budgetModes) emit(budget.mode === mode, mode);
    },
  },
  ofAccount(
    'budget_paused',
    '1 while the budget holds back every request, else 0.',
    ({ budget }) => budget.paused,
  ),
  ofAccount(
    'demand_requests_per_second',
    'Request rate needed to refresh every dataset as often as is useful, regardless of the budget.',
    ({ schedule }) => schedule.demandRequestsPerSecond,
  ),
  {
    ...lean(
      'nothing',
      family(
        'dataset_missing_requests_per_second',
        'Request rate missing to refresh the dataset often enough to be useful; 0 when the budget suffices.',
        'dataset',
      ),
    ),
    samples: ({ schedule }, { emit }) => {
      for (const [name, missing] of Object.entries(schedule.missingRequestsPerSecond)) {
        emit(missing, name);
      }
    },
  },
  {
    ...lean('nothing', family('agenda_items', 'Refresh tasks that wait, by class.', 'class')),
    samples: ({ schedule }, { emit }) => {
      for (const [name, count] of Object.entries(schedule.items)) emit(count, name);
    },
  },
  lean(
    'nothing',
    ofAccount(
      'agenda_oldest_due_seconds',
      'How long the oldest due item has been waiting; 0 when nothing is due.',
      ({ schedule }) => schedule.oldestDueSeconds,
    ),
  ),
  {
    ...family(
      'dataset_overdue_seconds',
      'How long the item of the dataset that waits longest has been due; 0 when none is due.',
      'dataset',
    ),
    samples: ({ schedule }, { emit }) => {
      for (const [name, seconds] of Object.entries(schedule.overdueSeconds)) emit(seconds, name);
    },
  },
  ofAccount(
    'counted_until_timestamp_seconds',
    "UNIX time, by the service's clock, up to which the counters of all tested checks are complete.",
    ({ counting }) => counting?.countedUntilSeconds,
  ),
  ofAccount(
    'tally_lag_seconds',
    'Largest time between the counters of a check and its last test.',
    ({ counting }) => counting?.lagSeconds,
  ),
  {
    ...lean(
      'nothing',
      family(
        'late_seconds_total',
        "Seconds, over all checks, that were counted later than twice the planned interval or twice the check's resolution.",
        'state',
      ),
    ),
    samples: ({ counting }, { emit }) => {
      if (counting === undefined) return;
      for (const state of talliedStates) emit(counting.lateSeconds[state], state);
    },
  },
  ofAccount(
    'unread_past_checks',
    'Checks whose outages before first sight are not read yet.',
    ({ firstSight }) => firstSight?.pastsLeft ?? 0,
  ),
  {
    ...family(
      'past_read_timestamp_seconds',
      'UNIX time by which the past of all checks is read at the current budget; absent after that, and while the check list cannot be read or the budget holds back every request.',
    ),
    samples: ({ firstSight, nowSeconds }, { emit }) => {
      const seconds = firstSight?.doneInSeconds;
      emit(seconds === undefined ? undefined : Math.round(nowSeconds + seconds));
    },
  },
  lean(
    'nothing',
    ofAccount(
      'maintenance_known',
      '1 when maintenance is known, or was read earlier; 0 while counters wait for it, or none is assumed because it is disabled or cannot be read.',
      ({ counting }) => counting && ['known', 'earlier'].includes(counting.maintenance.is),
    ),
  ),
];

function family(suffix: string, help: string, ...labels: readonly string[]): Family {
  return { ...exporterFamily(suffix, help, labels), commonLabels: ['account'] };
}

function ofAccount(
  suffix: string,
  help: string,
  value: (view: ScrapedAccount) => SampleValue,
): SampledFamily<ScrapedAccount> {
  return { ...family(suffix, help), samples: (view, { emit }) => emit(value(view)) };
}

function dataset(
  suffix: string,
  help: string,
  field: Exclude<keyof DatasetStatus, 'failure'>,
): SampledFamily<ScrapedAccount> {
  return {
    ...family(`dataset_${suffix}`, help, 'dataset'),
    samples: ({ snapshot }, { emit }) => {
      for (const name of datasetNames) {
        const status = snapshot.datasets[name];
        if (status !== undefined) emit(status[field], name);
      }
    },
  };
}

function rateLimit(
  suffix: string,
  help: string,
  value: (view: WindowView, nowSeconds: number) => number,
): SampledFamily<ScrapedAccount> {
  return {
    ...family(`rate_limit_${suffix}`, help, 'window'),
    samples: ({ budget, nowSeconds }, { emit }) => {
      for (const name of windowNames) {
        const view = budget.windows[name];
        emit(view && value(view, nowSeconds), name);
      }
    },
  };
}
