import type { AccountSettings } from '../config/account-settings.ts';
import { WatchedAccount, type WatchedAccountOptions } from './watched-account.ts';

export type WatchedAccountsOptions = Omit<WatchedAccountOptions, 'settings'>;

interface Watched {
  readonly settings: AccountSettings;
  readonly account: WatchedAccount;
}

/** What other settings have changed, by the names of the accounts. */
export interface AccountChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The accounts of the exporter, in the order of the configuration. */
export class WatchedAccounts {
  readonly #options: WatchedAccountsOptions;
  #watched: readonly Watched[] = [];

  constructor(options: WatchedAccountsOptions) {
    this.#options = options;
  }

  get all(): readonly WatchedAccount[] {
    return this.#watched.map(({ account }) => account);
  }

  /** Takes up what the store has of the accounts, without polling them. */
  async restore(accounts: readonly AccountSettings[]): Promise<void> {
    this.#watched = await Promise.all(accounts.map((settings) => this.#restored(settings, 'same')));
  }

  start(): void {
    for (const { account } of this.#watched) account.start();
  }

  /**
   * Watches these accounts from now on. One whose settings are the same goes on untouched. One whose settings
   * changed goes on from the store, where it has left all that it knew; until then it is shown as it was.
   */
  async replace(accounts: readonly AccountSettings[]): Promise<AccountChanges> {
    const former = new Map(this.#watched.map((watched) => [watched.settings.name, watched]));
    const [added, changed]: [string[], string[]] = [[], []];
    const begun: WatchedAccount[] = [];
    const watched: Watched[] = [];
    for (const settings of accounts) {
      const before = former.get(settings.name);
      former.delete(settings.name);
      if (before !== undefined && isSame(before.settings, settings)) {
        watched.push(before);
        continue;
      }
      if (before !== undefined) await before.account.stop();
      (before === undefined ? added : changed).push(settings.name);
      const replacement = await this.#restored(settings, before === undefined ? 'same' : 'changed');
      watched.push(replacement);
      begun.push(replacement.account);
    }
    this.#watched = watched;
    for (const account of begun) account.start();
    await Promise.all([...former.values()].map(({ account }) => account.stop()));
    return { added, changed, removed: [...former.keys()] };
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((account) => account.stop()));
  }

  async #restored(settings: AccountSettings, since: 'same' | 'changed'): Promise<Watched> {
    const account = new WatchedAccount({ ...this.#options, settings });
    await account.restore(since);
    return { settings, account };
  }
}

function isSame(a: AccountSettings, b: AccountSettings): boolean {
  return a.digest !== undefined && a.digest === b.digest;
}
