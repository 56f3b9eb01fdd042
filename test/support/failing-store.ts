import type { Store, StoreChanges } from '../../src/store/store.ts';
import { StoreAround } from './store-around.ts';

/** A store whose commits fail while the test requires it. */
export class FailingStore extends StoreAround {
  readonly store: Store;
  #failure: Error | undefined;

  constructor(store: Store) {
    super();
    this.store = store;
  }

  /**
   * From now on, every commit rejects with this error and stores nothing. Without an error, commits
   * work again.
   */
  failWith(failure: Error | undefined): void {
    this.#failure = failure;
  }

  override async commit(changes: StoreChanges): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    await super.commit(changes);
  }
}
