import type { WindowName } from '../domain/rate-limit.ts';
import type { BudgetNote } from './budget-note.ts';

/** If a new window begins with less than this share of the limit, the plan is smaller. */
const smallerShare = 0.5;
/** No client spends faster than this: a burst of requests, and then a number per second. */
const fastestSpending = { burst: 10_000, perSecond: 1_000 };

/** The remaining requests in a report, and its relation to the previous report. */
interface LimitReport {
  readonly remaining: number;
  /** A new window has begun, in which only this request has been spent. */
  readonly opens: boolean;
  /** Seconds since the previous report of the same window; absent if there is none. */
  readonly elapsedSeconds?: number | undefined;
  /** There is a previous report, of this or an earlier window. */
  readonly isSecond: boolean;
  readonly reserve: number;
}

/**
 * The limit of one window. The headers do not report it, so it is the largest number of remaining
 * requests seen, until a report shows that the limit became smaller.
 */
export class WindowLimit {
  readonly #name: WindowName;
  readonly #onNote: (note: BudgetNote) => void;
  #requests = 0;
  /** A second report agreed with the limit. */
  #confirmed = false;
  /** A report above the limit, which is not used until a second response agrees. */
  #above: number | undefined;
  /** The limit before it became smaller. A single report above the present limit restores it. */
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
   * Returns whether to use a report. A report above the limit is used only if a second response
   * agrees. Otherwise a single mistake would raise the reserve above all remaining requests.
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

  /** Learns from a report that `agrees` has accepted. Returns true if the limit became smaller. */
  learn({ remaining, opens, elapsedSeconds, isSecond, reserve }: LimitReport): boolean {
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

  /** The account changed to a smaller plan. */
  shrink(requests: number): void {
    this.#onNote({ kind: 'smaller', window: this.#name, from: this.#requests, to: requests });
    this.#former = Math.max(this.#requests, this.#former ?? 0);
    this.#requests = requests;
  }
}
