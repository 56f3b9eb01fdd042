import type {
  MonthBatch,
  Store,
  StoreChanges,
  StoredAccount,
  StoredMonth,
} from '../../src/store/store.ts';

/** Passes all calls on to another store. A subclass changes those that a test is about. */
export abstract class StoreAround implements Store {
  abstract readonly store: Store;

  get id(): string {
    return this.store.id;
  }

  accounts(): Promise<readonly string[]> {
    return this.store.accounts();
  }

  load(account: string): Promise<StoredAccount> {
    return this.store.load(account);
  }

  readMonth(batch: MonthBatch): Promise<readonly StoredMonth[]> {
    return this.store.readMonth(batch);
  }

  commit(changes: StoreChanges): Promise<void> {
    return this.store.commit(changes);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
