import type { Store, StoreChanges } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { StoreAround } from './store-around.ts';

export interface CommitMoments {
  /** Called before anything is on the disk. `crash` ends the process here. */
  before(): Promise<'crash' | 'go on'>;
  /** Called when everything is on the disk, before the caller knows it. */
  after(): Promise<'crash' | 'go on'>;
  /** These changes are on the disk. */
  written?(changes: StoreChanges): void;
}

/** The store as one process sees it. After `crash`, no write of the process reaches the disk. */
export class CrashingStore extends StoreAround {
  readonly store: Store;
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
    super();
    this.store = disk;
    this.#moments = moments;
  }

  override async commit(changes: StoreChanges): Promise<void> {
    this.#goOn(await Promise.race([this.#moments.before(), this.#held]));
    this.writing += 1;
    try {
      await super.commit(changes);
    } finally {
      this.writing -= 1;
    }
    this.#moments.written?.(changes);
    this.#goOn(await this.#moments.after());
  }

  crash(): void {
    this.crashed = true;
    this.#endHeld('crash');
  }

  override async close(): Promise<void> {}

  #goOn(what: 'crash' | 'go on'): void {
    if (what === 'crash') this.crash();
    if (this.crashed) throw new StoreError('closed', 'the process has crashed');
  }
}
