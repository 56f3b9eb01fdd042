import type { WindowName } from '../domain/rate-limit.ts';

/** What is known of one window now, counting the requests in flight as spent. */
export interface WindowView {
  /** The largest remaining seen: the size of the window. */
  readonly limit: number;
  readonly remaining: number;
  /** Requests that are left to the account's other users. */
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

/** The budget as shown on the page and in metrics. A window that the service has not reported is absent. */
export interface BudgetView {
  readonly mode: BudgetMode;
  readonly windows: { readonly [W in WindowName]?: WindowView };
  /** What may be spent for as long as the windows last, in requests per second. */
  readonly requestsPerSecond: number;
  /** True while a 429, or an exhausted budget, holds every request back. */
  readonly paused: boolean;
  /**
   * Until one request asks whether the service still refuses, 0 while that is due or under way. Only
   * there after a 429 that named no window that is used up.
   */
  readonly retrySeconds?: number;
  readonly inFlight: number;
}
