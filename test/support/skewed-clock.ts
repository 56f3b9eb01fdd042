import type { Clock } from '../../src/lib/clock.ts';

/** A clock whose wall time can be wrong; durations are those of the right one. */
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

  /** Steps the wall time, as an administrator or a time server would. */
  stepWall(milliseconds: number): void {
    this.#skew += milliseconds;
  }
}
