import type { AccountSettings } from '../config/account.ts';
import type { Hook } from '../http/ports.ts';
import type { HeldLeases } from '../leases/held-leases.ts';
import { exporterAccount } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { AccountRuntime, type AccountRuntimeOptions } from './account-runtime.ts';
import { type RemovedAccount, RemovedAccounts } from './removed-accounts.ts';
import { StoreIdentity } from './store-identity.ts';

export interface AccountsOptions
  extends Omit<AccountRuntimeOptions, 'settings' | 'storeId' | 'mayRequest'> {
  /** With it, an account runs only while this replica has its lease. */
  readonly leases?: Pick<HeldLeases, 'trusts'>;
  /** The id of a shared store; otherwise the store has it as a document. */
  readonly sharedStoreId?: string;
}

interface RunningAccount {
  readonly settings: AccountSettings;
  readonly account: AccountRuntime;
}

/** The names of the accounts that new settings added, changed or removed. */
export interface AccountChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The accounts of the configuration, and those of them that run. */
export class Accounts {
  readonly #options: Omit<AccountRuntimeOptions, 'settings'>;
  readonly #leases: AccountsOptions['leases'];
  readonly #removed: RemovedAccounts;
  readonly #identity: StoreIdentity;
  #settings: readonly AccountSettings[] = [];
  /** Without leases, all accounts. */
  #running: readonly RunningAccount[] = [];
  /** Removed accounts whose outages are not known yet, because another replica had them. */
  #unreported: ReadonlySet<string> = new Set();

