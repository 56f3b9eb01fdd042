import type { Spending } from '../budget/budget.ts';
import type { BudgetView } from '../budget/budget-view.ts';
import type { MonotonicClock } from '../lib/clock.ts';
import type { Agenda } from './agenda.ts';

/** A shorter wait for the budget is ordinary, for example at the end of a window. */
const longWaitMilliseconds = 60_000;

export interface UsedUpEvents {
  /** The check list is due, and waits this many milliseconds because windows are used up. */
  budgetUsedUp(budget: BudgetView, milliseconds: number): void;
  /** The budget allows requests again. */
  budgetAllowsAgain(): void;
}

interface UsedUpBudgetOptions {
  readonly agenda: Agenda;
  readonly budget: Spending;
  readonly clock: MonotonicClock;
  readonly events: UsedUpEvents;
}

/** Reports used-up windows once: no refresh fails because of them, so nothing else would be logged. */
export class UsedUpBudget {
  readonly #options: UsedUpBudgetOptions;
  #isReported = false;

  constructor(options: UsedUpBudgetOptions) {
    this.#options = options;
  }

  /** Must be called in every iteration of the poller's loop. */
  check(): void {
    const { agenda, budget, clock, events } = this.#options;
    const wait = budget.msUntilAdmission();
    if (this.#isReported) {
      if (wait > 0) return;
      this.#isReported = false;
      events.budgetAllowsAgain();
      return;
    }
    const dueIn = agenda.figures.dueInSeconds('checks', 'account', clock.monotonic()) ?? 0;
    if (dueIn > 0 || wait < longWaitMilliseconds) return;
    const view = budget.view();
    const isOfWindows = view.paused && view.retrySeconds === undefined && view.inFlight === 0;
    if (!isOfWindows) return;
    this.#isReported = true;
    events.budgetUsedUp(view, wait);
  }
}
