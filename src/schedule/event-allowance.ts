import type { WindowView } from '../budget/budget-view.ts';
import { creditOf } from './first-sight.ts';

/** An exponentially weighted mean of requests per second, in monotonic milliseconds. */
export class RateMeter {
  readonly #memoryMilliseconds: number;
  #perSecond = 0;
  #at = 0;

  constructor(memorySeconds: number) {
    this.#memoryMilliseconds = memorySeconds * 1000;
  }

  count(requests: number, now: number): void {
    this.#perSecond = this.read(now) + (requests * 1000) / this.#memoryMilliseconds;
    this.#at = now;
  }

  read(now: number): number {
    return this.#perSecond * Math.exp(-Math.max(0, now - this.#at) / this.#memoryMilliseconds);
  }
}

/**
 * Events may use this share of the sustainable rate. In a burst, they may use `burstShare` of the
 * requests that can still be spent in the short window.
 */
export const eventRateShare = 0.2;
const burstShare = 0.25;

type Spendable = Pick<WindowView, 'remaining' | 'reserve' | 'resetSeconds'>;

export interface EventAllowance {
  readonly requestsPerSecond: number;
  /** Requests that may be sent at once. */
  readonly burst: number;
  /** Requests that first sight may send at once. The credit is given only once. */
  readonly credit?: number;
  /** True while the short window is unknown, so that the burst is a guess. */
  readonly isGuess?: boolean;
}

/**
 * The allowance of events. Status datasets get at most three quarters of the rate and events a
 * fifth, which is less than the whole rate together. So an incident cannot starve the status
 * datasets.
 */
export function eventAllowance(rate: number, short: Spendable | undefined): EventAllowance {
  const spendable = short === undefined ? 0 : Math.max(0, short.remaining - short.reserve);
  return {
    requestsPerSecond: rate * eventRateShare,
    burst: Math.max(rate > 0 ? 1 : 0, Math.floor(spendable * burstShare)),
    ...(short === undefined ? { isGuess: true } : { credit: creditOf(rate, short) }),
  };
}
