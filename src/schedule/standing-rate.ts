import type { BudgetView } from '../budget/budget-view.ts';

/** The short window lasts an hour, although its reported reset may be nearer. */
const shortSeconds = 3_600;

/**
 * Requests per second that the limits sustain in the long run: the whole short window, and the remaining requests of
 * the long one. Unlike the present rate, it ignores a burst of another client, because the short window is full again
 * after its reset. The long window shows a client that continues to spend.
 */
export function standingRate({ windows, requestsPerSecond }: BudgetView): number {
  const { short, long } = windows;
  if (short === undefined || long === undefined) return requestsPerSecond;
  const hourly =
    Math.max(0, short.limit - short.reserve) / Math.max(shortSeconds, short.resetSeconds);
  const monthly = Math.max(0, long.remaining - long.reserve) / Math.max(1, long.resetSeconds);
  return Math.min(hourly, monthly);
}
