import type { SharedAccount } from './exposition/catalogue/family.ts';
import type { ReplicasView, SharedAccountView } from './http/ports.ts';
import type { Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import type { Workload } from './lib/workload.ts';
import type { Store } from './store/store.ts';

/** The accounts that a process can run, for the one that decides which of them it owns. */
interface OwnableAccounts {
  /** The names of all accounts of the configuration. */
  readonly names: readonly string[];
  /** The names of the further accounts that this process wants to own. */
  readonly wanted: readonly string[];
  /** Reads an account and runs it. Resolves with whether it runs. */
  acquire(name: string): Promise<boolean>;
  /** Stops an account at once, and stores its last state. */
  handOver(name: string): Promise<void>;
  /** Stops an account at once, and stores nothing. */
  drop(name: string): Promise<void>;
  /** Reads the check list of a running account now. */
  expedite(name: string): void;
}

export interface OwnershipParts {
  readonly accounts: OwnableAccounts;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when the page shows the running accounts, and no others. */
  readonly show: () => Promise<void>;
  /** Called when an account is no longer served here. */
  readonly onGone: (account: string) => void;
  /** Called when a request to the database has ended, successful or not. */
  readonly onBeat: (seconds: number) => void;
}

/** The owner of each account, as this process knows it. */
export interface OwnershipView extends ReplicasView {
  readonly accounts: readonly (SharedAccountView & SharedAccount)[];
}

/** Which accounts this process owns. */
export interface OwnedAccounts {
  /** Whether other processes may own accounts of the store. */
  readonly isShared: boolean;
  /** Returns whether this process owns an account at this moment. */
  trusts(account: string): boolean;
  /** Returns whether another process owns an account, as far as this one knows. */
  isElsewhere(account: string): boolean;
}

/** Decides which accounts this process owns. Only an owned account is polled and served. */
export interface Ownership extends OwnedAccounts {
  /** Acquires accounts from now on. Resolves when those that were free are served. */
  start(): Promise<void>;
  /** Call this when the configuration has other accounts. */
  configured(): void;
  /** Call this when a commit has shown that another process owns the account. */
  fenced(account: string): void;
  /** Asks the process that owns an account to read its check list now. */
  call(account: string): void;
  /** The owner of each account; undefined if this process owns them all. */
  view(): OwnershipView | undefined;
  /** Releases all accounts. */
  stop(): Promise<void>;
}

/** A process that shares its accounts with none. */
export const soleOwnership: Ownership = {
  isShared: false,
  trusts: () => true,
  isElsewhere: () => false,
  start: async () => {},
  configured: () => {},
  fenced: () => {},
  call: () => {},
  view: () => undefined,
  stop: async () => {},
};

/** A store whose accounts several processes share. */
export interface Sharing {
  owner(parts: OwnershipParts): Ownership;
}

export interface SharedStorageOptions {
  /** `databaseUrlProblem` accepts it. */
  readonly url: string;
  /** The name of this process, as text for people. */
  readonly owner: string;
  readonly leaseTtlSeconds: number;
  readonly synchronousStandby: boolean;
  readonly externalUrl: string | undefined;
  readonly password: (() => string) | undefined;
  readonly ca: (() => string) | undefined;
  readonly clock: Clock;
  readonly workload: Workload | undefined;
}

export interface OpenedStorage {
  readonly store: Store;
  /** Absent if this process alone uses the store. */
  readonly sharing?: Sharing;
}
