import type {
  MonthBatch,
  Store,
  StoreChanges,
  StoredAccount,
  StoredMonth,
} from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';

export interface CommitMoments {
  /** Called before anything is on the disk. `crash` ends the process here. */
  before(): Promise<'crash' | 'go on'>;
  /** Called when everything is on the disk, before the caller knows it. */
  after(): Promise<'crash' | 'go on'>;
}

/** The store as one process sees it. After `crash`, no write of the process reaches the disk. */
export class CrashingStore implements Store {
  readonly #disk: Store;
  readonly #moments: CommitMoments;
  crashed = false;
  /** Ends commits that are held up. */
  #endHeld: (what: 'crash') => void = () => {};
  readonly #held = new Promise<'crash'>((resolve) => {
    this.#endHeld = resolve;
  });
  /** The number of commits in progress. On a real disk they take real time. */
  writing = 0;

  constructor(disk: Store, moments: CommitMoments) {
    this.#disk = disk;
    this.#moments = moments;
  }

  accounts(): Promise<readonly string[]> {
    return this.#disk.accounts();
  }

  load(account: string): Promise<StoredAccount> {
    return this.#disk.load(account);
  }

  readMonth(batch: MonthBatch): Promise<readonly StoredMonth[]> {
    return this.#disk.readMonth(batch);
  }

  async commit(changes: StoreChanges): Promise<void> {
    this.#goOn(await Promise.race([this.#moments.before(), this.#held]));
    this.writing += 1;
    try {
      await this.#disk.commit(changes);
    } finally {
      this.writing -= 1;
    }
    this.#goOn(await this.#moments.after());
  }

  crash(): void {
    this.crashed = true;
    this.#endHeld('crash');
  }

  async close(): Promise<void> {}

  #goOn(what: 'crash' | 'go on'): void {
    if (what === 'crash') this.crash();
    if (this.crashed) throw new StoreError('closed', 'the process has crashed');
  }
}
