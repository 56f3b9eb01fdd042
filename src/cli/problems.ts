import { UsageError } from './usage-error.ts';

/** Collects what is wrong with the input, so that all of it can be told at once. */
export class Problems {
  readonly #messages: string[] = [];

  static problem(message: string): UsageError {
    return new UsageError(message);
  }

  /** What `read` returns; undefined when it throws a problem, which is kept. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.#messages.push(error.message);
      return undefined;
    }
  }

  error(heading: string, ending: readonly string[]): UsageError {
    const lines = this.#messages.map((message) => `  - ${message}`);
    return new UsageError([heading, ...lines, ...ending].join('\n'));
  }
}
