import type { ApiVersion } from '../domain/version.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { noOutages, type RemovedOutage, removedOutages } from '../slo/outages.ts';
import { AccountStorage } from '../state/account-storage.ts';
import { endedCheckRows, endedTransactionRows } from '../state/items/ended-rows.ts';
import { keptSeconds } from '../state/items/removed-totals.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import { DocumentSet, deletionOf } from '../store/format/document-set.ts';
import type { DocumentOf } from '../store/format/documents.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

/** Alerts query the last day, and need an hour to end. */
const reportedSeconds = 25 * 3600;

/** The time between two attempts to delete an account. */
const retrySeconds = 3600;

/** The row of an account: with which configuration it ran last, and when it was removed. */
export type AccountRow = DocumentOf<'account'>;

/** A removed account, with the outages that were shown last. */
export interface RemovedAccount {
  readonly name: string;
  /** The UNIX time of the removal. */
  readonly goneAtSeconds: number;
  readonly checks: readonly RemovedOutage[];
  readonly transactions: readonly RemovedOutage[];
}

interface RemovedAccountsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether other processes, which may have another configuration, use the store. */
  readonly isShared: boolean;
  /** The time of the last change of the configuration, in UNIX seconds. */
  readonly configuredAtSeconds: () => number;
  /** Whether this process shows the removed accounts at this moment. */
  readonly isOwn: () => boolean;
  /** Whether another process runs an account, because its configuration has it. */
  readonly isElsewhere: (account: string) => boolean;
  /** Called when an outage is no longer shown. */
  readonly onChange: () => void;
}

/**
 * Accounts that are in the store and not in the configuration. The row of an account says when it
 * was removed. Its outages are shown as ended for a day, because Prometheus would otherwise keep an
 * open outage as the last value. After seven days all stored data about it are deleted.
 */
export class RemovedAccounts {
  readonly #options: RemovedAccountsOptions;
  readonly #removed = new Map<string, RemovedAccount>();
  /**
   * Accounts whose rows are not read yet. Undefined while another process shows the removed ones.
   */
  #unread: Set<string> | undefined;
  /** Undefined while nothing may be deleted. */
  #ending: AbortController | undefined;
  #deleting: Promise<void> = Promise.resolve();

  constructor(options: RemovedAccountsOptions) {
    this.#options = options;
  }

  /** Whether this process has read which accounts are stored, and still shows the removed ones. */
  get isOpen(): boolean {
    return this.#unread !== undefined && this.#options.isOwn();
  }

