import type { Plan } from './plan.ts';

/** The most requests that are saved up for a batch, unless the caller needs more. */
const largestBatch = 20;
const leastSeconds = 1;
const mostSeconds = 5;
/** Batches follow each other after this share of the shortest interval, within these bounds. */
const shareOfInterval = 1 / 60;

/**
 * Background items start in batches: their responses are stored and shown together, and the process
 * sleeps in between. Times are milliseconds of a monotonic clock.
 */
export class Batches {
  #intervalMilliseconds = leastSeconds * 1000;
  #startedAt = Number.NEGATIVE_INFINITY;
  #isOpen = false;

  applyPlan(plan: Plan): void {
    this.#intervalMilliseconds = batchSeconds(plan) * 1000;
  }

  /**
   * Milliseconds until items may start; 0 during a batch. A new batch starts an interval after the
   * last one started, or earlier if the allowance is full, which takes `untilFull`.
   */
  startIn(now: number, untilFull: number): number {
    if (this.#isOpen) return 0;
    return Math.max(0, Math.min(untilFull, this.#startedAt + this.#intervalMilliseconds - now));
  }

  itemStarts(now: number): void {
    if (!this.#isOpen) this.#startedAt = now;
    this.#isOpen = true;
  }

  /** No further item is due, or the allowance is used up. */
  end(): void {
    this.#isOpen = false;
  }
}

/** The requests that may be saved up for a batch, at this rate, but at least `least`. */
export function batchBurst(plan: Plan, requestsPerSecond: number, least: number): number {
  // A batch that starts late is made up for by a little more than needed.
  const savedUp = 1.2 * requestsPerSecond * batchSeconds(plan);
  return Math.max(least, Math.min(largestBatch, savedUp));
}

function batchSeconds(plan: Plan): number {
  const background = plan.datasets.filter(({ isStatus }) => !isStatus);
  const shortest = Math.min(...background.map(({ intervalSeconds }) => intervalSeconds));
  return Math.min(mostSeconds, Math.max(leastSeconds, shortest * shareOfInterval));
}
