import type { AccountSettings } from '../config/account.ts';
import type { Hook } from '../http/ports.ts';
import { unixSeconds } from '../lib/clock.ts';
import type { Ownership } from '../ownership.ts';
import { exporterAccount } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { AccountRuntime, type AccountRuntimeOptions } from './account-runtime.ts';
import { type AccountRow, RemovedAccounts } from './removed-accounts.ts';
import {
  type AccountChanges,
  accountChanges,
  Replacement,
  type RunningAccount,
} from './replacement.ts';
import { StoreIdentity } from './store-identity.ts';

export interface AccountsOptions
  extends Omit<
    AccountRuntimeOptions,
    'settings' | 'storeId' | 'mayRequest' | 'configuredAtSeconds'
  > {
  /** An account runs only while this process owns it. */
  readonly ownership: Pick<Ownership, 'isShared' | 'trusts' | 'isElsewhere'>;
  /** The id of a shared store; otherwise the store has it as a document. */
  readonly sharedStoreId?: string;
}

/**
 * The accounts of the configuration, and those of them that run. A reload replaces an account whose
 * settings changed as a restart would: the old one stores its data, and the new one continues from
 * the store, so that every setting takes effect without code of its own.
 */
export class Accounts {
  readonly #options: Omit<AccountRuntimeOptions, 'settings'>;
  readonly #ownership: AccountsOptions['ownership'];
  readonly #removed: RemovedAccounts;
  readonly #identity: StoreIdentity;
  #settings: readonly AccountSettings[] = [];
  /** The time of the last change of the configuration, in UNIX seconds. */
  #configuredAtSeconds = 0;
  /** The accounts that this process owns. */
  #running: readonly RunningAccount[] = [];
  /** Accounts of the configuration that a newer one, of another process, has removed. */
  readonly #notRun = new Set<string>();
  /** A reload that is under way. Never rejects. */
  #replacing: Promise<unknown> | undefined;

