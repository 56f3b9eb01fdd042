import type { BudgetView } from '../budget/budget-view.ts';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import type { AttemptResult } from './http/attempt.ts';

/** A request to the service that has ended. */
export interface LoggedRequest
  extends Pick<AttemptResult, 'path' | 'code' | 'durationSeconds' | 'responseBytes'> {
  /** When it ended, in UNIX seconds by the clock of this machine. */
  readonly endedAtSeconds: number;
  /** What was left of each window after it, as far as it is known. */
  readonly left: { readonly [W in WindowName]?: number };
}

/** Enough to read through. */
const maxRequests = 50;

/** The last requests to the service, in memory, for people to look at. */
export class RequestLog {
  readonly #requests: LoggedRequest[] = [];

  /** To be called after every request, with the budget that it left. */
  record(attempt: AttemptResult, budget: Pick<BudgetView, 'windows'>, nowSeconds: number): void {
    const { path, code, durationSeconds, responseBytes } = attempt;
    const left: { [W in WindowName]?: number } = {};
    for (const name of windowNames) {
      const remaining = budget.windows[name]?.remaining;
      if (remaining !== undefined) left[name] = remaining;
    }
    this.#requests.push({
      ...{ path, code, durationSeconds, responseBytes },
      ...{ endedAtSeconds: nowSeconds, left },
    });
    if (this.#requests.length > maxRequests) this.#requests.shift();
  }

  /** Newest first. */
  read(): readonly LoggedRequest[] {
    return this.#requests.toReversed();
  }
}
