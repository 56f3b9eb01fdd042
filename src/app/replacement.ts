import type { AccountSettings } from '../config/account.ts';
import { StoreError } from '../store/store-error.ts';
import type { AccountRuntime } from './account-runtime.ts';

export interface RunningAccount {
  readonly settings: AccountSettings;
  readonly account: AccountRuntime;
}

/** The names of the accounts that new settings added, changed or removed. */
export interface AccountChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function accountChanges(
  before: readonly AccountSettings[],
  after: readonly AccountSettings[],
): AccountChanges {
  const former = new Map(before.map((settings) => [settings.name, settings]));
  const names = new Set(after.map(({ name }) => name));
  const isChanged = (settings: AccountSettings) => {
    const previous = former.get(settings.name);
    return previous !== undefined && !hasSameSettings(previous, settings);
  };
  return {
    added: [...names].filter((name) => !former.has(name)),
    changed: after.filter(isChanged).map(({ name }) => name),
    removed: [...former.keys()].filter((name) => !names.has(name)),
  };
}

function hasSameSettings(a: AccountSettings, b: AccountSettings): boolean {
  return a.digest !== undefined && a.digest === b.digest;
}

interface ReplacementOptions {
  readonly create: (settings: AccountSettings) => AccountRuntime;
  /** Whether the account still runs here: it may be dropped or handed over at any time. */
  readonly isHere: (account: AccountRuntime) => boolean;
}

interface Successor extends RunningAccount {
  /** The same account with the previous settings. */
  readonly former: AccountRuntime | undefined;
}

/** Accounts with new settings, and those that they replace. */
export class Replacement {
  readonly #options: ReplacementOptions;
  readonly #paused: AccountRuntime[] = [];
  #successors: readonly Successor[] = [];

  constructor(options: ReplacementOptions) {
    this.#options = options;
  }

  /**
   * Restores an account under new settings, from the former one if there is one. Rejects with a
   * `StoreError` if the store cannot be read.
   */
  async add(settings: AccountSettings, former: AccountRuntime | undefined): Promise<void> {
    const { create, isHere } = this.#options;
    if (former !== undefined) {
      this.#paused.push(former);
      await former.pause();
      // The store would take the lease of an account that is no longer here.
      if (!isHere(former)) return;
    }
    const account = create(settings);
    try {
      await account.restore(former);
    } catch (error) {
      await account.close();
      const isFenced = error instanceof StoreError && error.reason === 'fenced';
      if (former !== undefined && (isFenced || !isHere(former))) return;
      throw error;
    }
    this.#successors = [...this.#successors, { settings, account, former }];
  }

  /** Lets the former accounts continue. */
  async cancel(): Promise<void> {
    for (const account of this.#paused) if (this.#options.isHere(account)) account.start();
    await closeAll(this.#successors.map(({ account }) => account));
  }

  /**
   * The accounts to run instead of the former ones. An account that is no longer here has none: it
   * has no lease.
   */
  get running(): readonly RunningAccount[] {
    return this.#successors.filter(this.#isWanted);
  }

  /** Starts these accounts instead of the former ones. Resolves when all others are closed. */
  async start(running: readonly RunningAccount[]): Promise<void> {
    for (const { account } of running) account.start();
    await closeAll(
      this.#successors.flatMap((successor) => {
        // Whoever dropped the former account or handed it over closes it.
        if (!running.includes(successor)) return successor.account;
        return successor.former ?? [];
      }),
    );
  }

  readonly #isWanted = ({ former }: Successor) =>
    former === undefined || this.#options.isHere(former);
}

async function closeAll(accounts: readonly AccountRuntime[]): Promise<void> {
  await Promise.all(accounts.map((account) => account.close()));
}
