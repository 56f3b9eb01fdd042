import type { AccountSettings } from '../config/account.ts';
import type { Hook } from '../http/ports.ts';
import { unixSeconds } from '../lib/clock.ts';
import { Turns } from '../lib/turns.ts';
import type { OwnedAccounts } from '../ownership.ts';
import { exporterAccount } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { type AccountChanges, accountChanges } from './account-changes.ts';
import { type AccountMeans, AccountRuntime } from './account-runtime.ts';
import { BudgetParts } from './budget-parts.ts';
import { type AccountRow, RemovedAccounts } from './removed-accounts.ts';
import { SharedLedgers } from './shared-ledgers.ts';

interface AccountsOptions extends AccountMeans {
  /** An account runs only while this process owns it. */
  readonly ownership: OwnedAccounts;
}

/** An account that was restored under new settings, and the one with the previous settings. */
interface Successor {
  readonly account: AccountRuntime;
  readonly predecessor: AccountRuntime | undefined;
}

/**
 * The accounts of the configuration, and those of them that run. An account is taken, replaced,
 * removed and released by one action after the other; a reload is one action of all accounts. Only
 * the loss of an account takes effect at once, so an action looks after each wait whether the
 * account is still here.
 */
export class Accounts {
  readonly #means: AccountMeans;
  readonly #ledgers: SharedLedgers;
  readonly #ownership: OwnedAccounts;
  readonly #removed: RemovedAccounts;
  readonly #turns = new Turns();
  #settings: readonly AccountSettings[] = [];
  #budgetParts = new BudgetParts([], () => undefined);
  /** The time of the last change of the configuration, in UNIX seconds. */
  #configuredAtSeconds = 0;
  /** The accounts that run here, by name. */
  readonly #running = new Map<string, AccountRuntime>();
  /** Accounts of the configuration that a newer one, of another process, has removed. */
  readonly #notRun = new Set<string>();

