import { randomUUID } from 'node:crypto';
import { messageOf } from '../lib/error-text.ts';
import { present } from '../lib/present.ts';
import type { Ownership, OwnershipParts, OwnershipView } from '../ownership.ts';
import { exporterAccount } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import type { HeldLeases } from './leases/held-leases.ts';
import type { LeaseDatabase, Replica } from './leases/lease.ts';
import {
  type LeaseHandlers,
  LeaseKeeper,
  type LeaseView,
  type LossReason,
} from './leases/lease-keeper.ts';
import { replicasSection } from './view.tsx';

/** The leases of a store that several replicas share. */
export interface SharedLeases {
  readonly leases: HeldLeases;
  readonly database: LeaseDatabase;
  /** Releases an account after its last commit. */
  release(account: string): Promise<void>;
  /** Forgets an account that another replica may own. */
  abandon(account: string): void;
}

interface SharedAccountsOptions extends OwnershipParts {
  readonly sharing: SharedLeases;
}

/** Runs each account while this replica has its lease. */
export class SharedAccounts implements Ownership {
  readonly isShared = true;
  readonly #options: SharedAccountsOptions;
  readonly #keeper: LeaseKeeper;
  #failure: string | undefined;
  /** Why accounts could not be taken when they were tried last, which is done with each renewal. */
  readonly #refusals = new Map<string, string>();

  constructor(options: SharedAccountsOptions) {
    this.#options = options;
    const { leases, database } = options.sharing;
    const { clock, onBeat } = options;
    this.#keeper = new LeaseKeeper({
      leases,
      database,
      handlers: this.#handlers(),
      clock,
      token: randomUUID,
      onBeat,
      onDatabase: (error) => this.#onDatabase(error),
    });
  }

  trusts(account: string): boolean {
    return this.#options.sharing.leases.trusts(account);
  }

  isElsewhere(account: string): boolean {
    return this.#keeper.isElsewhere(account);
  }

  /** Resolves when the accounts that were free are served. */
  async start(): Promise<void> {
    const { accounts } = this.#options;
    await this.#keeper.start(accounts.names, () => accounts.wanted);
  }

  /** The configuration has other accounts. */
  configured(): void {
    this.#keeper.configure(this.#options.accounts.names);
  }

  /** Asks the replica that owns an account to read its check list now. */
  call(account: string): void {
    const { sharing, log } = this.#options;
    sharing.database.call(account).catch((error: unknown) => {
      const reason = messageOf(error);
      log.warn({ account, reason }, 'webhook could not be passed on');
    });
  }

  /** Another replica has taken the account. */
  fenced(account: string): void {
    this.#keeper.fenced(account);
  }

  /** Hands all accounts over. */
  async stop(): Promise<void> {
    await this.#keeper.stop();
  }

  /** The owner of each account, as this replica knows it. */
  view(): OwnershipView {
    const { leases } = this.#options.sharing;
    const isDatabaseUp = this.#failure === undefined;
    const view = {
      replica: leases.replica.name,
      isDatabaseUp,
      accounts: this.#keeper.views().map((view) => {
        const { account, isHeld, lease, expiredTakes } = view;
        const owner = ownerIn(view, leases.replica, isDatabaseUp);
        return {
          account,
          isHeld,
          expiredTakes,
          ...present({
            holder: owner?.name,
            url: owner?.url,
            sinceSeconds: lease?.sinceSeconds,
            // The row that was read last may be older than the take.
            number: leases.numberOf(account) ?? lease?.number,
          }),
          remainingSeconds: leases.remainingMilliseconds(account) / 1000,
        };
      }),
    };
    return { ...view, section: () => replicasSection(view) };
  }

  #handlers(): LeaseHandlers {
    const { accounts, sharing, log, show, onGone } = this.#options;
    return {
      acquire: async (account) => {
        try {
          if (!(await accounts.acquire(account))) {
            await sharing.release(account);
            return false;
          }
        } catch (error) {
          this.#notTaken(account, error);
          await sharing.release(account);
          return false;
        }
        this.#refusals.delete(account);
        if (account === exporterAccount) return true;
        await show();
        log.info({ account, take: sharing.leases.numberOf(account) }, 'account taken');
        return true;
      },
      lost: async (account, reason: LossReason) => {
        sharing.abandon(account);
        await accounts.drop(account);
        // A reload that was reading the account may have taken a lease that was free again.
        if (sharing.leases.numberOf(account) !== undefined) await sharing.release(account);
        if (account === exporterAccount) return;
        onGone(account);
        log.warn({ account, reason }, 'account lost');
      },
      handOver: async (account) => {
        const stopped = accounts.handOver(account);
        await show();
        await stopped;
        await sharing.release(account);
        if (account === exporterAccount) return;
        onGone(account);
        log.info({ account }, 'account released');
      },
      called: (account) => accounts.expedite(account),
    };
  }

  /** Logs why the account was not taken, unless it was the same the last time. */
  #notTaken(account: string, error: unknown): void {
    const { log } = this.#options;
    const reason = messageOf(error);
    if (this.#refusals.get(account) === reason) return;
    this.#refusals.set(account, reason);
    if (error instanceof StoreError) log.warn({ account, reason }, 'account not taken');
    else log.error({ account, error }, 'account could not be started');
  }

  #onDatabase(error: Error | undefined): void {
    const { log } = this.#options;
    if (error?.message === this.#failure) return;
    this.#failure = error?.message;
    if (error === undefined) log.info({}, 'leases can be renewed again');
    else log.error({ reason: error.message }, 'leases could not be renewed');
  }
}

/**
 * The replica that owns an account; undefined if none does, or if it is not known: a replica whose
 * database does not respond knows no other owner, and it does not own an account whose lease ended.
 */
export function ownerIn(
  { isHeld, lease }: Pick<LeaseView, 'isHeld' | 'lease'>,
  replica: Replica,
  isDatabaseUp: boolean,
): Replica | undefined {
  if (isHeld) return replica;
  if (!isDatabaseUp || lease === undefined || lease.isReleased) return undefined;
  return lease.holder.id === replica.id ? undefined : lease.holder;
}
