import type { Random } from './random.ts';

export interface Backoff {
  readonly baseMilliseconds: number;
  readonly capMilliseconds: number;
}

/**
 * Exponential backoff with equal jitter: a random time between half of `base · 2^(failures − 1)`
 * and all of it, capped. The random part spreads out clients that failed together; the fixed half
 * prevents immediate retries.
 */
export function backoffMilliseconds(backoff: Backoff, failures: number, random: Random): number {
  const { baseMilliseconds, capMilliseconds } = backoff;
  const ceiling = Math.min(capMilliseconds, baseMilliseconds * 2 ** Math.max(0, failures - 1));
  return ceiling * (0.5 + 0.5 * random());
}
