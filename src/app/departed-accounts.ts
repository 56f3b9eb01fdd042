import type { ApiVersion } from '../domain/version.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { formerCheckRows, formerTransactionRows } from '../state/former-rows.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import { decodeFormerOutages } from '../store/format/outages.ts';
import type { Json, Store } from '../store/store.ts';
import type { FormerOutage } from '../windows/outages.ts';

/** Not a name that an account can have. */
const exporterRecords = '';
const document = 'accounts';

/** An account that is no longer monitored, and the outages that were shown of it. */
export interface DepartedAccount {
  readonly name: string;
  readonly checks: readonly FormerOutage[];
  readonly transactions: readonly FormerOutage[];
}

/**
 * Accounts that a configuration no longer has. For a day their outages are shown to be over, since what
 * Prometheus saw last would be an open outage for ever.
 */
export class DepartedAccounts {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  #departed: readonly DepartedAccount[] = [];

  constructor(store: Store, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Restores what was stored; returns the names of accounts that were monitored then and are not `monitored` now. */
  async restore(monitored: ReadonlySet<string>): Promise<readonly string[]> {
    const { documents } = await this.#store.load(exporterRecords);
    const stored = (documents.get(document) ?? {}) as {
      readonly watched?: readonly string[];
      readonly departed?: readonly Record<string, unknown>[];
    };
    this.#departed = (stored.departed ?? []).map(({ name, checks, transactions }) => ({
      name: String(name),
      checks: decodeFormerOutages(checks),
      transactions: decodeFormerOutages(transactions),
    }));
    return (stored.watched ?? []).filter((name) => !monitored.has(name));
  }

  /** These have gone, those are monitored. Rejects with a `StoreError` when that cannot be kept; it holds all the same. */
  async changed(gone: readonly DepartedAccount[], monitored: readonly string[]): Promise<void> {
    const names = new Set([...monitored, ...gone.map(({ name }) => name)]);
    const others = this.#shown().filter(({ name }) => !names.has(name));
    this.#departed = [...others, ...gone];
    const value = { watched: monitored, departed: this.#departed } as unknown as Json;
    await this.#store.commit({ account: exporterRecords, documents: new Map([[document, value]]) });
  }

  /** An account of which only the end of its outages is shown. */
  snapshots(): readonly AccountSnapshot[] {
    return this.#shown().map(({ name, checks, transactions }) => ({
      account: name,
      apiVersion: '3.1' satisfies ApiVersion,
      baseUrl: '',
      up: false,
      departed: true,
      datasets: { checks: { stale: true } },
      formerChecks: formerCheckRows({ former: checks }),
      formerTransactions: formerTransactionRows({ former: transactions }),
    }));
  }

  #shown(): DepartedAccount[] {
    const now = unixSeconds(this.#clock);
    const isTold = ({ untilSeconds }: FormerOutage) => untilSeconds > now;
    return this.#departed
      .map(({ name, checks, transactions }) => ({
        name,
        checks: checks.filter(isTold),
        transactions: transactions.filter(isTold),
      }))
      .filter(({ checks, transactions }) => checks.length + transactions.length > 0);
  }
}
