import type { BudgetView, WindowView } from '../budget/budget-view.ts';

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
  /** Requests that the credit leaves to events. First sight gets what they do not need. */
  readonly kept?: number;
  /** True while the short window is unknown, or was spent before it was watched. */
  readonly isGuess?: boolean;
}

/** In every plan of the service, the long limit is this many times the short one. */
const longPerShort = 180;

/**
 * Requests that were spent in the short window before the exporter began to watch it, by others or
 * by an earlier start with another store. They can be spent again, so bursts leave as many. The
 * short limit seems smaller by them than the long window shows.
 */
function unseenSpending({ short, long }: BudgetView['windows']): number {
  if (short === undefined || long === undefined) return 0;
  return Math.max(0, Math.floor(long.limit / longPerShort) - short.limit);
}

/**
 * The requests of the short window that first sight can spend at once without slowing anything
 * down: the remaining requests above the reserve, without those of the plan and of events until the
 * reset. Example: with 400 requests an hour, of which 80 are the reserve and the long window sustains
 * 80, events may use 32 at once and 16 until the reset, and the credit is 192.
 */
export function creditOf(requestsPerSecond: number, short: Spendable | undefined): number {
  return spareOf((requestsPerSecond * (1 + eventRateShare)) / (1 - burstShare), short);
}

/** The requests of the short window above the reserve that this rate leaves until the reset. */
function spareOf(requestsPerSecond: number, short: Spendable | undefined): number {
  if (short === undefined) return 0;
  const { remaining, reserve, resetSeconds } = short;
  return Math.max(0, Math.floor(remaining - reserve - requestsPerSecond * resetSeconds));
}

/**
 * The allowance of events. Status datasets get at most three quarters of the rate and events a
 * fifth, which is less than the whole rate together. So an incident cannot starve the status
 * datasets. If earlier spending leaves no credit, it is given in the next short window.
 */
export function eventAllowance(rate: number, windows: BudgetView['windows']): EventAllowance {
  const unseen = unseenSpending(windows);
  const short = windows.short && {
    ...windows.short,
    remaining: windows.short.remaining - unseen,
  };
  const spendable = short === undefined ? 0 : Math.max(0, short.remaining - short.reserve);
  const credit = creditOf(rate, short);
  const isGuess = short === undefined || (unseen > 0 && credit === 0);
  return {
    requestsPerSecond: rate * eventRateShare,
    burst: Math.max(rate > 0 ? 1 : 0, Math.floor(spendable * burstShare)),
    ...(isGuess ? { isGuess } : { credit, kept: spareOf(rate, short) - credit }),
  };
}
