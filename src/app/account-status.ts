import type { RequestLog } from '../api/request-log.ts';
import type { ServiceClock } from '../api/service-clock.ts';
import type { Budget } from '../budget/budget.ts';
import type { CreatedRefreshes } from '../datasets/index.ts';
import { datasetPolicies } from '../domain/dataset.ts';
import type { AccountView, FirstSightView, ScheduleView } from '../exposition/catalogue/family.ts';
import type { AccountStatus, FeatureView } from '../http/ports.ts';
import { type MonotonicClock, unixSeconds } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { Agenda } from '../schedule/agenda.ts';
import { secondsToRead } from '../schedule/first-sight.ts';
import type { Planner } from '../schedule/planner.ts';
import { type AccountFailure, accountFailure } from '../state/account-failure.ts';
import type { AccountState } from '../state/account-state.ts';
import {
  checkPast,
  checkStates,
  shownTransactionStates,
  transactionPast,
} from '../state/items/item-past.ts';
import { type ListTiming, listTiming } from '../state/list-timing.ts';
import type { ItemKind } from '../store/store.ts';
import { causesSource } from './causes-source.ts';

/** What decides how fast the data of an account are read. */
interface PaceSources {
  readonly state: AccountState;
  readonly agenda: Agenda;
  readonly planner: Planner;
  readonly clock: MonotonicClock;
  readonly budget: Budget;
}

/** The parts of a running account from which its status is made. */
export interface StatusSources extends PaceSources {
  readonly refreshes: CreatedRefreshes;
  readonly serviceClock: ServiceClock;
  readonly requestLog: RequestLog;
  readonly features: readonly FeatureView[];
  /** Accounts with the same credentials. */
  readonly budgetSharedWith: readonly string[];
}

function scheduleView({ planner, agenda, clock }: StatusSources): ScheduleView {
  const { demandPerSecond = 0, datasets = [] } = planner.current ?? {};
  const missing = datasets.map(({ name, missingPerHour }) => [name, missingPerHour / 3600]);
  return {
    demandRequestsPerSecond: demandPerSecond,
    missingRequestsPerSecond: Object.fromEntries(missing),
    items: agenda.figures.counts().classes,
    oldestDueSeconds: agenda.figures.oldestDueSeconds(clock.monotonic()),
    overdueSeconds: agenda.figures.overdueSeconds(clock.monotonic()),
  };
}

function failureOf({ state, agenda, clock, budget }: StatusSources): AccountFailure {
  const checks = state.datasets.of('checks');
  const dueIn = agenda.figures.dueInSeconds('checks', 'account', clock.monotonic()) ?? 0;
  const isWaiting = dueIn <= 0 && !agenda.isRunning({ dataset: 'checks', id: 'account' });
  return accountFailure({
    hasEnded: checks.hasEnded,
    failure: checks.failure?.reason,
    isHeldBack: isWaiting && budget.view().paused,
  });
}

function listTimingOf({
  state,
  agenda,
  planner,
  clock,
  budget,
}: StatusSources): ListTiming | undefined {
  const { ageSeconds, intervalSeconds } = state.datasets.of('checks');
  const isLateNow = planner.current?.isLateNow === true;
  return listTiming({
    ageSeconds,
    intervalSeconds,
    dueInSeconds: agenda.figures.dueInSeconds('checks', 'account', clock.monotonic()),
    admissionInSeconds: budget.msUntilAdmission() / 1000,
    resetInSeconds: isLateNow ? budget.view().windows.short?.resetSeconds : undefined,
  });
}

/** The progress of first sight, with a forecast if the plan allows one. */
function firstSightView({
  state,
  agenda,
  planner,
  clock,
}: PaceSources): FirstSightView | undefined {
  const { pastsLeft, pausesLeft } = state.firstSight;
  if (pastsLeft + pausesLeft === 0) return undefined;
  const {
    datasets = [],
    firstSightRequestsPerSecond = 0,
    lastingFirstSight,
  } = planner.current ?? {};
  const { others, refused, credit } = agenda.figures.firstSight(clock.monotonic());
  const isRefused = pastsLeft + pausesLeft <= refused;
  const isRead = datasets.some(({ isOnce }) => isOnce === true) && !isRefused;
  const secondsAt = (lastingRequestsPerSecond: number | undefined) =>
    secondsToRead(others + Math.max(0, pastsLeft - refused), {
      credit,
      requestsPerSecond: firstSightRequestsPerSecond,
      ...present({ lastingRequestsPerSecond }),
    });
  const doneInSeconds = secondsAt(lastingFirstSight?.requestsPerSecond);
  const doneAtLatestInSeconds = secondsAt(lastingFirstSight?.leastRequestsPerSecond);
  const isForecast = pastsLeft > 0 && isRead && Number.isFinite(doneAtLatestInSeconds);
  const forecast = isForecast && { doneInSeconds, doneAtLatestInSeconds };
  return { pastsLeft, pausesLeft, isRead, ...(isRefused && { isRefused }), ...forecast };
}

