import type { Clock } from '../../src/lib/clock.ts';

interface Sleeper {
  readonly wakeAt: number;
  readonly order: number;
  wake(): void;
}

/** A whole second, in UNIX milliseconds. By default a clock begins between two. */
export const wholeSecond = Date.UTC(2026, 0, 5, 12);

/** A clock that advances only on request. Sleepers wake in the order of their times. */
export class VirtualClock implements Clock {
  #monotonic = 0;
  #wallOffset: number;
  #order = 0;
  readonly #sleepers = new Set<Sleeper>();
  readonly #quiet: () => Promise<void>;

  /** The clock stands still until `quiet` resolves; by default it lets the event loop turn. */
  constructor(startMilliseconds = wholeSecond + 437, quiet = settle) {
    this.#wallOffset = startMilliseconds;
    this.#quiet = quiet;
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
      const sleeper: Sleeper = {
        wakeAt: this.#monotonic + Math.max(0, milliseconds),
        order: this.#order++,
        wake: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      const abort = () => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }

  /** Monotonic milliseconds at which the next sleeper wakes. */
  get earliestWake(): number | undefined {
    return this.#earliest()?.wakeAt;
  }

  /** Advances both clocks. Wakes sleepers in between, and lets the work that they start run. */
  async advance(milliseconds: number): Promise<void> {
    const target = this.#monotonic + milliseconds;
    for (;;) {
      await this.#quiet();
      const next = this.#earliest();
      if (next === undefined || next.wakeAt > target) break;
      this.#monotonic = Math.max(this.#monotonic, next.wakeAt);
      this.#sleepers.delete(next);
      next.wake();
    }
    this.#monotonic = target;
  }

  /** Steps only the wall clock, like an administrator or a time server. */
  stepWall(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  /**
   * Both clocks advance while the machine or the process is suspended, so no sleeper wakes on time.
   */
  suspend(milliseconds: number): void {
    this.#monotonic += milliseconds;
  }

  #earliest(): Sleeper | undefined {
    let earliest: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (
        earliest === undefined ||
        sleeper.wakeAt < earliest.wakeAt ||
        (sleeper.wakeAt === earliest.wakeAt && sleeper.order < earliest.order)
      ) {
        earliest = sleeper;
      }
    }
    return earliest;
  }
}

/** Runs every callback that is ready, including those of finished I/O. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}
