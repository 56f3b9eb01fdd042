import { backoffMilliseconds } from '../lib/backoff.ts';
import type { Random } from '../lib/random.ts';

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
  holdsFor(now: number, running: number): number {
    if (this.#failures <= tolerated) return 0;
    return running > 0 ? Number.POSITIVE_INFINITY : Math.max(0, this.#until - now);
  }
}
