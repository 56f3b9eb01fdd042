import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { StoreAround } from '../../support/store-around.ts';

/** A store on the disk, which can be closed, and opened again with other files. */
export class DiskStore extends StoreAround {
  readonly #now: () => number;
  readonly folder: string;
  #store: Store | undefined;

  constructor(folder: string, now: () => number) {
    super();
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
}
