import { UsageError } from './usage-error.ts';

/** Collects what is wrong with the input, so that all of it can be told at once. */
export class Problems {
  readonly #messages: string[] = [];

  add(message: string): void {
    this.#messages.push(message);
  }

  /** What `read` returns; undefined when it throws a problem, which is kept. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.add(error.message);
      return undefined;
    }
  }

  get found(): boolean {
    return this.#messages.length > 0;
  }

  error(heading: string, ending: readonly string[] = []): UsageError {
    const lines = this.#messages.map((message) => `  - ${message}`);
    return new UsageError([heading, ...lines, ...ending].join('\n'));
  }
}
