import type { MonotonicClock, Sleeper } from './clock.ts';

export interface CoalescerOptions {
  readonly clock: MonotonicClock & Sleeper;
  /** The minimum time between the starts of two runs. */
  readonly minIntervalMilliseconds: number;
  /**
   * The highest interval, if it is longer: a run that takes more than an eighth of an interval is
   * followed by seven times its duration without one.
   */
  readonly maxIntervalMilliseconds?: number;
}

/**
 * Runs a task on request: at once if none is running, and never twice at the same time. Requests
 * that arrive during a run are combined into one further run, which starts no earlier than the
 * interval after the start of the previous one.
 */
export class Coalescer {
  readonly #task: () => Promise<void>;
  readonly #options: CoalescerOptions;
  #pausing: AbortController | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #isHurried = false;
  #isStopping = false;

  /** `task` must not reject. */
  constructor(task: () => Promise<void>, options: CoalescerOptions) {
    this.#task = task;
    this.#options = options;
  }

  ask(): void {
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    if (this.#isStopping) return;
    this.#running = this.#run();
  }

  /** Resolves when no run is in progress or requested. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Runs a requested task now. Resolves when no run is in progress or requested. */
  async flush(): Promise<void> {
    this.#isHurried = true;
    this.#pausing?.abort();
    await this.idle();
    this.#isHurried = false;
  }

  /** Starts no further run. Resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#pausing?.abort();
    await this.idle();
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      const startedAt = this.#options.clock.monotonic();
      await this.#task();
      await this.#pause(startedAt);
    } while (this.#again && !this.#isStopping);
    this.#running = undefined;
  }

  async #pause(startedAt: number): Promise<void> {
    const {
      clock,
      minIntervalMilliseconds: least,
      maxIntervalMilliseconds = least,
    } = this.#options;
    const now = clock.monotonic();
    const interval = Math.max(least, Math.min(8 * (now - startedAt), maxIntervalMilliseconds));
    const wait = startedAt + interval - now;
    if (wait <= 0 || this.#isHurried || this.#isStopping) return;
    this.#pausing = new AbortController();
    const { signal } = this.#pausing;
    try {
      await clock.sleep(wait, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
