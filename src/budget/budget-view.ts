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
  /** The part of the account that this budget plans with; absent for the whole. */
  readonly share?: number;
}

/** The budget as if its windows had only the requests that the share of the account leaves. */
export function ownPart(budget: BudgetView): BudgetView {
  const { share, windows } = budget;
  if (share === undefined) return budget;
  const part = ({ remaining, reserve, ...window }: WindowView): WindowView => ({
    ...window,
    remaining: reserve + Math.floor(Math.max(0, remaining - reserve) * share),
    reserve,
  });
  const { short, long } = windows;
  return {
    ...budget,
    windows: { ...(short && { short: part(short) }), ...(long && { long: part(long) }) },
  };
}