  /** The accounts that this process must own in order to read their rows. */
  get unread(): readonly string[] {
    return this.isOpen ? [...(this.#unread ?? [])] : [];
  }

  /** Reads which accounts the store has besides the configured ones. Rejects with a `StoreError`. */
  async open(configured: readonly string[]): Promise<void> {
    this.#unread ??= new Set();
    const stored = await this.#options.store.accounts();
    for (const name of configured) this.#removed.delete(name);
    const known = new Set([...configured, ...this.#removed.keys()]);
    this.#unread = new Set(stored.filter((name) => !known.has(name)));
    // The deletion ends when no account is left.
    if (this.#ending !== undefined) this.start();
  }

  /** Another process shows the removed accounts from now on. */
  async close(): Promise<void> {
    this.#unread = undefined;
    this.#removed.clear();
    await this.stop();
  }

  /**
   * Reads the row of an account that this process owns. An account that is newly removed is marked,
   * unless it was run last with a newer configuration than this process has: then that one has it.
   * Does nothing if `isStill` is false when the row is read. Rejects with a `StoreError`.
   */
  async examine(name: string, isStill: () => boolean = () => true): Promise<void> {
    const { store, clock, log } = this.#options;
    const { documents, outages } = await new AccountStorage({
      ...{ store, clock, account: name },
    }).load();
    if (!isStill()) return;
    const row = documents.get('account') ?? {};
    this.#unread?.delete(name);
    if (row.goneAtSeconds === undefined && this.isOlderThan(row)) {
      log.warn({ account: name }, 'account kept: the last configuration with it is newer');
      return;
    }
    const goneAtSeconds = row.goneAtSeconds ?? unixSeconds(clock);
    const removed = {
      name,
      goneAtSeconds,
      checks: removedOutages(outages?.checks ?? noOutages, goneAtSeconds),
      transactions: removedOutages(outages?.transactions ?? noOutages, goneAtSeconds),
    };
    if (row.goneAtSeconds === undefined) await this.left(removed);
    else this.#show(removed);
  }

  /** Marks an account that this process owns, and that a reload has removed. */
  async left(removed: RemovedAccount): Promise<void> {
    const { name, goneAtSeconds } = removed;
    this.#show(removed);
    try {
      const configuredAtSeconds = this.#options.configuredAtSeconds();
      const documents = new DocumentSet<null>();
      documents.set('account', { configuredAtSeconds, goneAtSeconds });
      await this.#options.store.commit({ account: name, documents });
    } catch (error) {
      // The views do not depend on it. The next start marks the account.
      if (!(error instanceof StoreError)) throw error;
      this.#options.log.error(
        { account: name, reason: error.reason },
        'removal of the account could not be stored',
      );
    }
  }

  /** Whether another process wrote the row with a newer configuration than this process has. */
  isOlderThan({ configuredAtSeconds = 0 }: AccountRow): boolean {
    const { isShared, configuredAtSeconds: own } = this.#options;
    return isShared && configuredAtSeconds > own();
  }

  /** Ends the display of outages and deletes the stored data in time. Runs until `stop`. */
  start(): void {
    this.#ending ??= new AbortController();
    const { signal } = this.#ending;
    this.#deleting = this.#deleting.then(() => this.#expireInTime(signal));
  }

  /** Resolves when the deletion has stopped, so that an account can be run again. */
  async stop(): Promise<void> {
    this.#ending?.abort();
    this.#ending = undefined;
    await this.#deleting;
  }

  /** Deletes nothing during the work, because it may run removed accounts again. */
  async pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    const wasRunning = this.#ending !== undefined;
    await this.stop();
    try {
      return await work();
    } finally {
      // Another process may show the removed accounts by now.
      if (wasRunning && this.#unread !== undefined) this.start();
    }
  }

  /** Returns the names of the accounts that were removed within the last 25 hours. */
  recent(): readonly string[] {
    const after = unixSeconds(this.#options.clock) - reportedSeconds;
    return this.#here().flatMap(({ name, goneAtSeconds }) => (goneAtSeconds > after ? name : []));
  }

  /** Returns the snapshots of removed accounts. Each shows only the end of its outages. */
  snapshots(): readonly AccountSnapshot[] {
    const now = unixSeconds(this.#options.clock);
    const isShown = ({ untilSeconds }: RemovedOutage) => untilSeconds > now;
    return this.#here()
      .map(({ name, checks, transactions }) => ({
        account: name,
        checks: checks.filter(isShown),
        transactions: transactions.filter(isShown),
      }))
      .filter(({ checks, transactions }) => checks.length + transactions.length > 0)
      .map(({ account, checks, transactions }) => ({
        account,
        apiVersion: '3.1' satisfies ApiVersion,
        baseUrl: '',
        up: false,
        isRemoved: true,
        datasets: { checks: { stale: true } },
        endedChecks: endedCheckRows({ former: checks }),
        endedTransactions: endedTransactionRows({ former: transactions }),
      }));
  }

  #here(): readonly RemovedAccount[] {
    if (!this.isOpen) return [];
    return [...this.#removed.values()].filter(({ name }) => !this.#options.isElsewhere(name));
  }

  #show(removed: RemovedAccount): void {
    if (!this.isOpen) return;
    this.#removed.set(removed.name, removed);
    if (this.#ending !== undefined) this.start();
  }

  async #expireInTime(signal: AbortSignal): Promise<void> {
    const { clock, log, onChange } = this.#options;
    while (!signal.aborted && this.#removed.size > 0) {
      const seconds = this.#nextExpirySeconds() - unixSeconds(clock);
      try {
        if (seconds > 0) await clock.sleep(1000 * seconds, signal);
        onChange();
        await this.#deleteExpired();
      } catch (error) {
        if (signal.aborted) return;
        // The store logs its own failures.
        if (!(error instanceof StoreError)) {
          log.error({ error }, 'removed account could not be deleted from the store; trying again');
        }
        await clock.sleep(1000 * retrySeconds, signal).catch(() => {});
      }
    }
  }

  /** When the next outage is no longer shown, or the next account is deleted. */
  #nextExpirySeconds(): number {
    const now = unixSeconds(this.#options.clock);
    let next = Number.POSITIVE_INFINITY;
    for (const { goneAtSeconds, checks, transactions } of this.#removed.values()) {
      next = Math.min(next, goneAtSeconds + keptSeconds);
      for (const { untilSeconds } of [...checks, ...transactions]) {
        if (untilSeconds > now) next = Math.min(next, untilSeconds);
      }
    }
    return next;
  }

  async #deleteExpired(): Promise<void> {
    const { clock, isElsewhere } = this.#options;
    const before = unixSeconds(clock) - keptSeconds;
    for (const { name, goneAtSeconds } of [...this.#removed.values()]) {
      if (goneAtSeconds > before) continue;
      if (!isElsewhere(name)) await this.#delete(name, goneAtSeconds);
      this.#removed.delete(name);
    }
  }

  async #delete(name: string, goneAtSeconds: number): Promise<void> {
    const { store } = this.#options;
    const { items, documents } = await store.load(name);
    // Another process may have run it since: then it was removed later, or is not removed.
    if (documents.get('account')?.goneAtSeconds !== goneAtSeconds) return;
    await store.commit({
      account: name,
      items: { check: nothing(items.check), transaction: nothing(items.transaction) },
      documents: deletionOf(documents),
    });
  }
}

function nothing<K>(of: ReadonlyMap<K, unknown>): Map<K, null> {
  return new Map([...of.keys()].map((key) => [key, null]));
}
