/** Kinds of trouble that some item has got into, though none was in them before, and that the last one has left. */
export interface Turn<Kind> {
  readonly begun: readonly Kind[];
  readonly over: readonly Kind[];
}

/** Which items are in which kinds of trouble, of those that anything is in. */
export class Troubles<Kind extends string> {
  readonly #items = new Map<Kind, Set<number>>();

  /** The item is in these kinds of trouble and in no others. */
  put(item: number, kinds: ReadonlySet<Kind>): Turn<Kind> {
    const begun = [...kinds].filter((kind) => !this.#items.has(kind));
    for (const kind of kinds) this.#items.set(kind, (this.#items.get(kind) ?? new Set()).add(item));
    for (const [kind, items] of this.#items) if (!kinds.has(kind)) items.delete(item);
    return { begun, over: this.#emptied() };
  }

  /** Forgets the items that are not there any more; the answer holds the kinds that are over by that. */
  keep(isThere: (item: number) => boolean): readonly Kind[] {
    for (const items of this.#items.values()) {
      for (const item of items) if (!isThere(item)) items.delete(item);
    }
    return this.#emptied();
  }

  #emptied(): Kind[] {
    const over = [...this.#items].filter(([, items]) => items.size === 0).map(([kind]) => kind);
    for (const kind of over) this.#items.delete(kind);
    return over;
  }
}
