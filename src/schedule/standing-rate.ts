import type { BudgetView } from '../budget/budget-view.ts';

/** The short window lasts an hour; what is seen of it may be its end. */
const shortSeconds = 3_600;

/**
 * Requests per second that the limits sustain in the long run: all of the short window, and what is left of the long one.
 * Unlike the rate of the moment it does not follow a burst of another client, which the short window makes up for at its
 * reset; a client that goes on spending shows in the long window.
 */
export function standingRate({ windows, requestsPerSecond }: BudgetView): number {
  const { short, long } = windows;
  if (short === undefined || long === undefined) return requestsPerSecond;
  const hourly =
    Math.max(0, short.limit - short.reserve) / Math.max(shortSeconds, short.resetSeconds);
  const monthly = Math.max(0, long.remaining - long.reserve) / Math.max(1, long.resetSeconds);
  return Math.min(hourly, monthly);
}
