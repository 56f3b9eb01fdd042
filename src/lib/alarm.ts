import type { Clock } from './clock.ts';

/**
 * A sleep that can be ended early: one caller waits, and any caller rings. A ring without a waiter is kept for the
 * next wait.
 */
export class Alarm {
  readonly #clock: Pick<Clock, 'sleep'>;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'sleep'>) {
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
      // With a reason, no error with a stack is created at every ring.
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
