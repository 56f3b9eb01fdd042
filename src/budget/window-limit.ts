import type { WindowName } from '../domain/rate-limit.ts';
import type { BudgetNote } from './budget-note.ts';

/** A window that has just opened with less than this part of the limit belongs to a smaller plan. */
const smallerShare = 0.5;
/** Nobody spends faster than this, in requests a second, after a burst. */
const fastestSpending = { burst: 10_000, perSecond: 1_000 };

/** A reading of what remains, and what is known of its window. */
interface LimitReading {
  readonly remaining: number;
  /** A new window has opened since the reading before, and nothing else has been spent of it. */
  readonly opens: boolean;
  /** Since the reading before; absent when that is of another window, or there was none. */
  readonly elapsedSeconds?: number | undefined;
  /** There was a reading before. */
  readonly isSecond: boolean;
  readonly reserve: number;
}

/**
 * How many requests one window of the service holds. The headers do not say: it is the most that was ever seen to remain, until
 * a reading contradicts it.
 */
export class WindowLimit {
  readonly #name: WindowName;
  readonly #onNote: (note: BudgetNote) => void;
  #requests = 0;
  /** A second reading did not contradict the limit. */
  #confirmed = false;
  /** A reading above the limit, until another reply agrees. */
  #above: number | undefined;
  /** The limit before it became smaller, which one reading restores. */
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
   * Whether a reading counts. One above all that the window has held is a mistake until another reply
   * agrees, or a single one would raise the reserve above all that there is.
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

  /** Learns from a reading that counts. True when the limit became smaller. */
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
