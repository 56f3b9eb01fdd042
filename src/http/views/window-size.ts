import type { WindowView } from '../../budget/budget-view.ts';

/** All limits of the service's plans are multiples of this. */
const step = 100;

/**
 * Returns the number of requests of a window. The headers do not contain it. The largest remaining
 * number is one less, because each response counts its own request. If other requests came first,
 * the result is the largest remaining number.
 */
export function windowSize({ limit }: Pick<WindowView, 'limit'>): number {
  return (limit + 1) % step === 0 ? limit + 1 : limit;
}
