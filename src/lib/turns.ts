/**
 * Runs the work on each name one after the other, in the order in which it was given. Work on
 * several names waits for all of them, and later work on any of them waits for it.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves or rejects as the work does. */
  take<T>(names: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const unique = new Set(names);
    const before = [...unique].map((name) => this.#last.get(name));
    const done = Promise.all(before).then(work);
    const ended = done
      .catch(() => {})
      .then(() => {
        for (const name of unique) if (this.#last.get(name) === ended) this.#last.delete(name);
      });
    for (const name of unique) this.#last.set(name, ended);
    return done;
  }

  /** Whether work on the name runs or waits. */
  isTaken(name: string): boolean {
    return this.#last.has(name);
  }

  /** The number of names with work that runs or waits. */
  get size(): number {
    return this.#last.size;
  }

  /** Resolves when no work runs or waits. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
