import { backoffMilliseconds } from '../lib/backoff.ts';
import type { Random } from '../lib/random.ts';

const backoff = { baseMilliseconds: 60_000, capMilliseconds: 3_600_000 };

/**
 * Holds every request back after a 429 whose headers do not name an exhausted window, longer with each one in a row.
 * After the hold, one request has to probe. Times are milliseconds of the monotonic clock.
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

  /** The response to a request that was sent before the hold has no new information about it. */
  refused(now: number, admittedOrder: number, releasedOrder: number): void {
    if (admittedOrder < this.#refusedOrder) return;
    this.#refusals += 1;
    this.#until = now + backoffMilliseconds(backoff, this.#refusals, this.#random);
    this.#refusedOrder = releasedOrder;
  }

  answered(admittedOrder: number): void {
    if (admittedOrder > this.#refusedOrder) this.#refusals = 0;
  }

  restore(until: number, refusals: number): void {
    this.#until = until;
    this.#refusals = refusals;
  }
}
