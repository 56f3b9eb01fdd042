import type { Store, StoreChanges, StoredAccount } from './store.ts';
import { StoreError } from './store-error.ts';

export interface StoreObserver {
  wrote(): void;
  failed(error: StoreError): void;
}

/** A store whose commits are watched. */
export class ObservedStore implements Store {
  readonly #store: Store;
  readonly #observer: StoreObserver;

  constructor(store: Store, observer: StoreObserver) {
    this.#store = store;
    this.#observer = observer;
  }

  load(account: string): Promise<StoredAccount> {
    return this.#store.load(account);
  }

  async commit(changes: StoreChanges): Promise<void> {
    try {
      await this.#store.commit(changes);
    } catch (error) {
      if (error instanceof StoreError) this.#observer.failed(error);
      throw error;
    }
    this.#observer.wrote();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
