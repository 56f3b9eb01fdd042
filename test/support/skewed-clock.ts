import type { Clock } from '../../src/lib/clock.ts';

/** A clock whose wall time can be wrong, but whose durations are right. */
export class SkewedClock implements Clock {
  readonly #clock: Clock;
  #skew = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.#skew;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(milliseconds, signal);
  }

  /** Steps the wall time, like an administrator or a time server. */
  stepWall(milliseconds: number): void {
    this.#skew += milliseconds;
  }
}
