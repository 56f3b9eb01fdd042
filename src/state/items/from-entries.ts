interface VersionedEntries<E> {
  readonly entriesVersion: number;
  records(): Iterable<{ readonly entry: E }>;
}

/** A value of all entries of a list, computed again when one of them has changed. */
export class FromEntries<E, V> {
  readonly #items: VersionedEntries<E>;
  readonly #compute: (records: Iterable<{ readonly entry: E }>) => V;
  #version: number | undefined;
  #value: V | undefined;

  constructor(
    items: VersionedEntries<E>,
    compute: (records: Iterable<{ readonly entry: E }>) => V,
  ) {
    this.#items = items;
    this.#compute = compute;
  }

  get value(): V {
    if (this.#value === undefined || this.#version !== this.#items.entriesVersion) {
      this.#value = this.#compute(this.#items.records());
      this.#version = this.#items.entriesVersion;
    }
    return this.#value;
  }
}
