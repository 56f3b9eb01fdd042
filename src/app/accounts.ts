import type { AccountSettings } from '../config/account.ts';
import { unixSeconds } from '../lib/clock.ts';
import { noOutages, removedOutages } from '../slo/outages.ts';
import { AccountStorage } from '../state/account-storage.ts';
import { StoreError } from '../store/store-error.ts';
import { AccountRuntime, type AccountRuntimeOptions } from './account-runtime.ts';
import { type RemovedAccount, RemovedAccounts } from './removed-accounts.ts';
import { StoreIdentity } from './store-identity.ts';

export type AccountsOptions = Omit<AccountRuntimeOptions, 'settings' | 'storeId'>;

interface ConfiguredAccount {
  readonly settings: AccountSettings;
  readonly account: AccountRuntime;
}

/** The names of the accounts that new settings added, changed or removed. */
export interface AccountChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The running accounts, in the order of the configuration. */
export class Accounts {
  readonly #options: Omit<AccountRuntimeOptions, 'settings'>;
  readonly #departed: RemovedAccounts;
  readonly #identity: StoreIdentity;
  #accounts: readonly ConfiguredAccount[] = [];

  constructor(options: AccountsOptions) {
    this.#identity = new StoreIdentity(options.store);
    this.#options = { ...options, storeId: () => this.#identity.id };
    this.#departed = new RemovedAccounts(options);
  }

  get all(): readonly AccountRuntime[] {
    return this.#accounts.map(({ account }) => account);
  }

  /** Returns the snapshots of accounts that were removed within the last day. */
  departedSnapshots() {
    return this.#departed.snapshots();
  }

  /** Returns the names of the accounts that were removed within the last 25 hours. */
  removed(): readonly string[] {
    return this.#departed.recent();
  }

  /** Creates the accounts without their state, so that the first scrape shows their metrics. */
  create(accounts: readonly AccountSettings[]): void {
    this.#accounts = accounts.map((settings) => ({
      settings,
      account: new AccountRuntime({ ...this.#options, settings }),
    }));
  }

  /** Loads the stored state of the accounts, without polling them. */
  async restore(): Promise<void> {
    await this.#identity.restore();
    await Promise.all(this.all.map((account) => account.restore()));
    const monitored = new Set(this.#accounts.map(({ settings }) => settings.name));
    const gone: RemovedAccount[] = [];
    for (const name of await this.#departed.restore(monitored)) {
      const persistence = new AccountStorage({ ...this.#options, account: name });
      const { outages } = await persistence.load();
      const nowSeconds = unixSeconds(this.#options.clock);
      gone.push({
        name,
        goneAtSeconds: nowSeconds,
        checks: removedOutages(outages?.checks ?? noOutages, nowSeconds),
        transactions: removedOutages(outages?.transactions ?? noOutages, nowSeconds),
      });
    }
    await this.#depart(gone);
  }

  start(): void {
    for (const { account } of this.#accounts) account.start();
    this.#departed.start();
  }

  /**
   * Replaces the accounts. An account with unchanged settings is not touched. An account with
   * changed settings is stopped, stored and restored under the new settings; until then its
   * previous state is shown. If this rejects because the store cannot be read, all previous
   * accounts continue.
   */
  async replace(accounts: readonly AccountSettings[]): Promise<AccountChanges> {
    await this.#departed.stop();
    try {
      return await this.#replace(accounts);
    } finally {
      this.#departed.start();
    }
  }

  async #replace(accounts: readonly AccountSettings[]): Promise<AccountChanges> {
    const former = new Map(this.#accounts.map((entry) => [entry.settings.name, entry]));
    const [added, changed]: [string[], string[]] = [[], []];
    const paused: AccountRuntime[] = [];
    const created: AccountRuntime[] = [];
    const next: ConfiguredAccount[] = [];
    try {
      for (const settings of accounts) {
        const before = former.get(settings.name);
        former.delete(settings.name);
        if (before !== undefined && hasSameSettings(before.settings, settings)) {
          next.push(before);
          continue;
        }
        if (before !== undefined) {
          paused.push(before.account);
          await before.account.pause();
        }
        (before === undefined ? added : changed).push(settings.name);
        const account = new AccountRuntime({ ...this.#options, settings });
        created.push(account);
        await account.restore(before?.account);
        next.push({ settings, account });
      }
    } catch (error) {
      for (const account of paused) account.start();
      await closeAll(created);
      throw error;
    }
    this.#accounts = next;
    for (const account of created) account.start();
    await closeAll(paused);
    const gone = [...former.values()].map(({ account }) => account);
    await Promise.all(gone.map((account) => account.stop()));
    await this.#depart(gone.map((account) => account.departed()));
    return { added, changed, removed: [...former.keys()] };
  }

  /** Only logs a failure of the store: the views do not depend on it. */
  async #depart(gone: readonly RemovedAccount[]): Promise<void> {
    try {
      await this.#departed.changed(
        gone,
        this.#accounts.map(({ settings }) => settings.name),
      );
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#options.log.error({ reason: error.reason }, 'list of accounts could not be stored');
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#departed.stop(), ...this.all.map((account) => account.stop())]);
  }
}

async function closeAll(accounts: readonly AccountRuntime[]): Promise<void> {
  await Promise.all(accounts.map((account) => account.close()));
}

function hasSameSettings(a: AccountSettings, b: AccountSettings): boolean {
  return a.digest !== undefined && a.digest === b.digest;
}
