import type { Clock } from '../lib/clock.ts';

/**
 * A clock that runs `scale` times as fast as `clock`, starting from the same wall time. A step of
 * the underlying wall clock passes through unscaled.
 */
export function scaledClock(clock: Clock, scale: number): Clock {
  if (!Number.isFinite(scale) || scale <= 0) {
    throw new RangeError(`time scale must be a number above 0, not ${scale}`);
  }
  const start = clock.monotonic();
  return {
    now: () => clock.now() + (clock.monotonic() - start) * (scale - 1),
    monotonic: () => clock.monotonic() * scale,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds / scale, signal),
  };
}

interface Sleeper {
  /** Milliseconds of the stepped monotonic clock. */
  readonly until: number;
  readonly wake: AbortController;
}

/**
 * A clock that is behind another one and can be moved ahead. Sleepers that become due meanwhile
 * wake up.
 */
export class SteppedClock implements Clock {
  readonly #clock: Clock;
  #behindMilliseconds: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(clock: Clock, behindMilliseconds: number) {
    this.#clock = clock;
    this.#behindMilliseconds = behindMilliseconds;
  }

  /** Moves ahead, at most up to the other clock. */
  step(milliseconds: number): void {
    this.#behindMilliseconds = Math.max(0, this.#behindMilliseconds - milliseconds);
    const now = this.monotonic();
    for (const { until, wake } of this.#sleepers) {
      if (until <= now) wake.abort();
    }
  }

  now(): number {
    return this.#clock.now() - this.#behindMilliseconds;
  }

  monotonic(): number {
    return this.#clock.monotonic() - this.#behindMilliseconds;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const wake = new AbortController();
    const until = this.monotonic() + milliseconds;
    const sleeper = { until, wake };
    this.#sleepers.add(sleeper);
    try {
      const either = signal === undefined ? wake.signal : AbortSignal.any([signal, wake.signal]);
      while (this.monotonic() < until) {
        await this.#clock.sleep(until - this.monotonic(), either);
      }
    } catch (error) {
      if (!wake.signal.aborted || signal?.aborted === true) throw error;
    } finally {
      this.#sleepers.delete(sleeper);
    }
  }
}
