import type { Random } from './random.ts';

export interface Backoff {
  readonly baseMilliseconds: number;
  readonly capMilliseconds: number;
}

/**
 * Exponential backoff with equal jitter: between half and all of `base · 2^(failures − 1)`, capped. The jitter
 * spreads out clients that failed together, and the half keeps each from retrying at once.
 */
export function backoffMilliseconds(backoff: Backoff, failures: number, random: Random): number {
  const { baseMilliseconds, capMilliseconds } = backoff;
  const ceiling = Math.min(capMilliseconds, baseMilliseconds * 2 ** Math.max(0, failures - 1));
  return ceiling * (0.5 + 0.5 * random());
}
