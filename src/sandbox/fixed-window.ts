import type { WindowReading } from '../domain/window.ts';
import type { Clock } from '../lib/clock.ts';

export interface FixedWindowOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly limit: number;
  readonly seconds: number;
}

/** A window that opens with the first request after the last one ended, and then ends at a fixed time. */
export class FixedWindow {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #limit: number;
  readonly #milliseconds: number;
  #endsAt = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor({ clock, limit, seconds }: FixedWindowOptions) {
    this.#clock = clock;
    this.#limit = limit;
    this.#milliseconds = seconds * 1000;
  }

  /** Counts `requests`; false when they do not fit, in which case they count all the same. */
  take(requests: number): boolean {
    const now = this.#clock.monotonic();
    if (now >= this.#endsAt) {
      this.#endsAt = now + this.#milliseconds;
      this.#taken = 0;
    }
    this.#taken += requests;
    return this.#taken <= this.#limit;
  }

  reading(): WindowReading {
    const left = this.#endsAt - this.#clock.monotonic();
    if (left <= 0) return { remaining: this.#limit, resetSeconds: this.#milliseconds / 1000 };
    return {
      remaining: Math.max(0, this.#limit - this.#taken),
      resetSeconds: Math.ceil(left / 1000),
    };
  }
}
