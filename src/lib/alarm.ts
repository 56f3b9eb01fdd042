import type { Sleeper } from './clock.ts';

/** A sleep that can be ended early. A ring without a sleeper ends the next one at once. */
export class Alarm {
  readonly #clock: Sleeper;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Sleeper) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves after `milliseconds`, or when the alarm rings. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#rung) {
      const early = new AbortController();
      // Without a reason, `abort` would create an error with a stack at every ring.
      this.#wake = () => early.abort('rung');
      try {
        await this.#clock.sleep(milliseconds, early.signal);
      } catch (error) {
        if (!early.signal.aborted) throw error;
      } finally {
        this.#wake = undefined;
      }
    }
    this.#rung = false;
  }
}
