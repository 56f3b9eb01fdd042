import type { AccountSettings } from '../config/account.ts';
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
  #accounts: readonly ConfiguredAccount[] = [];

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  get all(): readonly AccountRuntime[] {
    return this.#accounts.map(({ account }) => account);
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
    await Promise.all([...former.values()].map(({ account }) => account.stop()));
    return { added, changed, removed: [...former.keys()] };
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
