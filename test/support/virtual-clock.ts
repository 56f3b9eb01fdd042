import type { Clock } from '../../src/lib/clock.ts';

interface Sleeper {
  readonly wakeAt: number;
  readonly order: number;
  wake(): void;
}

/** A clock that moves only when told to. Sleepers wake in the order of their times. */
export class VirtualClock implements Clock {
  #monotonic = 0;
  #wallOffset: number;
  #order = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(startMilliseconds = Date.UTC(2026, 0, 5, 12)) {
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

  /** Moves both clocks on, waking sleepers on the way and letting what they start run. */
  async advance(milliseconds: number): Promise<void> {
    const target = this.#monotonic + milliseconds;
    for (;;) {
      await settle();
      const next = this.#earliest();
      if (next === undefined || next.wakeAt > target) break;
      this.#monotonic = Math.max(this.#monotonic, next.wakeAt);
      this.#sleepers.delete(next);
      next.wake();
    }
    this.#monotonic = target;
  }

  /**
   * Lets what is under way go on until so many sleep at the most, without letting time pass. Resolves with false
   * when it takes long, as with an answer that hangs.
   */
  async untilSleepers(most: number): Promise<boolean> {
    for (let turn = 0; turn < 1_000 && this.sleepers > most; turn++) {
      await new Promise(setImmediate);
    }
    return this.sleepers <= most;
  }

  /** Steps the wall clock alone, as an administrator or a time server would. */
  stepWall(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  /** Both clocks go on while the machine sleeps, or the process is stopped: nobody wakes in time. */
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

/** Lets every callback that is ready run, those of finished I/O included. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}
