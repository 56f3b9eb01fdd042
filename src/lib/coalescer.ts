import type { Clock } from './clock.ts';

interface CoalescerOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Between the beginnings of two runs. */
  readonly minIntervalMilliseconds: number;
}

/**
 * Runs a task at once when it is idle, and at most once at a time. All requests that arrive while it runs lead to one more
 * run, no sooner than the interval allows.
 */
export class Coalescer {
  readonly #task: () => Promise<void>;
  readonly #options: CoalescerOptions | undefined;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;

  /** `task` must not reject. */
  constructor(task: () => Promise<void>, options?: CoalescerOptions) {
    this.#task = task;
    this.#options = options;
  }

  ask(): void {
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    if (this.#stopping.signal.aborted) return;
    this.#running = this.#run();
  }

  /** Resolves when no run is in progress or requested. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Starts no further run. Resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.idle();
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      const startedAt = this.#options?.clock.monotonic();
      await this.#task();
      if (startedAt !== undefined) await this.#pause(startedAt);
    } while (this.#again && !this.#stopping.signal.aborted);
    this.#running = undefined;
  }

  async #pause(startedAt: number): Promise<void> {
    if (this.#options === undefined) return;
    const { clock, minIntervalMilliseconds } = this.#options;
    const wait = startedAt + minIntervalMilliseconds - clock.monotonic();
    const { signal } = this.#stopping;
    if (wait <= 0 || signal.aborted) return;
    try {
      await clock.sleep(wait, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
