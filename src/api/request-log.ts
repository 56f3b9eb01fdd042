import type { BudgetView } from '../budget/budget-view.ts';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import type { AttemptResult } from './http/attempt.ts';

/** A request to the service that has ended. */
export interface LoggedRequest
  extends Pick<AttemptResult, 'path' | 'code' | 'durationSeconds' | 'responseBytes'> {
  /** The time at which it ended, in UNIX seconds by this machine's clock. */
  readonly endedAtSeconds: number;
  /** The remaining requests of each known window after this request. */
  readonly left: { readonly [W in WindowName]?: number };
}

/** As many as a person can read through. */
const maxRequests = 50;

/** The last requests to the service, kept in memory for the status page. */
export class RequestLog {
  readonly #requests: LoggedRequest[] = [];

  /** Call this after every request, with the budget after it. */
  record(attempt: AttemptResult, budget: Pick<BudgetView, 'windows'>, nowSeconds: number): void {
    const { path, code, durationSeconds, responseBytes } = attempt;
    const left: { [W in WindowName]?: number } = {};
    for (const name of windowNames) {
      const remaining = budget.windows[name]?.remaining;
      if (remaining !== undefined) left[name] = remaining;
    }
    this.#requests.push({
      path,
      code,
      durationSeconds,
      responseBytes,
      endedAtSeconds: nowSeconds,
      left,
    });
    if (this.#requests.length > maxRequests) this.#requests.shift();
  }

  /** Returns the requests, newest first. */
  read(): readonly LoggedRequest[] {
    return this.#requests.toReversed();
  }
}
