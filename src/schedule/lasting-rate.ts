import type { BudgetView } from '../budget/budget-view.ts';

/** The length of the short window in seconds. Its reported reset may be sooner. */
export const shortSeconds = 3_600;

/**
 * Requests per second that the limits sustain in the long run: the whole short window, and the
 * remaining requests of the long one. Unlike the present rate, this ignores a single burst of
 * another client, because the short window is full again after its reset. A client that continues
 * to spend is seen in the long window.
 */
export function lastingRate({ windows, requestsPerSecond, share = 1 }: BudgetView): number {
  const { short, long } = windows;
  if (short === undefined || long === undefined) return requestsPerSecond;
  const hourly =
    (share * Math.max(0, short.limit - short.reserve)) / Math.max(shortSeconds, short.resetSeconds);
  const monthly = Math.max(0, long.remaining - long.reserve) / Math.max(1, long.resetSeconds);
  return Math.min(hourly, monthly);
}
