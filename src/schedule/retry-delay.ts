import { type Backoff, backoffMilliseconds } from '../lib/backoff.ts';
import type { Random } from '../lib/random.ts';

/**
 * A transient failure may end by itself; a persistent one needs a person. A doubtful one may be
 * either, which the next attempt shows.
 */
export type FailureKind = 'transient' | 'persistent' | 'doubtful';

/** A doubtful failure is checked soon, but not before the item's own interval has passed. */
const doubtMilliseconds = 60_000;

/** Status datasets retry more often: their success shows that the service works again. */
const backoffs: {
  readonly [S in 'status' | 'others']: {
    readonly transient: Backoff;
    readonly persistent: Backoff;
  };
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

/** An item whose interval is longer is tried again after at most this time. */
const longestMilliseconds = 86_400_000;

/** A refresh that failed. */
export interface FailedTask {
  readonly kind: FailureKind;
  /** Of a status dataset. */
  readonly isStatus: boolean;
  /** Counters, or error budgets, wait for it. */
  readonly isUrgent: boolean;
  readonly intervalMilliseconds: number;
}

/**
 * Milliseconds until the retry of a refresh with this many consecutive failures. An item that goes on
 * failing is in the end tried as rarely as it would be read, so that it takes no requests of others.
 */
export function retryMilliseconds(
  { kind, isStatus, isUrgent, intervalMilliseconds }: FailedTask,
  failures: number,
  random: Random,
): number {
  if (kind === 'doubtful' && isStatus) return Math.max(doubtMilliseconds, intervalMilliseconds);
  const { persistent, transient } = backoffs[isStatus ? 'status' : 'others'];
  const backoff = kind === 'persistent' ? persistent : transient;
  const longest = isUrgent ? 0 : Math.min(intervalMilliseconds, longestMilliseconds);
  const capMilliseconds = Math.max(backoff.capMilliseconds, longest);
  return backoffMilliseconds({ ...backoff, capMilliseconds }, failures, random);
}

/** With more failures in a row, the whole account is assumed to fail. */
const toleratedFailures = 2;
/** After this time without a success, not even the check list was read. */
const ofAccountMilliseconds = 300_000;
const backoff = { baseMilliseconds: 60_000, capMilliseconds: 900_000 };

/**
 * Detects that every request fails. Requests are then sent one at a time, with growing delays,
 * until one succeeds, so that an unreachable service does not cost one failure per item. Times are
 * milliseconds of a monotonic clock.
 */
export class FailureStreak {
  readonly #random: Random;
  #failures = 0;
  /** The first of these failures. */
  #since = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The service asks to wait at least `waitMilliseconds`. */
  failed(now: number, waitMilliseconds = 0): void {
    this.#failures += 1;
    this.#since = Math.min(this.#since, now);
    const excess = this.#failures - toleratedFailures;
    if (excess <= 0) return;
    const wait = backoffMilliseconds(backoff, excess, this.#random);
    this.#until = now + Math.max(wait, waitMilliseconds);
  }

  /** Returns whether everything has failed for longer than single datasets would explain. */
  isOfAccount(now: number): boolean {
    return this.#failures > toleratedFailures && now - this.#since >= ofAccountMilliseconds;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#since = Number.POSITIVE_INFINITY;
  }

  /** Milliseconds until the next attempt: 0 unless all fail, Infinity during an attempt. */
  millisecondsToHold(now: number, running: number): number {
    if (this.#failures <= toleratedFailures) return 0;
    return running > 0 ? Number.POSITIVE_INFINITY : Math.max(0, this.#until - now);
  }
}
