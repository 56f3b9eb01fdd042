import {
  itemKinds,
  type LostRecord,
  type MonthBatch,
  type Store,
  type StoreChanges,
  type StoredAccount,
  type StoredMonth,
} from './store.ts';
import { StoreError } from './store-error.ts';

interface StoreObserver {
  wrote(): void;
  failed(error: StoreError, account: string): void;
  /** At least one stored record of the account could not be read. */
  lost(account: string, records: readonly LostRecord[]): void;
}

/** A store that reports its commits. An empty commit is skipped: nothing becomes durable. */
export class ObservedStore implements Store {
  readonly backup?: () => Promise<string>;
  readonly #store: Store;
  readonly #observer: StoreObserver;

  constructor(store: Store, observer: StoreObserver) {
    this.#store = store;
    if (store.backup !== undefined) this.backup = () => store.backup?.() ?? Promise.reject();
    this.#observer = observer;
  }

  accounts(): Promise<readonly string[]> {
    return this.#store.accounts();
  }

  async load(account: string): Promise<StoredAccount> {
    const stored = await this.#store.load(account);
    if (stored.lost !== undefined && stored.lost.length > 0) {
      this.#observer.lost(account, stored.lost);
    }
    return stored;
  }

  readMonth(batch: MonthBatch): Promise<readonly StoredMonth[]> {
    return this.#store.readMonth(batch);
  }

  async commit(changes: StoreChanges): Promise<void> {
    if (isEmpty(changes)) return;
    try {
      await this.#store.commit(changes);
    } catch (error) {
      if (error instanceof StoreError) this.#observer.failed(error, changes.account);
      throw error;
    }
    this.#observer.wrote();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

function isEmpty({ items = {}, documents, ...others }: StoreChanges): boolean {
  if (others.beginsAgain === true || others.deletesAccount === true) return false;
  return (documents?.size ?? 0) === 0 && itemKinds.every((kind) => (items[kind]?.size ?? 0) === 0);
}