  constructor({ leases, sharedStoreId, ...options }: AccountsOptions) {
    this.#leases = leases;
    this.#identity = new StoreIdentity(options.store, sharedStoreId);
    this.#options = {
      ...options,
      storeId: () => this.#identity.id,
      mayRequest: (account) => this.#isOwn(account),
    };
    this.#removed = new RemovedAccounts(options);
  }

  /** The running accounts, in the order of the configuration. */
  get all(): readonly AccountRuntime[] {
    return this.#running.map(({ account }) => account);
  }

  /** The running accounts that may be shown at this moment. */
  get shown(): readonly AccountRuntime[] {
    return this.all.filter(({ name }) => this.#isOwn(name));
  }

  /** Each account runs only while this replica has its lease. */
  get areShared(): boolean {
    return this.#leases !== undefined;
  }

  /** The names of all accounts of the configuration. */
  get names(): readonly string[] {
    return this.#settings.map(({ name }) => name);
  }

  /** The names of the further accounts whose leases this replica wants. */
  get wanted(): readonly string[] {
    return [exporterAccount, ...this.#unreported];
  }

  /** Whether the accounts that were removed may be shown at this moment. */
  get showsRemoved(): boolean {
    return this.#isOwn(exporterAccount);
  }

  /** Returns the snapshots of accounts that were removed within the last day. */
  removedSnapshots() {
    return this.showsRemoved ? this.#removed.snapshots() : [];
  }

  /** Returns the names of the accounts that were removed within the last 25 hours. */
  removed(): readonly string[] {
    return this.showsRemoved ? this.#removed.recent() : [];
  }

  /** Creates the accounts without their state, so that the first scrape shows their metrics. */
  create(accounts: readonly AccountSettings[]): void {
    this.#settings = accounts;
    if (this.#leases !== undefined) return;
    this.#running = accounts.map((settings) => ({
      settings,
      account: new AccountRuntime({ ...this.#options, settings }),
    }));
  }

  /** Loads the stored state of the accounts, without polling them. */
  async restore(): Promise<void> {
    await this.#identity.restore();
    if (this.#leases !== undefined) return;
    await Promise.all(this.all.map((account) => account.restore()));
    const removed = await this.#removed.restore(new Set(this.names));
    await this.#recordRemoved(await Promise.all(removed.map((name) => this.#removed.read(name))));
  }

  start(): void {
    for (const account of this.all) account.start();
    if (this.#leases === undefined) this.#removed.start();
  }

  /**
   * Takes the lease of an account from a shared store, and runs it. Resolves with whether it could
   * be taken; rejects with a `StoreError` if the store cannot be read.
   */
  async acquire(name: string): Promise<boolean> {
    try {
      if (name === exporterAccount) await this.#acquireRemoved();
      else if (this.#unreported.has(name)) await this.#report(name);
      else return await this.#run(name);
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.reason === 'fenced') return false;
      throw error;
    }
  }

  async #run(name: string): Promise<boolean> {
    const settings = this.#settings.find((account) => account.name === name);
    if (settings === undefined) return false;
    const account = new AccountRuntime({ ...this.#options, settings });
    try {
      await account.restore();
    } catch (error) {
      await account.close();
      throw error;
    }
    // The configuration may have changed meanwhile, or the lease may be lost.
    if (!this.#settings.includes(settings) || !this.#isOwn(name)) {
      await account.close();
      return false;
    }
    this.#setRunning([...this.#running, { settings, account }]);
    account.start();
    return true;
  }

  async #acquireRemoved(): Promise<void> {
    this.#unreported = new Set(await this.#removed.restore(new Set(this.names)));
    this.#removed.start();
  }

  async #report(name: string): Promise<void> {
    await this.#recordRemoved([await this.#removed.read(name)]);
    this.#unreported = new Set([...this.#unreported].filter((other) => other !== name));
  }

  /** Reads the check list of a running account now. */
  expedite(name: string): void {
    this.#runningAccount(name)?.expedite();
  }

  /**
   * The webhooks of all accounts. Those of accounts that other replicas run are passed on to
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

  /** Stops serving an account at once, and then stops it. No more of its data is stored. */
  async drop(name: string): Promise<void> {
    if (name === exporterAccount) await this.#removed.stop();
    await this.#remove(name)?.abandon();
  }

  /** Stops serving an account at once, stores its last state, and stops it. */
  async handOver(name: string): Promise<void> {
    if (name === exporterAccount) await this.#removed.stop();
    await this.#remove(name)?.stop();
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
    return this.#leases?.trusts(name) ?? true;
  }

  /**
   * Replaces the accounts. An account with unchanged settings is not touched. An account with
   * changed settings is stopped, stored and restored under the new settings; until then its
   * previous state is shown. If this rejects because the store cannot be read, all previous
   * accounts continue. With leases, new accounts wait for theirs.
   */
  async replace(accounts: readonly AccountSettings[]): Promise<AccountChanges> {
    if (!this.showsRemoved) return this.#replace(accounts);
    await this.#removed.stop();
    try {
      return await this.#replace(accounts);
    } finally {
      this.#removed.start();
    }
  }

  async #replace(accounts: readonly AccountSettings[]): Promise<AccountChanges> {
    const before = new Map(this.#settings.map((settings) => [settings.name, settings]));
    const [added, changed]: [string[], string[]] = [[], []];
    const paused: AccountRuntime[] = [];
    const created = new Map<string, RunningAccount>();
    try {
      for (const settings of accounts) {
        const { name } = settings;
        const former = before.get(name);
        before.delete(name);
        if (former !== undefined && hasSameSettings(former, settings)) continue;
        (former === undefined ? added : changed).push(name);
        const running = this.#runningAccount(name);
        if (running === undefined && this.#leases !== undefined) continue;
        if (running !== undefined) {
          paused.push(running);
          await running.pause();
        }
        const account = new AccountRuntime({ ...this.#options, settings });
        created.set(name, { settings, account });
        await account.restore(running);
      }
    } catch (error) {
      for (const account of paused) if (this.all.includes(account)) account.start();
      await closeAll([...created.values()]);
      throw error;
    }
    const removed = this.#running.filter(({ settings }) => before.has(settings.name));
    this.#settings = accounts;
    this.#running = accounts.flatMap(
      ({ name }) =>
        created.get(name) ?? this.#running.find(({ settings }) => settings.name === name) ?? [],
    );
    for (const { account } of created.values()) account.start();
    await Promise.all(paused.map((account) => account.close()));
    await Promise.all(removed.map(({ account }) => account.stop()));
    if (this.showsRemoved)
      await this.#recordRemoved(removed.map(({ account }) => account.asRemoved()));
    const unreported = [...before.keys()].filter(
      (name) => !removed.some(({ settings }) => settings.name === name),
    );
    this.#unreported = new Set([...this.#unreported, ...unreported]);
    return { added, changed, removed: [...before.keys()] };
  }

  #runningAccount(name: string): AccountRuntime | undefined {
    return this.#running.find(({ settings }) => settings.name === name)?.account;
  }

  /** Only logs a failure of the store: the views do not depend on it. */
  async #recordRemoved(removed: readonly RemovedAccount[]): Promise<void> {
    try {
      await this.#removed.changed(removed, this.names);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#options.log.error({ reason: error.reason }, 'list of accounts could not be stored');
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#removed.stop(), ...this.all.map((account) => account.stop())]);
  }
}

async function closeAll(accounts: readonly RunningAccount[]): Promise<void> {
  await Promise.all(accounts.map(({ account }) => account.close()));
}

function hasSameSettings(a: AccountSettings, b: AccountSettings): boolean {
  return a.digest !== undefined && a.digest === b.digest;
}
