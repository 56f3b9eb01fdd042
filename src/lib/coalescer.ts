/** Runs a task at most once at a time. All requests that arrive while it runs lead to one more run. */
export class Coalescer {
  readonly #task: () => Promise<void>;
  #running: Promise<void> | undefined;
  #again = false;

  /** `task` must not reject. */
  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  ask(): void {
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#running = this.#run();
  }

  /** Resolves when no run is in progress or requested. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      await this.#task();
    } while (this.#again);
    this.#running = undefined;
  }
}
