import type { WindowView } from '../../budget/budget-view.ts';

/** The limits that the service sells are multiples of this. */
const step = 100;

/**
 * How many requests a window holds. The headers never say so; the largest remaining that was seen is one less, because
 * a response counts the request that it answers. Where other requests came first, it is what was seen.
 */
export function windowSize({ limit }: Pick<WindowView, 'limit'>): number {
  return (limit + 1) % step === 0 ? limit + 1 : limit;
}
