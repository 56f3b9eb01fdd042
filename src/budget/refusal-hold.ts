import { backoffMilliseconds } from '../lib/backoff.ts';
import type { Random } from '../lib/random.ts';

const backoff = { baseMilliseconds: 60_000, capMilliseconds: 3_600_000 };

/**
 * After a 429 whose headers do not report an exhausted window, no request may be sent for a time
 * that grows with each consecutive 429, and after any 429 not before the time that its
 * `Retry-After` names. After the hold, one request probes. Times are milliseconds of the monotonic
 * clock.
 */
export class RefusalHold {
  readonly #random: Random;
  #until = Number.NEGATIVE_INFINITY;
  #refusedOrder = -1;
  #refusals = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get until(): number {
    return this.#until;
  }

  get refusals(): number {
    return this.#refusals;
  }

  get probing(): boolean {
    return this.#refusals > 0;
  }

  /** Begins or extends the hold, unless the request was sent before the hold began. */
  refused(now: number, admittedOrder: number, releasedOrder: number): void {
    if (admittedOrder < this.#refusedOrder) return;
    this.#refusals += 1;
    this.holdUntil(now + backoffMilliseconds(backoff, this.#refusals, this.#random));
    this.#refusedOrder = releasedOrder;
  }

  holdUntil(until: number): void {
    this.#until = Math.max(this.#until, until);
  }

  answered(admittedOrder: number): void {
    if (admittedOrder > this.#refusedOrder) this.#refusals = 0;
  }

  restore(until: number, refusals: number): void {
    this.#until = until;
    this.#refusals = refusals;
  }
}