/**
 * Seconds until these requests for a past beyond 35 days are sent, which begins after first sight.
 * Infinity while the budget holds back every request.
 */
export function secondsToReadDeeper(requests: number, sources: PaceSources): number {
  if (requests === 0) return 0;
  const { state, agenda, planner, clock, budget } = sources;
  if (budget.view().paused) return Number.POSITIVE_INFINITY;
  const first = firstSightView(sources);
  const isAfter = first !== undefined && first.pastsLeft > 0 && first.isRefused !== true;
  const { checksWithUnknownPast: unknown, ...size } = state.size;
  const rest = present({ checksWithUnknownPast: isAfter ? undefined : unknown });
  const plan = planner.planFor(budget.view(), { ...size, ...rest, deeperRequests: requests });
  const { firstSightRequestsPerSecond: requestsPerSecond = 0, lastingFirstSight } = plan;
  const seconds = secondsToRead(requests, {
    credit: isAfter ? 0 : agenda.figures.firstSight(clock.monotonic()).credit,
    requestsPerSecond,
    ...present({ lastingRequestsPerSecond: lastingFirstSight?.requestsPerSecond }),
  });
  return (isAfter ? (first.doneInSeconds ?? Number.POSITIVE_INFINITY) : 0) + seconds;
}

/** All facts about an account: the data of the views, and the exporter's own metrics. */
export type KnownAccount = AccountStatus & AccountView;

/** The data of the exporter's own metrics, which are read at every scrape. */
export function accountView(sources: StatusSources): AccountView {
  const { state, budget, refreshes } = sources;
  return {
    snapshot: state.summary,
    budget: budget.view(),
    schedule: scheduleView(sources),
    failure: failureOf(sources),
    ...present({
      list: listTimingOf(sources),
      firstSight: predicted(sources, firstSightView(sources)),
    }),
    counting: { ...state.counting, maintenance: refreshes.maintenanceKnowledge() },
  };
}

export function accountStatus(sources: StatusSources): KnownAccount {
  const { state, agenda, planner, clock, serviceClock } = sources;
  const plan = planner.current;
  const list = listTimingOf(sources);
  const shownFacts = (kind: ItemKind, id: number) => ({
    nowSeconds: unixSeconds(serviceClock),
    outage: state.standing.outageOf(kind, id),
    listedAtSeconds: state.datasets.serviceAtSeconds(`${kind}s`),
  });
  return {
    ...accountView(sources),
    snapshot: state.recentSnapshot,
    past: {
      ofCheck: (id) =>
        checkPast(
          state.checks.get(id),
          state.maintenance.occurrencesOf.check(id),
          state.standing.outageOf('check', id),
        ),
      ofTransaction: (id) =>
        transactionPast(
          state.transactions.get(id),
          state.maintenance.occurrencesOf.transaction(id),
          state.standing.outageOf('transaction', id),
        ),
    },
    states: {
      ofCheck: (id) => {
        const record = state.checks.get(id);
        return record && checkStates(record, shownFacts('check', id));
      },
      ofTransaction: (id) => {
        const record = state.transactions.get(id);
        return record && shownTransactionStates(record, shownFacts('transaction', id));
      },
      ...present({ maintenance: state.maintenance.read }),
    },
    features: sources.features,
    budgetSharedWith: sources.budgetSharedWith,
    causes: causesSource(sources),
    leftItem: (kind, id) => state.itemsOf(kind).left(id),
    requests: () => sources.requestLog.read(),
    nextReadSeconds: (dataset, id) => {
      if (dataset === 'checks' && list !== undefined) return list.nextInSeconds;
      const item = datasetPolicies[dataset].scope === 'account' ? 'account' : id;
      const due = agenda.figures.dueInSeconds(dataset, item, clock.monotonic());
      const admission = sources.budget.msUntilAdmission() / 1000;
      return due === undefined || !Number.isFinite(admission) ? due : Math.max(due, admission);
    },
    ...present({ plan, clockOffsetSeconds: serviceClock.offsetSeconds }),
  };
}

type Forecast = Pick<FirstSightView, 'doneInSeconds' | 'doneAtLatestInSeconds'>;

/** Nothing is predicted while the check list cannot be read, or the budget holds everything back. */
function predicted<T extends Forecast>(
  { state, budget }: StatusSources,
  view: T | undefined,
): Omit<T, keyof Forecast> | T | undefined {
  const isReadable = state.datasets.of('checks').failure === undefined && !budget.view().paused;
  if (view === undefined || isReadable) return view;
  const { doneInSeconds: _, doneAtLatestInSeconds: __, ...rest } = view;
  return rest;
}
