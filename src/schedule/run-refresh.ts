import { ApiError } from '../api/errors.ts';
import type { RejectedEntry } from '../api/service.ts';
import type { Spending } from '../budget/budget.ts';
import { type DatasetName, datasetPolicies } from '../domain/dataset.ts';
import type { MonotonicClock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-text.ts';
import type { AccountState } from '../state/account-state.ts';
import { StoreError } from '../store/store-error.ts';
import type { Agenda, AgendaTask } from './agenda.ts';
import type { CurrentPlan } from './current-plan.ts';
import type { ExpeditedList } from './expedited-list.ts';
import { failureKindOf, itemReasons, serviceReasons } from './failure-reasons.ts';
import type { Refreshes, RefreshResult } from './refresh.ts';
import type { RefreshTask } from './refresh-task.ts';
import type { FailureFacts } from './retries.ts';

/** The wait of a refresh that came too early, or was made once and not stored. */
const retryMilliseconds = 60_000;
/** Bounds of the wait of a refresh for which there was no budget, or that was aborted. */
const [minPostponement, maxPostponement] = [1_000, 10_000];

export interface RefreshRunEvents {
  /** The exposition may have changed. */
  changed(): void;
  refreshed(item: RefreshTask, rejected: readonly RejectedEntry[]): void;
  failed(item: RefreshTask, error: ApiError): void;
  /** The totals of a refresh could not be stored. */
  storeFailed(error: StoreError): void;
  /** A bug in the loop itself; the loop continues. */
  loopFailed(error: unknown): void;
}

interface RunParts {
  readonly state: AccountState;
  readonly refreshes: Refreshes;
  readonly agenda: Agenda;
  readonly plan: CurrentPlan;
  readonly expedited: ExpeditedList;
  readonly budget: Spending;
  readonly clock: MonotonicClock;
  readonly events: RefreshRunEvents;
}

/** Resolves when the task is back on the agenda. Calls `allRead` when it sends no further request. */
export type RunRefresh = (
  task: AgendaTask,
  signal: AbortSignal,
  allRead: () => void,
) => Promise<void>;

/**
 * What happens on one refresh: a task of the agenda is read, and the state, the agenda and the
 * listeners learn what became of it.
 */
export function refreshRunner(parts: RunParts): RunRefresh {
  const { state, refreshes, agenda, plan, expedited, budget, clock, events } = parts;

  const run: RunRefresh = async (task, signal, allRead) => {
    const startedAt = clock.monotonic();
    try {
      const refresh = refreshes.get(task.dataset);
      if (refresh === undefined) throw new Error(`the dataset ${task.dataset} has no refresh`);
      succeeded(task, await refresh(task.id, signal, allRead), startedAt);
    } catch (error) {
      if (error instanceof StoreError) storeFailed(task, error, startedAt);
      else failed(task, toApiError(task.dataset, error), startedAt);
    }
  };

  function succeeded(task: AgendaTask, refreshed: RefreshResult, startedAt: number): void {
    if (refreshed.isTooEarly) {
      agenda.postponed(task, clock.monotonic() + retryMilliseconds);
      return;
    }
    const { entries, unrequested } = refreshed;
    const isKnown = unrequested === 'known';
    const { isUnfinished } = refreshed;
    if (unrequested !== undefined) agenda.unrequested(task, startedAt, isUnfinished);
    else {
      state.datasets.responded();
      agenda.succeeded(task, startedAt, isUnfinished);
    }
    if (entries !== undefined && isKnown) state.known(task.dataset, entries);
    else if (entries !== undefined) state.succeeded(task.dataset, entries);
    plan.refreshed(task.dataset);
    for (const item of refreshed.events) agenda.expedite(item, clock.monotonic());
    const { listAgainAfterMilliseconds: after } = refreshed;
    if (after !== undefined) expedited.ask(clock.monotonic() + after);
    if (!isKnown) events.refreshed(task, refreshed.rejected);
    events.changed();
  }

  function failed(task: AgendaTask, error: ApiError, startedAt: number): void {
    const now = clock.monotonic();
    if (error.reason === 'budget' || error.reason === 'aborted') {
      const wait = Math.min(budget.msUntilAdmission(), maxPostponement);
      agenda.postponed(task, now + Math.max(minPostponement, wait));
      return;
    }
    const judged = state.datasets.failed(task.dataset, error);
    const { reason } = judged;
    if (itemReasons.has(reason) && task.id !== 'account') agenda.skipped(task, startedAt);
    else {
      const { retryAfterSeconds = 0 } = error;
      const facts: FailureFacts = {
        ofService: serviceReasons.has(reason),
        waitMilliseconds: retryAfterSeconds * 1000,
      };
      agenda.failed(task, failureKindOf(reason, state.datasets.isUnauthorized), now, facts);
    }
    events.failed(task, judged);
    events.changed();
  }

  /**
   * The service has responded, so the dataset keeps its interval, and outages are detected as fast
   * as with a working disk. Data that could not be stored are read again, because horizons and
   * watermarks advance only when they are stored. A dataset whose items are read only once is
   * retried.
   */
  function storeFailed(task: AgendaTask, error: StoreError, startedAt: number): void {
    state.datasets.responded();
    if (datasetPolicies[task.dataset].isOnce) {
      agenda.postponed(task, clock.monotonic() + retryMilliseconds);
    } else {
      agenda.succeeded(task, startedAt);
      plan.refreshed(task.dataset);
    }
    events.storeFailed(error);
    events.changed();
  }

  return (task, ...rest) =>
    run(task, ...rest).catch((error) => {
      // The result of the refresh caused an error. Without this, the task would be lost.
      events.loopFailed(error);
      agenda.failed(task, 'transient', clock.monotonic());
    });
}

/** Any error other than an `ApiError` is a bug of the exporter; other datasets continue. */
function toApiError(dataset: DatasetName, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = messageOf(error);
  return new ApiError({ reason: 'internal', operation: dataset, message, cause: error });
}
