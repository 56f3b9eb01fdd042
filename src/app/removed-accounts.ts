import type { ApiVersion } from '../domain/version.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { noOutages, type RemovedOutage, removedOutages } from '../slo/outages.ts';
import { AccountStorage } from '../state/account-storage.ts';
import { endedCheckRows, endedTransactionRows } from '../state/items/ended-rows.ts';
import { keptSeconds } from '../state/items/removed-totals.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import { DocumentSet, deletionOf } from '../store/format/document-set.ts';
import { exporterAccount, type Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

const document = 'accounts';

/** Alerts query the last day, and need an hour to end. */
const reportedSeconds = 25 * 3600;

/** The time between two attempts to delete an account. */
const retrySeconds = 3600;

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
}

/**
 * Accounts that were removed from the configuration. Their outages are shown as ended for a day,
 * because Prometheus would otherwise keep an open outage as the last value. After seven days all
 * stored data about them are deleted.
 */
export class RemovedAccounts {
  readonly #options: RemovedAccountsOptions;
  #accounts: readonly RemovedAccount[] = [];
  #monitored: readonly string[] = [];
  /** Undefined while nothing may be deleted. */
  #ending: AbortController | undefined;
  #forgetting: Promise<void> = Promise.resolve();

  constructor(options: RemovedAccountsOptions) {
    this.#options = options;
  }

  /** Restores the stored accounts; returns the names that are no longer in `monitored`. */
  async restore(monitored: ReadonlySet<string>): Promise<readonly string[]> {
    const { documents } = await this.#options.store.load(exporterAccount);
    const stored = documents.get(document);
    this.#accounts = stored?.departed ?? [];
    return (stored?.monitored ?? []).filter((name) => !monitored.has(name));
  }

  /** Reads the outages of a removed account that were shown last. Rejects with a `StoreError`. */
  async read(name: string): Promise<RemovedAccount> {
    const { outages } = await new AccountStorage({ ...this.#options, account: name }).load();
    const goneAtSeconds = unixSeconds(this.#options.clock);
    return {
      name,
      goneAtSeconds,
      checks: removedOutages(outages?.checks ?? noOutages, goneAtSeconds),
      transactions: removedOutages(outages?.transactions ?? noOutages, goneAtSeconds),
    };
  }

  /** Records removed and monitored accounts, even if it rejects with a `StoreError`. */
  async changed(removed: readonly RemovedAccount[], monitored: readonly string[]): Promise<void> {
    const names = new Set([...monitored, ...removed.map(({ name }) => name)]);
    this.#accounts = [...this.#accounts.filter(({ name }) => !names.has(name)), ...removed];
    this.#monitored = monitored;
    // The deletion ends when no account is left, and a removed one may be the first.
    if (this.#ending !== undefined) this.start();
    await this.#keep();
  }

  /** Deletes the stored data of each account when they expire. Runs until `stop`. */
  start(): void {
    this.#ending ??= new AbortController();
    const { signal } = this.#ending;
    this.#forgetting = this.#forgetting.then(() => this.#forgetInTime(signal));
  }

  /** Resolves when the deletion has stopped, so that an account can be monitored again. */
  async stop(): Promise<void> {
    this.#ending?.abort();
    this.#ending = undefined;
    await this.#forgetting;
  }

  async #forgetInTime(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#accounts.length > 0) {
      const next = Math.min(...this.#accounts.map(({ goneAtSeconds }) => goneAtSeconds));
      const seconds = next + keptSeconds - unixSeconds(this.#options.clock);
      try {
        if (seconds > 0) await this.#options.clock.sleep(1000 * seconds, signal);
        await this.#forget();
      } catch (error) {
        if (signal.aborted) return;
        // The store logs its own failures.
        if (!(error instanceof StoreError)) {
          this.#options.log.error(
            { error },
            'removed account could not be deleted from the store; trying again',
          );
        }
        await this.#options.clock.sleep(1000 * retrySeconds, signal).catch(() => {});
      }
    }
  }

  async #forget(): Promise<void> {
    const before = unixSeconds(this.#options.clock) - keptSeconds;
    for (const { name, goneAtSeconds } of this.#accounts) {
      if (goneAtSeconds > before) continue;
      const { items, documents } = await this.#options.store.load(name);
      await this.#options.store.commit({
        account: name,
        items: { check: nothing(items.check), transaction: nothing(items.transaction) },
        documents: deletionOf(documents),
      });
      this.#accounts = this.#accounts.filter((account) => account.name !== name);
      await this.#keep();
    }
  }

  async #keep(): Promise<void> {
    const accounts = { monitored: this.#monitored, departed: this.#accounts };
    const documents = new DocumentSet<null>().set(document, accounts);
    await this.#options.store.commit({ account: exporterAccount, documents });
  }

  /** Returns the names of the accounts that were removed within the last 25 hours. */
  recent(): readonly string[] {
    const after = unixSeconds(this.#options.clock) - reportedSeconds;
    return this.#accounts.flatMap(({ name, goneAtSeconds }) => (goneAtSeconds > after ? name : []));
  }

  /** Returns the snapshots of removed accounts. Each shows only the end of its outages. */
  snapshots(): readonly AccountSnapshot[] {
    return this.#shown().map(({ name, checks, transactions }) => ({
      account: name,
      apiVersion: '3.1' satisfies ApiVersion,
      baseUrl: '',
      up: false,
      isRemoved: true,
      datasets: { checks: { stale: true } },
      endedChecks: endedCheckRows({ former: checks }),
      endedTransactions: endedTransactionRows({ former: transactions }),
    }));
  }

  #shown(): RemovedAccount[] {
    const now = unixSeconds(this.#options.clock);
    const isShown = ({ untilSeconds }: RemovedOutage) => untilSeconds > now;
    return this.#accounts
      .map(({ checks, transactions, ...account }) => ({
        ...account,
        checks: checks.filter(isShown),
        transactions: transactions.filter(isShown),
      }))
      .filter(({ checks, transactions }) => checks.length + transactions.length > 0);
  }
}

function nothing<K>(of: ReadonlyMap<K, unknown>): Map<K, null> {
  return new Map([...of.keys()].map((key) => [key, null]));
}
