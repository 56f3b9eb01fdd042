import type { Store, StoreChanges, StoredAccount } from '../../src/store/store.ts';

/** A store whose commits fail for as long as the test wants it. */
export class FailingStore implements Store {
  readonly #store: Store;
  #failure: Error | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Makes every commit reject with this error and store nothing, until it is called with none. */
  failWith(failure: Error | undefined): void {
    this.#failure = failure;
  }

  load(account: string): Promise<StoredAccount> {
    return this.#store.load(account);
  }

  async commit(changes: StoreChanges): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    await this.#store.commit(changes);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
