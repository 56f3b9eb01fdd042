import type { WindowView } from './budget-view.ts';

/** Plans grant multiples of these, by the size of the window. */
const steps = [
  { below: 100, step: 10 },
  { below: 10_000, step: 100 },
  { below: Number.POSITIVE_INFINITY, step: 1_000 },
] as const;
/** Others may have sent this share of the window before its first response was seen. */
const missedShare = 0.01;

/**
 * Returns the number of requests that a window grants. The headers do not contain it. The largest
 * remaining number is less by those that were sent before, at least by one, because each response
 * counts its own request.
 */
export function windowSize({ limit }: Pick<WindowView, 'limit'>): number {
  const { step = 1 } = steps.find(({ below }) => limit < below) ?? {};
  const size = Math.ceil((limit + 1) / step) * step;
  return size - limit <= Math.max(1, size * missedShare) ? size : limit;
}
