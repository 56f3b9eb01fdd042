import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { type RemovedAccount, RemovedAccounts } from './removed-accounts.ts';

interface RemovalsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Several processes share the store. One of them at a time has the record. */
  readonly isShared: boolean;
  /** Whether this process has the record at this moment. */
  readonly mayRecord: () => boolean;
}

/**
 * The record of which accounts are monitored and which were removed. The store has it, so that the
 * next process notices what was removed or has returned meanwhile.
 */
export class Removals {
  readonly #options: RemovalsOptions;
  readonly #removed: RemovedAccounts;
  /**
   * Removed accounts whose last outages are not known yet, because another process ran them.
   * Undefined while this process does not have the record.
   */
  #unreported: ReadonlySet<string> | undefined;

  constructor(options: RemovalsOptions) {
    this.#options = options;
    this.#removed = new RemovedAccounts(options);
    if (!options.isShared) this.#unreported = new Set();
  }

  /** Whether this process has read the record, and still has it. */
  get isOpen(): boolean {
    return this.#unreported !== undefined && this.#options.mayRecord();
  }

  /** The names of the removed accounts that this process must read in order to report them. */
  get unreported(): readonly string[] {
    return this.isOpen ? [...(this.#unreported ?? [])] : [];
  }

  /** Returns the snapshots of accounts that were removed within the last day. */
  snapshots(): readonly AccountSnapshot[] {
    return this.isOpen ? this.#removed.snapshots() : [];
  }

  /** Returns the names of the accounts that were removed within the last 25 hours. */
  recent(): readonly string[] {
    return this.isOpen ? this.#removed.recent() : [];
  }

  /** Reads the record. Returns the monitored accounts in it that are no longer configured. */
  read(names: readonly string[]): Promise<readonly string[]> {
    return this.#removed.restore(new Set(names));
  }

  /** Reads the last outages of a removed account. */
  readAccount(name: string): Promise<RemovedAccount> {
    return this.#removed.read(name);
  }

  /** Updates a record that was read: accounts may have returned, and others may be removed. */
  async opened(names: readonly string[], unreported: readonly string[]): Promise<void> {
    this.#unreported = new Set(unreported);
    const recorded = this.#record([], names);
    // Accounts that have returned are no longer in the record, so they are not deleted.
    this.#removed.start();
    await recorded;
  }

  /** Another process has the record from now on. */
  async closed(): Promise<void> {
    this.#unreported = undefined;
    await this.stop();
  }

  /** Deletes what is stored of removed accounts in time. Runs until `stop`. */
  start(): void {
    this.#removed.start();
  }

  async stop(): Promise<void> {
    await this.#removed.stop();
  }

  /** Deletes nothing during the work, because it may monitor removed accounts again. */
  async pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    if (this.#unreported === undefined) return work();
    await this.#removed.stop();
    try {
      return await work();
    } finally {
      // Another process may have the record by now.
      if (this.#unreported !== undefined) this.#removed.start();
    }
  }

  /** Records a new configuration. Without the record, the process that has it does. */
  async changed(
    names: readonly string[],
    removed: readonly RemovedAccount[],
    unreported: readonly string[] = [],
  ): Promise<void> {
    if (!this.isOpen) return;
    const isGone = (name: string) => !names.includes(name);
    this.#unreported = new Set([...this.unreported, ...unreported].filter(isGone));
    await this.#record(removed, names);
  }

  /** Records the last outages of an account. Resolves with whether this process has the record. */
  async report(names: readonly string[], account: RemovedAccount): Promise<boolean> {
    if (!this.isOpen) return false;
    this.#unreported = new Set(this.unreported.filter((name) => name !== account.name));
    await this.#record([account], names);
    return true;
  }

  /**
   * Unreported accounts stay in the list of monitored ones: if this process ends before it has read
   * them, the next one finds them there. A failure of the store is only logged: the views do not
   * depend on it.
   */
  async #record(removed: readonly RemovedAccount[], names: readonly string[]): Promise<void> {
    try {
      await this.#removed.changed(removed, [...names, ...(this.#unreported ?? [])]);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#options.log.error({ reason: error.reason }, 'list of accounts could not be stored');
    }
  }
}
