import { type DepartedAccount, DepartedAccounts } from '../cli/departed-accounts.ts';
import type { AccountSettings } from '../config/account.ts';
import { unixSeconds } from '../lib/clock.ts';
import { AccountPersistence } from '../state/account-persistence.ts';
import { StoreError } from '../store/store-error.ts';
import { noOutages, retired } from '../windows/outages.ts';
import { AccountRuntime, type AccountRuntimeOptions } from './account-runtime.ts';

export type AccountsOptions = Omit<AccountRuntimeOptions, 'settings'>;

interface ConfiguredAccount {
  readonly settings: AccountSettings;
  readonly account: AccountRuntime;
}

/** What other settings have changed, by the names of the accounts. */
export interface AccountChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The accounts of the exporter, in the order of the configuration. */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #departed: DepartedAccounts;
  #accounts: readonly ConfiguredAccount[] = [];

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#departed = new DepartedAccounts(options.store, options.clock);
  }

  get all(): readonly AccountRuntime[] {
    return this.#accounts.map(({ account }) => account);
  }

  /** Of accounts that are not watched any more. */
  departedSnapshots() {
    return this.#departed.snapshots();
  }

  /** Takes up what the store has of the accounts, without polling them. */
  async restore(accounts: readonly AccountSettings[]): Promise<void> {
    this.#accounts = await Promise.all(
      accounts.map(async (settings) => {
        const account = new AccountRuntime({ ...this.#options, settings });
        await account.restore('same');
        return { settings, account };
      }),
    );
    const watched = new Set(accounts.map(({ name }) => name));
    const gone: DepartedAccount[] = [];
    for (const name of await this.#departed.restore(watched)) {
      const archive = new AccountPersistence({ ...this.#options, account: name });
      const { outages } = await archive.load();
      const nowSeconds = unixSeconds(this.#options.clock);
      gone.push({
        name,
        checks: retired(outages?.checks ?? noOutages, nowSeconds),
        transactions: retired(outages?.transactions ?? noOutages, nowSeconds),
      });
    }
    await this.#depart(gone);
  }

  start(): void {
    for (const { account } of this.#accounts) account.start();
  }

  /**
   * Watches these accounts from now on. One whose settings are the same goes on untouched. One whose settings
   * changed goes on from the store, where it has left all that it knew; until then it is shown as it was. When
   * it rejects, since the store cannot be read, the former accounts are all polled on as before.
   */
  async replace(accounts: readonly AccountSettings[]): Promise<AccountChanges> {
    const former = new Map(this.#accounts.map((watched) => [watched.settings.name, watched]));
    const [added, changed]: [string[], string[]] = [[], []];
    const paused: AccountRuntime[] = [];
    const begun: AccountRuntime[] = [];
    const watched: ConfiguredAccount[] = [];
    try {
      for (const settings of accounts) {
        const before = former.get(settings.name);
        former.delete(settings.name);
        if (before !== undefined && hasSameSettings(before.settings, settings)) {
          watched.push(before);
          continue;
        }
        if (before !== undefined) {
          paused.push(before.account);
          await before.account.pause();
        }
        (before === undefined ? added : changed).push(settings.name);
        const account = new AccountRuntime({ ...this.#options, settings });
        begun.push(account);
        await account.restore(before === undefined ? 'same' : 'changed');
        watched.push({ settings, account });
      }
    } catch (error) {
      for (const account of paused) account.start();
      await closeAll(begun);
      throw error;
    }
    this.#accounts = watched;
    for (const account of begun) account.start();
    await closeAll(paused);
    const gone = [...former.values()].map(({ account }) => account);
    await Promise.all(gone.map((account) => account.stop()));
    await this.#depart(gone.map((account) => account.departed()));
    return { added, changed, removed: [...former.keys()] };
  }

  /** A store that fails says so when the accounts use it; what is told does not depend on it. */
  async #depart(gone: readonly DepartedAccount[]): Promise<void> {
    try {
      await this.#departed.changed(
        gone,
        this.#accounts.map(({ settings }) => settings.name),
      );
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#options.log.error(
        { reason: error.reason },
        'which accounts are watched was not stored',
      );
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((account) => account.stop()));
  }
}

async function closeAll(accounts: readonly AccountRuntime[]): Promise<void> {
  await Promise.all(accounts.map((account) => account.close()));
}

function hasSameSettings(a: AccountSettings, b: AccountSettings): boolean {
  return a.digest !== undefined && a.digest === b.digest;
}
