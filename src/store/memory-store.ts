import { decodeItem, encodeItem } from './item-codec.ts';
import {
  itemKinds,
  type Json,
  type Store,
  type StoreChanges,
  type StoredAccount,
} from './store.ts';

/** A store that forgets with its process. It keeps the encoded form, as a store on disk does. */
export class MemoryStore implements Store {
  readonly #records = new Map<string, Json>();

  async load(account: string): Promise<StoredAccount> {
    const stored = {
      items: { check: new Map(), transaction: new Map() },
      documents: new Map<string, Json>(),
    };
    for (const [key, value] of this.#records) {
      const [owner, kind, name] = JSON.parse(key) as [string, string, string | number];
      if (owner !== account) continue;
      const itemKind = itemKinds.find((candidate) => candidate === kind);
      if (itemKind === undefined) stored.documents.set(String(name), value);
      else stored.items[itemKind].set(Number(name), decodeItem(value));
    }
    return stored;
  }

  async commit({ account, items = {}, documents = new Map() }: StoreChanges): Promise<void> {
    for (const kind of itemKinds) {
      for (const [id, item] of items[kind] ?? []) {
        this.#put([account, kind, id], item === null ? null : encodeItem(item));
      }
    }
    for (const [name, value] of documents) this.#put([account, 'document', name], value);
  }

  async close(): Promise<void> {}

  #put(key: readonly [string, string, string | number], value: Json): void {
    if (value === null) this.#records.delete(JSON.stringify(key));
    else this.#records.set(JSON.stringify(key), value);
  }
}
