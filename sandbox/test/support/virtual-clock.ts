import type { Clock } from '../../src/lib/clock.ts';

interface Sleeper {
  readonly wakeAt: number;
  wake(): void;
}

/** A whole second, in UNIX milliseconds. By default a clock begins between two. */
export const wholeSecond = Date.UTC(2026, 0, 5, 12);

/** A clock that advances only on request. Sleepers wake in the order of their times. */
export class VirtualClock implements Clock {
  #monotonic = 0;
  #wallOffset: number;
  #sleepers: readonly Sleeper[] = [];

  constructor(startMilliseconds = wholeSecond + 437) {
    this.#wallOffset = startMilliseconds;
  }

  now(): number {
    return this.#wallOffset + this.#monotonic;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.#remove(sleeper);
        reject(signal?.reason);
      };
      const sleeper = {
        wakeAt: this.#monotonic + Math.max(0, milliseconds),
        wake: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      this.#sleepers = [...this.#sleepers, sleeper].sort((a, b) => a.wakeAt - b.wakeAt);
      signal?.addEventListener('abort', abort);
    });
  }

  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Advances both clocks. Wakes sleepers in between, and lets the work that they start run. */
  async advance(milliseconds: number): Promise<void> {
    const target = this.#monotonic + milliseconds;
    for (;;) {
      await settle();
      const [next] = this.#sleepers;
      if (next === undefined || next.wakeAt > target) break;
      this.#monotonic = Math.max(this.#monotonic, next.wakeAt);
      this.#remove(next);
      next.wake();
    }
    this.#monotonic = target;
  }

  /** Steps only the wall clock, like an administrator or a time server. */
  stepWall(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  #remove(sleeper: Sleeper): void {
    this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
  }
}

/** Runs every callback that is ready, including those of finished I/O. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}
