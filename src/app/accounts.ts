import type { AccountSettings } from '../config/account.ts';
import type { Hook } from '../http/ports.ts';
import { exporterAccount } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { AccountRuntime, type AccountRuntimeOptions } from './account-runtime.ts';
import type { Ownership } from './ownership.ts';
import { Removals } from './removals.ts';
import {
  type AccountChanges,
  accountChanges,
  Replacement,
  type RunningAccount,
} from './replacement.ts';
import { StoreIdentity } from './store-identity.ts';

export interface AccountsOptions
  extends Omit<AccountRuntimeOptions, 'settings' | 'storeId' | 'mayRequest'> {
  /** An account runs only while this process owns it. */
  readonly ownership: Pick<Ownership, 'isShared' | 'trusts'>;
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
  readonly #removals: Removals;
  readonly #identity: StoreIdentity;
  #settings: readonly AccountSettings[] = [];
  /** The accounts that this process owns. */
  #running: readonly RunningAccount[] = [];
  /** A reload that is under way. Never rejects. */
  #replacing: Promise<unknown> | undefined;

  constructor({ ownership, sharedStoreId, ...options }: AccountsOptions) {
    this.#ownership = ownership;
    this.#identity = new StoreIdentity(options.store, sharedStoreId);
    this.#options = {
      ...options,
      storeId: () => this.#identity.id,
      mayRequest: (account) => this.#isOwn(account),
    };
    this.#removals = new Removals({
      ...options,
      isShared: ownership.isShared,
      mayRecord: () => this.#isOwn(exporterAccount),
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
    return [exporterAccount, ...this.#removals.unreported];
  }

  /** Whether the accounts that were removed may be shown at this moment. */
  get showsRemoved(): boolean {
    return this.#removals.isOpen;
  }

  /** Returns the snapshots of accounts that were removed within the last day. */
  removedSnapshots() {
    return this.#removals.snapshots();
  }

  /** Returns the names of the accounts that were removed within the last 25 hours. */
  removed(): readonly string[] {
    return this.#removals.recent();
  }

  /** Creates the accounts without their state, so that the first scrape shows their metrics. */
  create(accounts: readonly AccountSettings[]): void {
    this.#settings = accounts;
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
    const removed = await this.#removals.read(this.names);
    const read = removed.map((name) => this.#removals.readAccount(name));
    await this.#removals.changed(this.names, await Promise.all(read));
  }

  start(): void {
    for (const account of this.all) account.start();
    if (!this.#ownership.isShared) this.#removals.start();
  }

  /**
   * Takes an account from a shared store, and runs it. Resolves with whether it could be taken;
   * rejects with a `StoreError` if the store cannot be read. During a reload no account is taken: it
   * would run with the previous settings.
   */
  async acquire(name: string): Promise<boolean> {
    if (this.#replacing !== undefined) return false;
    const settings = this.#settings.find((account) => account.name === name);
    try {
      if (name === exporterAccount) return await this.#acquireRemoved();
      return await (settings === undefined ? this.#report(name) : this.#run(settings));
    } catch (error) {
      if (error instanceof StoreError && error.reason === 'fenced') return false;
      throw error;
    }
  }

  async #run(settings: AccountSettings): Promise<boolean> {
    const configured = this.#settings;
    const account = new AccountRuntime({ ...this.#options, settings });
    try {
      await account.restore();
    } catch (error) {
      await account.close();
      throw error;
    }
    if (!this.#isStill(configured, settings.name)) {
      await account.close();
      return false;
    }
    this.#setRunning([...this.#running, { settings, account }]);
    account.start();
    return true;
  }

  async #acquireRemoved(): Promise<boolean> {
    const configured = this.#settings;
    const unreported = await this.#removals.read(this.names);
    if (!this.#isStill(configured, exporterAccount)) return false;
    await this.#removals.opened(this.names, unreported);
    return true;
  }

  async #report(name: string): Promise<boolean> {
    if (!this.#removals.unreported.includes(name)) return false;
    const configured = this.#settings;
    const account = await this.#removals.readAccount(name);
    if (!this.#isStill(configured, name)) return false;
    return this.#removals.report(this.names, account);
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
    if (name === exporterAccount) await this.#removals.closed();
    await this.#remove(name)?.abandon();
    await this.#replacing;
  }

  /**
   * Stops serving an account at once, stores its last state, and stops it. Resolves after a reload
   * that is under way, because that may still read or store the account.
   */
  async handOver(name: string): Promise<void> {
    if (name === exporterAccount) await this.#removals.closed();
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
  replace(accounts: readonly AccountSettings[]): Promise<AccountChanges> {
    const replaced = this.#removals
      .pausedDuring(() => this.#replace(accounts))
      .finally(() => {
        this.#replacing = undefined;
      });
    this.#replacing = replaced.catch(() => {});
    return replaced;
  }

  async #replace(accounts: readonly AccountSettings[]): Promise<AccountChanges> {
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
    this.#settings = accounts;
    this.#running = accounts.flatMap(
      ({ name }) => running.find(({ settings }) => settings.name === name) ?? [],
    );
    for (const { settings, account } of this.#running) {
      if (!others.has(settings.name)) account.retryNow();
    }
    await replacement.start(successors);
    await Promise.all(gone.map((account) => account.stop()));
    const reported = gone.map((account) => account.asRemoved());
    const isUnreported = (name: string) => !reported.some((removed) => removed.name === name);
    const unreported = changes.removed.filter(isUnreported);
    await this.#removals.changed(this.names, reported, unreported);
    return changes;
  }

  #runningAccount(name: string): AccountRuntime | undefined {
    return this.#running.find(({ settings }) => settings.name === name)?.account;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#removals.stop(), ...this.all.map((account) => account.stop())]);
  }
}
