import type { ApiVersion } from '../domain/version.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Turns } from '../lib/turns.ts';
import type { OwnedAccounts } from '../ownership.ts';
import { noOutages, type RemovedOutage, removedOutages } from '../slo/outages.ts';
import { AccountStorage } from '../state/account-storage.ts';
import { endedCheckRows, endedTransactionRows } from '../state/items/ended-rows.ts';
import { keptSeconds } from '../state/items/removed-items.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import { DocumentSet } from '../store/format/document-set.ts';
import type { DocumentOf } from '../store/format/documents.ts';
import { type AccountStore, exporterAccount } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

/** Alerts query the last day, and need an hour to end. */
const reportedSeconds = 25 * 3600;

/** The longest time between two looks for expired outages and accounts. */
const lookSeconds = 3600;

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
  readonly store: AccountStore;
  readonly clock: Clock;
  readonly log: Log;
  /** The owner of `exporterAccount` shows the removed accounts. */
  readonly ownership: OwnedAccounts;
  /** The deletion of an account is one of its actions. */
  readonly turns: Turns;
  /** The time of the last change of the configuration, in UNIX seconds. */
  readonly configuredAtSeconds: () => number;
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
  #expiring: Promise<void> = Promise.resolve();

  constructor(options: RemovedAccountsOptions) {
    this.#options = options;
  }

  /** Whether this process has read which accounts are stored, and still shows the removed ones. */
  get isOpen(): boolean {
    return this.#unread !== undefined && this.#options.ownership.trusts(exporterAccount);
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
    const shown = new Set([...configured, ...this.#removed.keys()]);
    this.#unread = new Set(stored.filter((name) => !shown.has(name)));
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
   * Does nothing if another process owns it by the time the row is read. Rejects with a
   * `StoreError`.
   */
  async examine(name: string): Promise<void> {
    const { store, clock, log, ownership } = this.#options;
    const storage = new AccountStorage({ store, clock, account: name });
    const { documents, outages, datasets = [] } = await storage.load();
    if (!ownership.trusts(name)) return;
    const row = documents.get('account') ?? {};
    this.#unread?.delete(name);
    if (row.goneAtSeconds === undefined && this.isOlderThan(row)) {
      log.warn({ account: name }, 'account kept: the last configuration with it is newer');
      return;
    }
    // A machine may start with a clock that is not set yet.
    const readAtSeconds = Math.max(0, ...datasets.map(({ atSeconds }) => atSeconds));
    const goneAtSeconds = row.goneAtSeconds ?? Math.max(unixSeconds(clock), readAtSeconds);
    const removed = {
      name,
      goneAtSeconds,
      checks: removedOutages(outages?.check ?? noOutages, goneAtSeconds),
      transactions: removedOutages(outages?.transaction ?? noOutages, goneAtSeconds),
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
    const { ownership, configuredAtSeconds: own } = this.#options;
    return ownership.isShared && configuredAtSeconds > own();
  }

  /** Ends the display of outages and deletes the stored data in time. Runs until `stop`. */
  start(): void {
    if (this.#ending !== undefined) return;
    this.#ending = new AbortController();
    this.#expiring = this.#expireInTime(this.#ending.signal);
  }

  /** Resolves when no account is being deleted. */
  async stop(): Promise<void> {
    this.#ending?.abort();
    this.#ending = undefined;
    await this.#expiring;
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
    const { ownership } = this.#options;
    return [...this.#removed.values()].filter(({ name }) => !ownership.isElsewhere(name));
  }

  #show(removed: RemovedAccount): void {
    if (this.isOpen) this.#removed.set(removed.name, removed);
  }

  async #expireInTime(signal: AbortSignal): Promise<void> {
    const { clock, log, onChange } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#deleteExpired(signal);
      } catch (error) {
        // The store logs its own failures.
        if (!(error instanceof StoreError)) {
          log.error({ error }, 'removed account could not be deleted from the store; trying again');
        }
      }
      await clock.sleep(1000 * this.#secondsUntilExpiry(), signal).catch(() => {});
      if (!signal.aborted) onChange();
    }
  }

  /** Seconds until an outage is no longer shown, or an account is deleted; at most an hour. */
  #secondsUntilExpiry(): number {
    const now = unixSeconds(this.#options.clock);
    const ends = [...this.#removed.values()].flatMap(({ goneAtSeconds, checks, transactions }) => [
      goneAtSeconds + keptSeconds,
      ...[...checks, ...transactions].map(({ untilSeconds }) => untilSeconds),
    ]);
    return ends
      .filter((end) => end > now)
      .reduce((least, end) => Math.min(least, end - now), lookSeconds);
  }

  async #deleteExpired(signal: AbortSignal): Promise<void> {
    const { clock, ownership, turns } = this.#options;
    const expiredUntil = unixSeconds(clock) - keptSeconds;
    for (const removed of this.#removed.values()) {
      const { name, goneAtSeconds } = removed;
      if (goneAtSeconds > expiredUntil) continue;
      await turns.take([name], async () => {
        // A reload may have added it again.
        if (signal.aborted || this.#removed.get(name) !== removed) return;
        if (!ownership.isElsewhere(name)) await this.#delete(name, goneAtSeconds);
        this.#removed.delete(name);
      });
    }
  }

  async #delete(name: string, goneAtSeconds: number): Promise<void> {
    const { store } = this.#options;
    const { documents } = await store.load(name);
    // Another process may have run it since: then it was removed later, or is not removed.
    if (documents.get('account')?.goneAtSeconds !== goneAtSeconds) return;
    await store.commit({ account: name, deletesAccount: true });
  }
}
