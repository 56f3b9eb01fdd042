import { ApiError } from '../api/errors.ts';
import type { RejectedEntry } from '../api/service.ts';
import type { Budget } from '../budget/budget.ts';
import { type DatasetName, datasetPolicies } from '../domain/dataset.ts';
import { Alarm } from '../lib/alarm.ts';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-text.ts';
import type { AccountState } from '../state/account-state.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import { StoreError } from '../store/store-error.ts';
import type { Agenda, AgendaTask } from './agenda.ts';
import type { DemandSize } from './demand.ts';
import { ExpeditedList } from './expedited-list.ts';
import { failureKindOf, ofItem, ofService } from './failure-reasons.ts';
import type { Planner } from './planner.ts';
import { Reconciler } from './reconciler.ts';
import type { Refreshes, RefreshResult } from './refresh.ts';
import type { RefreshTask } from './refresh-task.ts';
import { UsedUpBudget, type UsedUpEvents } from './used-up-budget.ts';

/** The loop runs at least this often: data become stale in time, and a stuck loop is seen. */
const heartbeatMilliseconds = 10_000;
/** At most this many refreshes wait for the store: a hanging disk must not fill the memory. */
const maxStoring = 100;
const minPostponementMilliseconds = 1_000;
/** The loop's wait after an error in the loop itself, so that it does not spin. */
const errorPauseMilliseconds = 1_000;
/** The wait of a refresh that came too early, or was made once and not stored. */
const retryMilliseconds = 60_000;

/** Events for the exposition, the store, the log and the exporter's own metrics. */
export interface PollerEvents extends UsedUpEvents {
  /** The exposition may have changed. */
  changed(): void;
  refreshed(item: RefreshTask, rejected: readonly RejectedEntry[]): void;
  failed(item: RefreshTask, error: ApiError): void;
  /** The totals of a refresh could not be stored. */
  storeFailed(error: StoreError): void;
  /** A bug in the loop itself; the loop continues. */
  loopFailed(error: unknown): void;
}

interface PollerOptions {
  readonly state: AccountState;
  readonly refreshes: Refreshes;
  readonly agenda: Agenda;
  readonly planner: Planner;
  readonly budget: Pick<Budget, 'msUntilAdmission' | 'view'>;
  readonly clock: Clock;
  /** The maximum number of refreshes that may send requests at the same time. */
  readonly concurrency: number;
  readonly events: PollerEvents;
}

/**
 * Runs the agenda of one account. A single loop starts refreshes and limits how many may send
 * requests. A refresh that only waits for the store is not counted, so that a slow disk delays no
 * list. The loop checks the budget before it starts a refresh; the client checks it again for every
 * request.
 */
