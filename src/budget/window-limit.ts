import type { WindowName } from '../domain/rate-limit.ts';
import type { BudgetNote } from './budget-note.ts';

/** A new window that opens with less than this part of the limit belongs to a smaller plan. */
const smallerShare = 0.5;
/** No client spends faster than this after a burst, in requests per second. */
const fastestSpending = { burst: 10_000, perSecond: 1_000 };

/** Reported remaining requests, with their relation to the report before. */
interface LimitReading {
  readonly remaining: number;
  /** A new window has opened since the report before, and nothing else has been spent of it. */
  readonly opens: boolean;
  /** Since the report before; absent for the first report of a window. */
  readonly elapsedSeconds?: number | undefined;
  /** There was a report before. */
  readonly isSecond: boolean;
  readonly reserve: number;
}

/**
 * The limit of one window. The headers do not report it: it is the largest number of remaining requests, until a
 * report contradicts that.
 */
export class WindowLimit {
  readonly #name: WindowName;
  readonly #onNote: (note: BudgetNote) => void;
  #requests = 0;
  /** A second report did not contradict the limit. */
  #confirmed = false;
  /** A report above the limit that waits for a second response that agrees. */
  #above: number | undefined;
  /** The limit before it became smaller. One report restores it. */
  #former: number | undefined;

  constructor(name: WindowName, onNote: (note: BudgetNote) => void) {
    this.#name = name;
    this.#onNote = onNote;
  }

  get requests(): number {
    return this.#requests;
  }

  get former(): number | undefined {
    return this.#former;
  }

  restore(requests: number, former: number | undefined): void {
    this.#requests = requests;
    this.#former = former;
    this.#confirmed = true;
  }

  /**
   * Returns whether to believe a report. A report above the limit is believed only when a second response agrees:
   * otherwise a single mistake would raise the reserve above all remaining requests.
   */
  agrees(remaining: number): boolean {
    const former = this.#former ?? 0;
    if (this.#confirmed && remaining > this.#requests && remaining > former) {
      if (this.#above === undefined) {
        this.#above = remaining;
        this.#onNote({ kind: 'above', window: this.#name, limit: this.#requests, remaining });
        return false;
      }
      this.#requests = 2 * remaining < this.#above ? remaining : Math.max(this.#above, remaining);
      this.#former = undefined;
    } else if (remaining > this.#requests) {
      this.#requests = Math.max(remaining, former);
      this.#former = undefined;
    }
    this.#above = undefined;
    return true;
  }

  /** Learns from a report that is believed. Returns true when the limit became smaller. */
  learn({ remaining, opens, elapsedSeconds, isSecond, reserve }: LimitReading): boolean {
    let isSmaller = false;
    if (opens) {
      const smallest = Math.max(reserve, this.#requests * smallerShare);
      this.#former = undefined;
      isSmaller = remaining < smallest;
      if (isSmaller) this.shrink(remaining);
    } else if (elapsedSeconds !== undefined && !this.#confirmed) {
      const spendable = fastestSpending.burst + fastestSpending.perSecond * elapsedSeconds;
      isSmaller = this.#requests - remaining > spendable;
      if (isSmaller) {
        this.shrink(remaining);
        this.#former = undefined;
      }
    }
    this.#requests = Math.max(this.#requests, remaining);
    if (isSecond) this.#confirmed = true;
    return isSmaller;
  }

  /** The account has a smaller plan. */
  shrink(requests: number): void {
    this.#onNote({ kind: 'smaller', window: this.#name, from: this.#requests, to: requests });
    this.#former = Math.max(this.#requests, this.#former ?? 0);
    this.#requests = requests;
  }
}