  constructor({ ownership, ...means }: AccountsOptions) {
    this.#ownership = ownership;
    this.#means = means;
    this.#ledgers = new SharedLedgers(means);
    this.#removed = new RemovedAccounts({
      ...means,
      ownership,
      turns: this.#turns,
      configuredAtSeconds: () => this.#configuredAtSeconds,
    });
  }

  /** The running accounts, in the order of the configuration. */
  get all(): readonly AccountRuntime[] {
    return this.names.flatMap((name) => this.#running.get(name) ?? []);
  }

  /** The running accounts that may be shown at this moment. */
  get shown(): readonly AccountRuntime[] {
    return this.all.filter(({ name }) => this.#ownership.trusts(name));
  }

  /** Whether other processes may run accounts of the configuration. */
  get areShared(): boolean {
    return this.#ownership.isShared;
  }

  /** The names of all accounts of the configuration. */
  get names(): readonly string[] {
    return this.#settings.map(({ name }) => name);
  }

  /** The names of the further accounts that this process wants to own. */
  get wanted(): readonly string[] {
    return [exporterAccount, ...this.#removed.unread];
  }

  /** Whether the accounts that were removed may be shown at this moment. */
  get showsRemoved(): boolean {
    return this.#removed.isOpen;
  }

  /** Returns the snapshots of accounts that were removed within the last day. */
  removedSnapshots() {
    return this.#removed.snapshots();
  }

  /** Returns the names of the accounts that were removed within the last 25 hours. */
  removed(): readonly string[] {
    return this.#removed.recent();
  }

  /** Creates the accounts without their state, so that the first scrape shows their metrics. */
  create(accounts: readonly AccountSettings[], changedAtSeconds?: number): void {
    this.#configure(accounts, changedAtSeconds);
    if (this.#ownership.isShared) return;
    for (const settings of accounts) this.#running.set(settings.name, this.#newAccount(settings));
  }

  /** Loads the stored state of the accounts, without polling them. */
  async restore(): Promise<void> {
    if (this.#ownership.isShared) return;
    await Promise.all(this.all.map((account) => account.restore()));
    await this.#openRemoved();
  }

  start(): void {
    for (const account of this.all) account.start();
    if (!this.#ownership.isShared) this.#removed.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#removed.stop(), ...this.all.map((account) => account.stop())]);
  }

  /** Reads the check list of a running account now. */
  expedite(name: string): void {
    this.#running.get(name)?.expedite();
  }

  /**
   * The webhooks of all accounts. Those of accounts that other processes run are passed on to
   * `elsewhere`.
   */
  hooks(elsewhere: (account: string) => void): readonly Hook[] {
    return this.#settings.flatMap(({ name, hookSecret: secret }) => {
      if (secret === undefined) return [];
      const running = this.#running.get(name);
      const called = () => (running === undefined ? elsewhere(name) : running.expedite());
      return { secret, called };
    });
  }

  #newAccount(settings: AccountSettings): AccountRuntime {
    return new AccountRuntime({
      ...this.#means,
      settings,
      ledgers: this.#ledgers,
      budgetPart: (account) => this.#budgetParts.of(account),
      mayRequest: (account) => this.#ownership.trusts(account),
      configuredAtSeconds: () => this.#configuredAtSeconds,
    });
  }

  /** The number of items of an account that runs here and was read. */
  #sizeOf(name: string): number | undefined {
    const state = this.#running.get(name)?.state;
    const items = (state?.checks.size ?? 0) + (state?.transactions.size ?? 0);
    return items === 0 ? undefined : items;
  }

  #configure(
    accounts: readonly AccountSettings[],
    changedAtSeconds = unixSeconds(this.#means.clock),
  ): void {
    this.#settings = accounts;
    this.#budgetParts = new BudgetParts(accounts, (name) => this.#sizeOf(name));
    for (const names of this.#budgetParts.groups) {
      this.#means.log.warn({ accounts: names }, 'accounts have equal credentials and one budget');
    }
    this.#notRun.clear();
    // A process that has read two configurations knows which one is newer.
    this.#configuredAtSeconds = Math.max(this.#configuredAtSeconds, changedAtSeconds);
  }

  /**
   * Takes an account from a shared store, and runs it or, if the configuration lacks it, reads when
   * it was removed. Resolves with whether this process still owns it; rejects with a `StoreError`
   * if the store cannot be read.
   */
  acquire(name: string): Promise<boolean> {
    return this.#turns.take([name], async () => {
      const settings = this.#settings.find((account) => account.name === name);
      try {
        if (name === exporterAccount) return await this.#acquireRemoved();
        return await (settings === undefined ? this.#examine(name) : this.#run(settings));
      } catch (error) {
        if (isFenced(error)) return false;
        throw error;
      }
    });
  }

  async #run(settings: AccountSettings): Promise<boolean> {
    const { name } = settings;
    if (this.#notRun.has(name)) return false;
    const account = this.#newAccount(settings);
    let row: AccountRow;
    try {
      row = await account.restore();
    } catch (error) {
      await account.close();
      throw error;
    }
    const isRemoved = row.goneAtSeconds !== undefined && this.#removed.isOlderThan(row);
    if (isRemoved) {
      this.#notRun.add(name);
      this.#means.log.warn(
        { account: name },
        'account not run: a newer configuration has removed it',
      );
    }
    if (isRemoved || !this.#ownership.trusts(name)) {
      await account.close();
      return false;
    }
    this.#running.set(name, account);
    this.#means.onChange();
    account.start();
    return true;
  }

  async #acquireRemoved(): Promise<boolean> {
    // Reading takes it.
    await this.#means.store.load(exporterAccount);
    await this.#removed.open(this.names);
    if (!this.#ownership.trusts(exporterAccount)) return false;
    this.#removed.start();
    return true;
  }

  async #examine(name: string): Promise<boolean> {
    if (!this.#removed.unread.includes(name)) return false;
    await this.#removed.examine(name);
    return this.#ownership.trusts(name);
  }

  /**
   * Stops serving an account at once, and then stops it. No more of its data is stored. Resolves
   * when no action reads it any more.
   */
  drop(name: string): Promise<void> {
    return this.#leave(name, (account) => account.abandon());
  }

  /**
   * Stops serving an account at once, stores its last state, and stops it. Resolves when no action
   * reads or stores it any more.
   */
  handOver(name: string): Promise<void> {
    return this.#leave(name, (account) => account.stop());
  }

  async #leave(name: string, stop: (account: AccountRuntime) => Promise<void>): Promise<void> {
    if (name === exporterAccount) await this.#removed.close();
    const account = this.#running.get(name);
    if (account !== undefined) {
      this.#running.delete(name);
      this.#means.onChange();
      await stop(account);
    }
    await this.#turns.take([name], async () => {});
  }

  /**
   * Replaces the accounts. An account with unchanged settings tries at once what failed. One with
   * changed settings is replaced as by a restart, so that every setting takes effect without code
   * of its own: the previous one stores its data and is shown until its successor has restored them.
   * If this rejects because the store cannot be read, all previous accounts continue. New accounts
   * of a shared store wait until they are acquired.
   */
  replace(
    accounts: readonly AccountSettings[],
    changedAtSeconds?: number,
  ): Promise<AccountChanges> {
    const names = [...this.names, ...accounts.map(({ name }) => name), exporterAccount];
    return this.#turns.take(names, async () => {
      const changes = accountChanges(this.#settings, accounts);
      const others = new Set([...changes.added, ...changes.changed]);
      const successors = await this.#restored(accounts.filter(({ name }) => others.has(name)));
      this.#configure(accounts, changedAtSeconds);
      for (const account of this.all) if (!others.has(account.name)) account.retryNow();
      await Promise.all(successors.map((successor) => this.#succeed(successor)));
      await this.#remove(changes.removed);
      await this.#openRemoved();
      return changes;
    });
  }

  /** Restores accounts under new settings. If one cannot be read, the previous ones continue. */
  async #restored(accounts: readonly AccountSettings[]): Promise<readonly Successor[]> {
    const successors: Successor[] = [];
    const paused: AccountRuntime[] = [];
    try {
      for (const settings of accounts) {
        const predecessor = this.#running.get(settings.name);
        if (predecessor === undefined && this.#ownership.isShared) continue;
        if (predecessor !== undefined) {
          paused.push(predecessor);
          await predecessor.pause();
          // The store would take the lease of an account that is no longer here.
          if (!this.#isHere(predecessor)) continue;
        }
        const account = this.#newAccount(settings);
        try {
          await account.restore(predecessor);
          successors.push({ account, predecessor });
        } catch (error) {
          await account.close();
          const isLost =
            predecessor !== undefined && (isFenced(error) || !this.#isHere(predecessor));
          if (!isLost) throw error;
        }
      }
      return successors;
    } catch (error) {
      for (const account of paused) if (this.#isHere(account)) account.start();
      await Promise.all(successors.map(({ account }) => account.close()));
      throw error;
    }
  }

  async #succeed({ account, predecessor }: Successor): Promise<void> {
    // Whoever dropped the predecessor or handed it over closes it.
    if (predecessor !== undefined && !this.#isHere(predecessor)) return await account.close();
    this.#running.set(account.name, account);
    account.start();
    await predecessor?.close();
  }

  async #remove(names: readonly string[]): Promise<void> {
    const accounts = names.flatMap((name) => this.#running.get(name) ?? []);
    for (const name of names) this.#running.delete(name);
    const removed = await Promise.all(accounts.map((account) => account.remove()));
    for (const account of removed) await this.#removed.left(account);
  }

  /** Finds accounts that are stored and not configured. A shared store has one process for them. */
  async #openRemoved(): Promise<void> {
    const { isShared } = this.#ownership;
    if (isShared && !this.#removed.isOpen) return;
    try {
      await this.#removed.open(this.names);
      if (isShared) return;
      for (const name of this.#removed.unread) await this.#removed.examine(name);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const { reason } = error;
      this.#means.log.error({ reason }, 'list of stored accounts could not be read');
    }
  }

  /** An account may be lost or handed over at any time. */
  #isHere(account: AccountRuntime): boolean {
    return this.#running.get(account.name) === account;
  }
}

function isFenced(error: unknown): boolean {
  return error instanceof StoreError && error.reason === 'fenced';
}
