import type { WindowName } from '../domain/rate-limit.ts';

/** The state of one window, with the requests in flight counted as spent. */
export interface WindowView {
  /** The largest number of remaining requests seen: the size of the window. */
  readonly limit: number;
  readonly remaining: number;
  /** Requests reserved for the account's other users. */
  readonly reserve: number;
  /** Seconds until the window resets; 0 if it has ended. */
  readonly resetSeconds: number;
}

/**
 * The source of the budget: `learning` until the service has reported both windows; `headers` while
 * it reports them; `fallback` while successful responses lack a valid header, so that the
 * configured rate applies.
 */
export const budgetModes = ['learning', 'headers', 'fallback'] as const;
export type BudgetMode = (typeof budgetModes)[number];

/** The budget in views and metrics. A window that was not reported is absent. */
export interface BudgetView {
  readonly mode: BudgetMode;
  readonly windows: { readonly [W in WindowName]?: WindowView };
  /** Requests per second that can be spent until the windows reset. */
  readonly requestsPerSecond: number;
  /** True while no request may be sent because of a 429 or an exhausted window. */
  readonly paused: boolean;
  /**
   * Seconds until one request checks whether the service accepts requests again; 0 if that request
   * is due or in flight. Present only after a 429 without an exhausted window.
   */
  readonly retrySeconds?: number;
  readonly inFlight: number;
}
