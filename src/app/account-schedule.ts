import {
  type AccountSettings,
  defaultConcurrency,
  defaultResponseTimeBounds,
} from '../config/account.ts';
import { pastsInTurn } from '../datasets/history.ts';
import { type CreatedRefreshes, createRefreshes } from '../datasets/index.ts';
import { type DatasetName, datasetPolicies } from '../domain/dataset.ts';
import type { AccountFeature } from '../feature.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { Random } from '../lib/random.ts';
import { Agenda } from '../schedule/agenda.ts';
import { intervalsOf } from '../schedule/plan.ts';
import { Planner } from '../schedule/planner.ts';
import { Poller } from '../schedule/poller.ts';
import type { AccountState } from '../state/account-state.ts';
import type { Policies } from '../state/standing/policies.ts';
import type { AccountListeners } from './account-events.ts';
import type { AccountRequests } from './account-service.ts';

/** The parts that decide when an account is refreshed, and that refresh it. */
export interface AccountSchedule {
  readonly refreshes: CreatedRefreshes;
  readonly agenda: Agenda;
  readonly planner: Planner;
  /** A poller that was stopped cannot start again. */
  readonly newPoller: () => Poller;
}

interface ScheduleParts {
  readonly requests: AccountRequests;
  readonly state: AccountState;
  readonly policies: Policies;
  readonly clock: Clock;
  readonly random: Random;
  readonly listeners: AccountListeners;
  readonly features: readonly AccountFeature[];
}

export function isEnabled({ datasets = {} }: AccountSettings, dataset: DatasetName): boolean {
  return datasets[dataset]?.enabled ?? datasetPolicies[dataset].enabledByDefault;
}

export function accountSchedule(
  settings: AccountSettings,
  { requests, state, policies, clock, random, listeners, features }: ScheduleParts,
): AccountSchedule {
  const { events } = listeners;
  const { datasets = {}, byCountry = false, concurrency = defaultConcurrency } = settings;
  const { responseTimeBounds = defaultResponseTimeBounds, transactionResponseUnit } = settings;
  const agenda = new Agenda(random, state);
  const deeper = pastsInTurn(features.flatMap(({ pasts }) => pasts ?? []));
  const context: Parameters<typeof createRefreshes>[0] = {
    service: requests.service,
    state,
    calendar: policies.calendar,
    clock: requests.serviceClock,
    machineClock: clock,
    isEnabled: (dataset) => isEnabled(settings, dataset),
    takeEvent: (dataset) => agenda.takeEvent(dataset, clock.monotonic()),
    takeSpareEvent: () => agenda.takeSpareEvent(clock.monotonic()),
    pastReportsWithin: (seconds) => {
      // The rate is the same for any number of them.
      const size = { ...state.size, checksWithUnknownPast: 1 };
      const { firstSightRequestsPerSecond = 0 } = planner.planFor(requests.budget.view(), size);
      const { credit } = agenda.figures.firstSight(clock.monotonic());
      return Math.floor(credit + seconds * firstSightRequestsPerSecond);
    },
    responseTimeBounds,
    byCountry,
    ...present({ transactionResponseUnit }),
    events,
  };
  const refreshes = createRefreshes(context, deeper);
  const planner = new Planner({
    agenda,
    datasets: new Set(refreshes.keys()),
    choices: datasets,
    events,
  });
  listeners.add({
    planned: (plan) => {
      state.datasets.planned(intervalsOf(plan));
      if (plan.areResultsHourly) state.areResultsHourly = true;
    },
  });
  const { budget } = requests;
  const parts = { state, refreshes, agenda, planner, budget, clock, concurrency, events };
  return { refreshes, agenda, planner, newPoller: () => new Poller(parts) };
}
