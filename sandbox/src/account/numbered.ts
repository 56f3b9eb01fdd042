interface Thing {
  readonly id: number;
}

interface NumberedOptions<T> {
  /** The initial things, in order of their identifiers. */
  readonly things?: readonly T[];
  /** The lowest possible identifier. */
  readonly firstId: number;
  /** The identifier after the last one; by default the next number. */
  readonly nextId?: (lastId: number) => number;
}

/** Things of one kind, in order of their identifiers; an identifier is never used again. */
export class Numbered<T extends Thing> {
  readonly #byId: Map<number, T>;
  readonly #nextId: (lastId: number) => number;
  #lastId: number;
  #listed: readonly T[] | undefined;

  constructor({ things = [], firstId, nextId = (lastId) => lastId + 1 }: NumberedOptions<T>) {
    this.#byId = new Map(things.map((thing) => [thing.id, thing]));
    this.#lastId = things.at(-1)?.id ?? firstId - 1;
    this.#nextId = nextId;
  }

  /** The same array until something changes. */
  get all(): readonly T[] {
    this.#listed ??= [...this.#byId.values()];
    return this.#listed;
  }

  find(id: number): T | undefined {
    return this.#byId.get(id);
  }

  /** Those of the identifiers that exist, in the given order. */
  known(ids: readonly number[]): T[] {
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** An identifier is used up only if `make` does not throw. */
  add(make: (id: number) => T): T {
    const thing = make(this.#nextId(this.#lastId));
    this.#lastId = thing.id;
    this.put(thing);
    return thing;
  }

  /** Replaces the thing with the same identifier. */
  put(thing: T): void {
    this.#byId.set(thing.id, thing);
    this.#listed = undefined;
  }

  /** Returns false if there is no such thing. */
  remove(id: number): boolean {
    this.#listed = undefined;
    return this.#byId.delete(id);
  }
}

/**
 * Returns the number of things that have each tag. It is counted once for each list of `Numbered`,
 * because a list of checks shows the counts with every entry.
 */
export function tagCounter<T>(
  tagsOf: (thing: T) => readonly string[],
): (things: readonly T[]) => ReadonlyMap<string, number> {
  const known = new WeakMap<readonly T[], ReadonlyMap<string, number>>();
  return (things) => {
    const before = known.get(things);
    if (before !== undefined) return before;
    const counts = new Map<string, number>();
    for (const thing of things) {
      for (const tag of new Set(tagsOf(thing))) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    known.set(things, counts);
    return counts;
  };
}
