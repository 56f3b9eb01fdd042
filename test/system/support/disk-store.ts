import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type {
  MonthBatch,
  Store,
  StoreChanges,
  StoredAccount,
  StoredMonth,
} from '../../../src/store/store.ts';

/** A store on the disk, which can be closed, and opened again with other files. */
export class DiskStore implements Store {
  readonly #now: () => number;
  readonly folder: string;
  #store: Store | undefined;

  constructor(folder: string, now: () => number) {
    this.folder = folder;
    this.#now = now;
  }

  async open(): Promise<void> {
    this.#store = (await openSqliteStore({ path: this.folder, now: this.#now })).store;
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('the store is not open');
    return this.#store;
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