export class Poller {
  readonly #options: PollerOptions;
  readonly #refreshing = new Set<Promise<void>>();
  /** The number of refreshes that may still send requests. */
  #reading = 0;
  readonly #alarm: Alarm;
  readonly #reconciler: Reconciler;
  readonly #expedited: ExpeditedList;
  readonly #usedUp: UsedUpBudget;
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #lastIterationAt: number;
  #stale = '';
  #maintenance: AccountSnapshot['maintenance'];
  #itemsChanged = true;
  /** Unread account datasets without which other datasets cannot be refreshed. */
  #missingDependencies: ReadonlySet<DatasetName> = new Set();

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock);
    this.#reconciler = new Reconciler(options);
    this.#expedited = new ExpeditedList(options);
    this.#usedUp = new UsedUpBudget(options);
    this.#lastIterationAt = options.clock.monotonic();
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Aborts running refreshes. Resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the poller is stopping'));
    this.#alarm.ring();
    await this.#loop;
    await Promise.all(this.#refreshing);
  }

  /** Milliseconds since the last iteration of the loop. */
  get silentFor(): number {
    return this.#options.clock.monotonic() - this.#lastIterationAt;
  }

  /** Call this after a change of a check. The check list is read soon, within the limits. */
  expedite(): void {
    this.#expedited.ask(this.#options.clock.monotonic());
    this.#alarm.ring();
  }

  /** Call this after a reload. What failed is tried at once, within the budget. */
  retryNow(): void {
    this.#options.agenda.retryNow();
    this.#alarm.ring();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#stopping.signal.aborted) {
      this.#lastIterationAt = clock.monotonic();
      let dueIn = errorPauseMilliseconds;
      try {
        this.#plan();
        this.#expedited.putWhenDue();
        this.#dispatch();
        this.#announcePassingOfTime();
        this.#usedUp.check();
        dueIn = Math.min(this.#dispatchIn(), this.#expedited.dueIn());
      } catch (error) {
        this.#options.events.loopFailed(error);
      }
      await this.#alarm.wait(Math.min(Math.max(1, dueIn), heartbeatMilliseconds));
    }
  }

  #plan(): void {
    const { planner, agenda, budget, state, refreshes, clock } = this.#options;
    const now = clock.monotonic();
    const size = { ...state.size, ...deeperRequestsOf(refreshes) };
    const replanned = planner.update(budget.view(), size, now);
    if (!replanned && !this.#itemsChanged) return;
    this.#missingDependencies = this.#reconciler.reconcile(planner.current?.datasets ?? [], now);
    this.#itemsChanged = this.#reconciler.isUnfinished;
    for (const dataset of this.#missingDependencies) {
      const item = { dataset, id: 'account' } as const;
      if (!agenda.isRunning(item)) agenda.expedite(item, now);
    }
  }

  get #isFull(): boolean {
    const { concurrency } = this.#options;
    return this.#reading >= concurrency || this.#refreshing.size >= concurrency + maxStoring;
  }

  /** Milliseconds until a refresh can start; Infinity if a running one must end first. */
  #dispatchIn(): number {
    if (this.#reconciler.isUnfinished) return 0;
    if (this.#isFull) return Number.POSITIVE_INFINITY;
    const { clock, agenda, budget } = this.#options;
    return Math.max(agenda.nextDueIn(clock.monotonic()), budget.msUntilAdmission());
  }

  #dispatch(): void {
    const { clock, agenda, budget } = this.#options;
    if (this.#reconciler.isUnfinished) return;
    while (!this.#isFull && budget.msUntilAdmission() <= 0) {
      const task = agenda.next(clock.monotonic());
      if (task === undefined) return;
      this.#start(task);
    }
  }

  #start(task: AgendaTask): void {
    this.#reading += 1;
    let isReading = true;
    const allRead = () => {
      if (!isReading) return;
      const wasFull = this.#isFull;
      isReading = false;
      this.#reading -= 1;
      if (wasFull) this.#alarm.ring();
    };
    const refreshing = this.#refresh(task, allRead)
      .catch((error) => this.#lost(task, error))
      .finally(() => {
        allRead();
        this.#refreshing.delete(refreshing);
        this.#alarm.ring();
      });
    this.#refreshing.add(refreshing);
  }

  async #refresh(task: AgendaTask, allRead: () => void): Promise<void> {
    const { refreshes, clock } = this.#options;
    const startedAt = clock.monotonic();
    try {
      const refresh = refreshes.get(task.dataset);
      if (refresh === undefined) throw new Error(`the dataset ${task.dataset} has no refresh`);
      this.#succeeded(task, await refresh(task.id, this.#stopping.signal, allRead), startedAt);
    } catch (error) {
      if (error instanceof StoreError) this.#storeFailed(task, error, startedAt);
      else this.#failed(task, toApiError(task.dataset, error), startedAt);
    }
  }

  /** Returns a task as failed if its result caused an error: otherwise it would be lost. */
  #lost(task: AgendaTask, error: unknown): void {
    const { agenda, clock, events } = this.#options;
    events.loopFailed(error);
    agenda.failed(task, 'transient', clock.monotonic());
  }

  #succeeded(task: AgendaTask, refreshed: RefreshResult, startedAt: number): void {
    const { state, agenda, clock, events } = this.#options;
    if (refreshed.isTooEarly) {
      agenda.postponed(task, clock.monotonic() + retryMilliseconds);
      return;
    }
    const { entries, unrequested } = refreshed;
    const isKnown = unrequested === 'known';
    if (unrequested !== undefined) agenda.unrequested(task, startedAt);
    else {
      state.responded();
      agenda.succeeded(task, startedAt, refreshed.isUnfinished);
    }
    if (entries !== undefined && isKnown) state.known(task.dataset, entries);
    else if (entries !== undefined) state.succeeded(task.dataset, entries);
    this.#planItemsOf(task);
    for (const item of refreshed.events) agenda.expedite(item, clock.monotonic());
    const { listAgainAfterMilliseconds: after } = refreshed;
    if (after !== undefined) this.#expedited.ask(clock.monotonic() + after);
    if (!isKnown) events.refreshed(task, refreshed.rejected);
    events.changed();
  }

  #failed(task: AgendaTask, error: ApiError, startedAt: number): void {
    const { state, agenda, clock, events, budget } = this.#options;
    const now = clock.monotonic();
    if (error.reason === 'budget' || error.reason === 'aborted') {
      const wait = Math.min(budget.msUntilAdmission(), heartbeatMilliseconds);
      agenda.postponed(task, now + Math.max(minPostponementMilliseconds, wait));
      return;
    }
    const judged = state.failed(task.dataset, error);
    const { reason } = judged;
    if (ofItem.has(reason) && task.id !== 'account') agenda.skipped(task, startedAt);
    else {
      const { retryAfterSeconds = 0 } = error;
      const facts = {
        ofService: ofService.has(reason),
        waitMilliseconds: retryAfterSeconds * 1000,
      };
      agenda.failed(task, failureKindOf(reason, state.isUnauthorized), now, facts);
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
  #storeFailed(task: AgendaTask, error: StoreError, startedAt: number): void {
    const { state, agenda, clock, events } = this.#options;
    state.responded();
    if (datasetPolicies[task.dataset].isOnce) {
      agenda.postponed(task, clock.monotonic() + retryMilliseconds);
    } else {
      agenda.succeeded(task, startedAt);
      this.#planItemsOf(task);
    }
    events.storeFailed(error);
    events.changed();
  }

  /** Plans again after a list (new items) and after a dataset that items waited for. */
  #planItemsOf({ dataset }: AgendaTask): void {
    if (!isList(dataset) && !this.#missingDependencies.has(dataset)) return;
    this.#itemsChanged = true;
    this.#plan();
  }

  /** Data become stale and maintenance changes without an event. Both must be shown. */
  #announcePassingOfTime(): void {
    const { stale, maintenance } = this.#options.state.passingOfTime();
    if (stale === this.#stale && maintenance === this.#maintenance) return;
    this.#stale = stale;
    this.#maintenance = maintenance;
    this.#options.events.changed();
  }
}

function isList(dataset: DatasetName): boolean {
  return dataset === 'checks' || dataset === 'transactions';
}

/** Any error other than an `ApiError` is a bug of the exporter; other datasets continue. */
function toApiError(dataset: DatasetName, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = messageOf(error);
  return new ApiError({ reason: 'internal', operation: dataset, message, cause: error });
}

/** Part of the account's size: the requests for a past beyond 35 days. */
function deeperRequestsOf(refreshes: Refreshes): Pick<DemandSize, 'deeperRequests'> {
  const { deeperRequests = 0 } = refreshes.get('history')?.items ?? {};
  return deeperRequests > 0 ? { deeperRequests } : {};
}
