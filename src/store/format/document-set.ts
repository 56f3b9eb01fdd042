import type { DocumentName, DocumentOf, FamilyDocuments, FamilyName } from './documents.ts';

/** Documents by name, each of the type that its schema has. */
export class DocumentSet<Deleted = never> {
  readonly #values = new Map<string, unknown>();

  get size(): number {
    return this.#values.size;
  }

  /** The names and values, in the order in which they were set. */
  [Symbol.iterator](): Iterator<readonly [name: string, value: unknown]> {
    return this.#values.entries();
  }

  get<N extends DocumentName>(name: N): DocumentOf<N> | Deleted | undefined {
    return this.#values.get(name) as DocumentOf<N> | Deleted | undefined;
  }

  set<N extends DocumentName>(name: N, value: DocumentOf<N> | Deleted): this {
    this.#values.set(name, value);
    return this;
  }

  /** All documents of a family, keyed by their numbers. */
  *family<F extends FamilyName>(
    family: F,
  ): Iterable<readonly [number, FamilyDocuments[F] | Deleted]> {
    const beginning = `${family} `;
    for (const [name, value] of this.#values) {
      if (!name.startsWith(beginning)) continue;
      yield [Number(name.slice(beginning.length)), value as FamilyDocuments[F] | Deleted];
    }
  }

  add(others: DocumentSet<Deleted>): this {
    for (const [name, value] of others.#values) this.#values.set(name, value);
    return this;
  }

  /** Adds a document that was read and matches the schema of its name. */
  addRead(name: string, value: unknown): void {
    this.#values.set(name, value);
  }
}

/** A change of documents: null deletes one. */
export type DocumentChanges = DocumentSet<null>;

export function changed(documents: DocumentSet, changes: DocumentChanges): DocumentSet {
  const after = new Map<string, unknown>(documents);
  for (const [name, value] of changes) {
    if (value === null) after.delete(name);
    else after.set(name, value);
  }
  const set = new DocumentSet();
  for (const [name, value] of after) set.addRead(name, value);
  return set;
}
