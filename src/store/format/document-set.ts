import { getOrMake } from '../../lib/get-or-make.ts';
import type { DocumentKind, DocumentOf } from './documents.ts';

/** The key of a document within its account. */
interface DocumentKey {
  readonly kind: string;
  /** The id of an item, or the number of a part; 0 for a kind with a single document. */
  readonly id: number;
}

/** Documents by kind and id, each of the type that its kind has. */
export class DocumentSet<Deleted = never> {
  readonly #kinds = new Map<string, Map<number, unknown>>();

  get size(): number {
    let size = 0;
    for (const documents of this.#kinds.values()) size += documents.size;
    return size;
  }

  *[Symbol.iterator](): Iterator<readonly [key: DocumentKey, value: unknown]> {
    for (const [kind, documents] of this.#kinds) {
      for (const [id, value] of documents) yield [{ kind, id }, value];
    }
  }

  get<K extends DocumentKind>(kind: K, id = 0): DocumentOf<K> | Deleted | undefined {
    return this.#kinds.get(kind)?.get(id) as DocumentOf<K> | Deleted | undefined;
  }

  set<K extends DocumentKind>(kind: K, value: DocumentOf<K> | Deleted, id = 0): this {
    return this.setRead({ kind, id }, value);
  }

  /** All documents of a kind, by their ids. */
  all<K extends DocumentKind>(kind: K): ReadonlyMap<number, DocumentOf<K> | Deleted> {
    return (this.#kinds.get(kind) ?? new Map()) as ReadonlyMap<number, DocumentOf<K> | Deleted>;
  }

  add(others: DocumentSet<Deleted>): this {
    for (const [key, value] of others) this.setRead(key, value);
    return this;
  }

  delete({ kind, id }: DocumentKey): void {
    this.#kinds.get(kind)?.delete(id);
  }

  /** Sets a document that was read, and so has the type of its kind. */
  setRead({ kind, id }: DocumentKey, value: unknown): this {
    getOrMake(this.#kinds, kind, () => new Map()).set(id, value);
    return this;
  }
}

/** A change of documents: null deletes one. */
export type DocumentChanges = DocumentSet<null>;

export function changed(documents: DocumentSet, changes: DocumentChanges): DocumentSet {
  const after = new DocumentSet().add(documents);
  for (const [key, value] of changes) {
    if (value === null) after.delete(key);
    else after.setRead(key, value);
  }
  return after;
}
