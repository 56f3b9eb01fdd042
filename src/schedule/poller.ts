import type { Spending } from '../budget/budget.ts';
import { Alarm } from '../lib/alarm.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccountState } from '../state/account-state.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import type { Agenda, AgendaTask } from './agenda.ts';
import { CurrentPlan } from './current-plan.ts';
import { ExpeditedList } from './expedited-list.ts';
import type { Planner } from './planner.ts';
import type { Refreshes } from './refresh.ts';
import { type RefreshRunEvents, type RunRefresh, refreshRunner } from './run-refresh.ts';
import { UsedUpBudget, type UsedUpEvents } from './used-up-budget.ts';

/** The loop runs at least this often: data become stale in time, and a stuck loop is seen. */
const heartbeatMilliseconds = 10_000;
/** At most this many refreshes wait for the store: a hanging disk must not fill the memory. */
const maxStoring = 100;
/** The loop's wait after an error in the loop itself, so that it does not spin. */
const errorPauseMilliseconds = 1_000;

/** Events for the exposition, the store, the log and the exporter's own metrics. */
export interface PollerEvents extends RefreshRunEvents, UsedUpEvents {}

interface PollerOptions {
  readonly state: AccountState;
  readonly refreshes: Refreshes;
  readonly agenda: Agenda;
  readonly planner: Planner;
  readonly budget: Spending;
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
  readonly #plan: CurrentPlan;
  readonly #expedited: ExpeditedList;
  readonly #usedUp: UsedUpBudget;
  readonly #refresh: RunRefresh;
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #lastIterationAt: number;
  #stale = '';
  #maintenance: AccountSnapshot['maintenance'];

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock);
    this.#plan = new CurrentPlan(options);
    this.#expedited = new ExpeditedList(options);
    this.#usedUp = new UsedUpBudget(options);
    this.#refresh = refreshRunner({ ...options, plan: this.#plan, expedited: this.#expedited });
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
    const { clock, events } = this.#options;
    while (!this.#stopping.signal.aborted) {
      this.#lastIterationAt = clock.monotonic();
      let dueIn = errorPauseMilliseconds;
      try {
        this.#plan.update();
        this.#expedited.putWhenDue();
        this.#dispatch();
        this.#announcePassingOfTime();
        this.#usedUp.check();
        dueIn = Math.min(this.#dispatchIn(), this.#expedited.dueIn());
      } catch (error) {
        events.loopFailed(error);
      }
      await this.#alarm.wait(Math.min(Math.max(1, dueIn), heartbeatMilliseconds));
    }
  }

  get #isFull(): boolean {
    const { concurrency } = this.#options;
    return this.#reading >= concurrency || this.#refreshing.size >= concurrency + maxStoring;
  }

  /** Milliseconds until a refresh can start; Infinity if a running one must end first. */
  #dispatchIn(): number {
    if (this.#plan.isUnfinished) return 0;
    if (this.#isFull) return Number.POSITIVE_INFINITY;
    const { clock, agenda, budget } = this.#options;
    return Math.max(agenda.nextDueIn(clock.monotonic()), budget.msUntilAdmission());
  }

  #dispatch(): void {
    const { clock, agenda, budget } = this.#options;
    if (this.#plan.isUnfinished) return;
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
    const refreshing = this.#refresh(task, this.#stopping.signal, allRead).finally(() => {
      allRead();
      this.#refreshing.delete(refreshing);
      this.#alarm.ring();
    });
    this.#refreshing.add(refreshing);
  }

  /** Data become stale and maintenance changes without an event. Both must be shown. */
  #announcePassingOfTime(): void {
    const { state, events } = this.#options;
    const { stale, maintenance } = state.passingOfTime();
    if (stale === this.#stale && maintenance === this.#maintenance) return;
    this.#stale = stale;
    this.#maintenance = maintenance;
    events.changed();
  }
}
