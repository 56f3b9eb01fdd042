import { type Backoff, backoffMilliseconds } from '../lib/backoff.ts';
import type { Random } from '../lib/random.ts';

/** Whether a failure may pass by itself, or only a person can end it. */
export type FailureKind = 'transient' | 'persistent';

/** The status datasets are tried more often than others: they are what tells that the service is back. */
const backoffs: {
  readonly [S in 'status' | 'others']: { readonly [K in FailureKind]: Backoff };
} = {
  status: {
    transient: { baseMilliseconds: 60_000, capMilliseconds: 300_000 },
    persistent: { baseMilliseconds: 300_000, capMilliseconds: 900_000 },
  },
  others: {
    transient: { baseMilliseconds: 60_000, capMilliseconds: 3_600_000 },
    persistent: { baseMilliseconds: 300_000, capMilliseconds: 21_600_000 },
  },
};

/** Milliseconds until an item that failed so often in a row is tried again. */
export function retryMilliseconds(
  status: boolean,
  kind: FailureKind,
  failures: number,
  random: Random,
): number {
  return backoffMilliseconds(backoffs[status ? 'status' : 'others'][kind], failures, random);
}

/** After so many failures in a row the account, not an item, is taken to be at fault. */
const tolerated = 2;
const backoff = { baseMilliseconds: 60_000, capMilliseconds: 900_000 };

/**
 * Notices that everything fails. Then one request at a time goes, later and later, until one
 * succeeds, so that an unreachable service does not cost one failure per item. Times are milliseconds
 * of a monotonic clock.
 */
export class FailureStreak {
  readonly #random: Random;
  #failures = 0;
  #until = Number.NEGATIVE_INFINITY;

  constructor(random: Random) {
    this.#random = random;
  }

  failed(now: number): void {
    this.#failures += 1;
    const excess = this.#failures - tolerated;
    if (excess > 0) this.#until = now + backoffMilliseconds(backoff, excess, this.#random);
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Milliseconds until the next attempt; Infinity while one is under way. */
  millisecondsToHold(now: number, running: number): number {
    if (this.#failures <= tolerated) return 0;
    return running > 0 ? Number.POSITIVE_INFINITY : Math.max(0, this.#until - now);
  }
}
