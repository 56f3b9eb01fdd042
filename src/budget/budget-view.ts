import type { WindowName } from '../domain/rate-limit.ts';

/** The state of one window, with the requests in flight counted as spent. */
export interface WindowView {
  /** The largest number of remaining requests seen: the size of the window. */
  readonly limit: number;
  readonly remaining: number;
  /** Requests reserved for the account's other users. */
  readonly reserve: number;
  /** Until the window resets; 0 when it has ended. */
  readonly resetSeconds: number;
}

/**
 * The source of the budget: `learning` until the service has reported both windows, `headers` while it
 * does, `fallback` while its good responses lack valid headers (the configured rate then applies).
 */
export const budgetModes = ['learning', 'headers', 'fallback'] as const;
export type BudgetMode = (typeof budgetModes)[number];

/** The budget as shown on the status page and in metrics. A window that the service has not reported is absent. */
export interface BudgetView {
  readonly mode: BudgetMode;
  readonly windows: { readonly [W in WindowName]?: WindowView };
  /** The rate at which the windows last until they reset, in requests per second. */
  readonly requestsPerSecond: number;
  /** True while a 429 or an exhausted window holds every request back. */
  readonly paused: boolean;
  /**
   * Seconds until one request checks whether the service still refuses; 0 when that request is due or in flight.
   * Present only after a 429 without an exhausted window.
   */
  readonly retrySeconds?: number;
  readonly inFlight: number;
}