  constructor({ ownership, sharedStoreId, ...options }: AccountsOptions) {
    this.#ownership = ownership;
    this.#identity = new StoreIdentity(options.store, sharedStoreId);
    this.#options = {
      ...options,
      storeId: () => this.#identity.id,
      mayRequest: (account) => this.#isOwn(account),
      configuredAtSeconds: () => this.#configuredAtSeconds,
    };
    this.#removed = new RemovedAccounts({
      ...options,
      isShared: ownership.isShared,
      configuredAtSeconds: () => this.#configuredAtSeconds,
      isOwn: () => this.#isOwn(exporterAccount),
      isElsewhere: (account) => ownership.isElsewhere(account),
    });
  }

  /** The running accounts, in the order of the configuration. */
  get all(): readonly AccountRuntime[] {
    return this.#running.map(({ account }) => account);
  }

  /** The running accounts that may be shown at this moment. */
  get shown(): readonly AccountRuntime[] {
    return this.all.filter(({ name }) => this.#isOwn(name));
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
    this.#running = accounts.map((settings) => ({
      settings,
      account: new AccountRuntime({ ...this.#options, settings }),
    }));
  }

  /** Loads the stored state of the accounts, without polling them. */
  async restore(): Promise<void> {
    await this.#identity.restore();
    if (this.#ownership.isShared) return;
    await Promise.all(this.all.map((account) => account.restore()));
    await this.#openRemoved();
  }

  #configure(
    accounts: readonly AccountSettings[],
    changedAtSeconds = unixSeconds(this.#options.clock),
  ): void {
    this.#settings = accounts;
    this.#notRun.clear();
    // A process that has read two configurations knows which one is newer.
    this.#configuredAtSeconds = Math.max(this.#configuredAtSeconds, changedAtSeconds);
  }

  /** Finds the accounts that were removed while this process, which owns them all, did not run. */
  async #openRemoved(): Promise<void> {
    try {
      await this.#removed.open(this.names);
      for (const name of this.#removed.unread) await this.#removed.examine(name);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const { reason } = error;
      this.#options.log.error({ reason }, 'list of stored accounts could not be read');
    }
  }

  start(): void {
    for (const account of this.all) account.start();
    if (!this.#ownership.isShared) this.#removed.start();
  }

  /**
   * Takes an account from a shared store, and runs it. Resolves with whether it could be taken;
   * rejects with a `StoreError` if the store cannot be read. During a reload no account is taken: it
   * would run with the previous settings.
   */
  async acquire(name: string): Promise<boolean> {
    if (this.#replacing !== undefined || this.#notRun.has(name)) return false;
    const settings = this.#settings.find((account) => account.name === name);
    try {
      if (name === exporterAccount) return await this.#acquireRemoved();
      return await (settings === undefined ? this.#examine(name) : this.#run(settings));
    } catch (error) {
      if (error instanceof StoreError && error.reason === 'fenced') return false;
      throw error;
    }
  }

  async #run(settings: AccountSettings): Promise<boolean> {
    const configured = this.#settings;
    const account = new AccountRuntime({ ...this.#options, settings });
    let row: AccountRow;
    try {
      row = await account.restore();
    } catch (error) {
      await account.close();
      throw error;
    }
    const isRemoved = row.goneAtSeconds !== undefined && this.#removed.isOlderThan(row);
    if (isRemoved) {
      this.#notRun.add(settings.name);
      this.#options.log.warn(
        { account: settings.name },
        'account not run: a newer configuration has removed it',
      );
    }
    if (isRemoved || !this.#isStill(configured, settings.name)) {
      await account.close();
      return false;
    }
    this.#setRunning([...this.#running, { settings, account }]);
    account.start();
    return true;
  }

  async #acquireRemoved(): Promise<boolean> {
    const configured = this.#settings;
    // Reading takes it.
    await this.#options.store.load(exporterAccount);
    if (!this.#isStill(configured, exporterAccount)) return false;
    await this.#removed.open(this.names);
    if (!this.#isStill(configured, exporterAccount)) return false;
    this.#removed.start();
    return true;
  }

  /** Reads an account that the configuration lacks. Its owner alone may mark it as removed. */
  async #examine(name: string): Promise<boolean> {
    if (!this.#removed.unread.includes(name)) return false;
    const configured = this.#settings;
    const isStill = () => this.#isStill(configured, name);
    await this.#removed.examine(name, isStill);
    return isStill();
  }

  /** While the store was read, a reload may have begun, or the account may be lost. */
  #isStill(configured: readonly AccountSettings[], name: string): boolean {
    return this.#replacing === undefined && this.#settings === configured && this.#isOwn(name);
  }

  /** Reads the check list of a running account now. */
  expedite(name: string): void {
    this.#runningAccount(name)?.expedite();
  }

  /**
   * The webhooks of all accounts. Those of accounts that other processes run are passed on to
   * `elsewhere`.
   */
  hooks(elsewhere: (account: string) => void): readonly Hook[] {
    return this.#settings.flatMap(({ name, hookSecret: secret }) => {
      if (secret === undefined) return [];
      const running = this.#runningAccount(name);
      const called = () => (running === undefined ? elsewhere(name) : running.expedite());
      return { secret, called };
    });
  }

  /**
   * Stops serving an account at once, and then stops it. No more of its data is stored. Resolves
   * after a reload that is under way, because that may still read the account.
   */
  async drop(name: string): Promise<void> {
    if (name === exporterAccount) await this.#removed.close();
    await this.#remove(name)?.abandon();
    await this.#replacing;
  }

  /**
   * Stops serving an account at once, stores its last state, and stops it. Resolves after a reload
   * that is under way, because that may still read or store the account.
   */
  async handOver(name: string): Promise<void> {
    if (name === exporterAccount) await this.#removed.close();
    await this.#remove(name)?.stop();
    await this.#replacing;
  }

  #remove(name: string): AccountRuntime | undefined {
    const account = this.#runningAccount(name);
    if (account === undefined) return undefined;
    this.#setRunning(this.#running.filter((other) => other.account !== account));
    return account;
  }

  #setRunning(running: readonly RunningAccount[]): void {
    const order = this.names;
    this.#running = running.toSorted(
      (a, b) => order.indexOf(a.settings.name) - order.indexOf(b.settings.name),
    );
    this.#options.onChange();
  }

  #isOwn(name: string): boolean {
    return this.#ownership.trusts(name);
  }

  /**
   * Replaces the accounts. An account with unchanged settings tries at once what failed. One with
   * changed settings is stopped, stored and restored under the new settings; until then its
   * previous state is shown. If this rejects because the store cannot be read, all previous
   * accounts continue. New accounts of a shared store wait until they are acquired, and an account
   * that is dropped or handed over meanwhile is not started again.
   */
  replace(
    accounts: readonly AccountSettings[],
    changedAtSeconds?: number,
  ): Promise<AccountChanges> {
    const replaced = this.#removed
      .pausedDuring(() => this.#replace(accounts, changedAtSeconds))
      .finally(() => {
        this.#replacing = undefined;
      });
    this.#replacing = replaced.catch(() => {});
    return replaced;
  }

  async #replace(
    accounts: readonly AccountSettings[],
    changedAtSeconds: number | undefined,
  ): Promise<AccountChanges> {
    const changes = accountChanges(this.#settings, accounts);
    const others = new Set([...changes.added, ...changes.changed]);
    const replacement = new Replacement({
      create: (settings) => new AccountRuntime({ ...this.#options, settings }),
      isHere: (account) => this.all.includes(account),
    });
    try {
      for (const settings of accounts.filter(({ name }) => others.has(name))) {
        const former = this.#runningAccount(settings.name);
        if (former === undefined && this.#ownership.isShared) continue;
        await replacement.add(settings, former);
      }
    } catch (error) {
      await replacement.cancel();
      throw error;
    }
    const successors = replacement.running;
    const running = [...successors, ...this.#running];
    const gone = this.all.filter(({ name }) => changes.removed.includes(name));
    this.#configure(accounts, changedAtSeconds);
    this.#running = accounts.flatMap(
      ({ name }) => running.find(({ settings }) => settings.name === name) ?? [],
    );
    for (const { settings, account } of this.#running) {
      if (!others.has(settings.name)) account.retryNow();
    }
    await replacement.start(successors);
    await Promise.all(gone.map((account) => account.stop()));
    for (const account of gone) await this.#removed.left(account.asRemoved());
    if (!this.#ownership.isShared) await this.#openRemoved();
    else if (this.#removed.isOpen) await this.#removed.open(this.names);
    return changes;
  }

  #runningAccount(name: string): AccountRuntime | undefined {
    return this.#running.find(({ settings }) => settings.name === name)?.account;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#removed.stop(), ...this.all.map((account) => account.stop())]);
  }
}
