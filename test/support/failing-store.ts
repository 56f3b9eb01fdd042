import type {
  MonthBatch,
  Store,
  StoreChanges,
  StoredAccount,
  StoredMonth,
} from '../../src/store/store.ts';

/** A store whose commits fail while the test requires it. */
export class FailingStore implements Store {
  readonly #store: Store;
  #failure: Error | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * From now on, every commit rejects with this error and stores nothing. Without an error, commits
   * work again.
   */
  failWith(failure: Error | undefined): void {
    this.#failure = failure;
  }

  accounts(): Promise<readonly string[]> {
    return this.#store.accounts();
  }

  load(account: string): Promise<StoredAccount> {
    return this.#store.load(account);
  }

  readMonth(batch: MonthBatch): Promise<readonly StoredMonth[]> {
    return this.#store.readMonth(batch);
  }

  async commit(changes: StoreChanges): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    await this.#store.commit(changes);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
