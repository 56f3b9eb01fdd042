import { type AccountSettings, defaultResponseTimeBounds } from '../config/account.ts';
import { credentialsMark, haveEqualCredentials } from '../config/equal-credentials.ts';
import type { AccountView } from '../exposition/catalogue/family.ts';
import type { ExporterMetrics } from '../exposition/self-metrics/exporter-metrics.ts';
import type { AccountFeature } from '../feature.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { present } from '../lib/present.ts';
import type { Random } from '../lib/random.ts';
import type { Scrubber } from '../lib/secret.ts';
import { shownAddress } from '../lib/shown-address.ts';
import { maxStalenessOf } from '../schedule/demand.ts';
import type { Poller } from '../schedule/poller.ts';
import { AccountState } from '../state/account-state.ts';
import { AccountStorage } from '../state/account-storage.ts';
import type { Policies } from '../state/standing/policies.ts';
import { type AccountStore, itemKinds } from '../store/store.ts';
import { type AccountEvents, AccountListeners } from './account-events.ts';
import { AccountLogger } from './account-logger.ts';
import { AccountMetrics } from './account-metrics.ts';
import { type AccountSchedule, accountSchedule, isEnabled } from './account-schedule.ts';
import { type AccountRequests, accountRequests, type NewClient } from './account-service.ts';
import {
  accountStatus,
  accountView,
  type KnownAccount,
  type StatusSources,
  secondsToReadDeeper,
} from './account-status.ts';
import type { BudgetPart } from './budget-parts.ts';
import { DelayedStorage } from './delayed-storage.ts';
import { features } from './features.ts';
import { NewBeginning } from './new-beginning.ts';
import type { AccountRow, RemovedAccount } from './removed-accounts.ts';
import type { SharedLedgers } from './shared-ledgers.ts';
import { restoreAccount } from './start.ts';

const stuckAfterMilliseconds = 120_000;

/** What all accounts of a process share. */
export interface AccountMeans {
  readonly store: AccountStore;
  readonly policies: Policies;
  readonly metrics: ExporterMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly scrubber: Scrubber;
  /** The minimum time between writes of the state without totals. A crash loses at most this. */
  readonly batchIntervalMilliseconds: number;
  /** By default a client that uses the network. */
  readonly newClient?: NewClient;
  /** Called when the page of an account may have changed. */
  readonly onChange: () => void;
}

interface AccountRuntimeOptions extends AccountMeans {
  readonly settings: AccountSettings;
  /** The ledgers of accounts with equal credentials. */
  readonly ledgers: SharedLedgers;
  /** Returns the part of an account in the budget that accounts with its credentials share. */
  readonly budgetPart: (account: string) => BudgetPart;
  /** Returns whether this process may send requests of an account at this moment. */
  readonly mayRequest: (account: string) => boolean;
  /** The time of the last change of the configuration, in UNIX seconds. */
  readonly configuredAtSeconds: () => number;
}

/** One account while the exporter runs: its connections, budget, schedule, state and storage. */
export class AccountRuntime {
  readonly #settings: AccountSettings;
  readonly #events: AccountEvents;
  readonly #ledgers: SharedLedgers;
  readonly #budgetPart: () => BudgetPart;
  readonly #clock: Clock;
  readonly #requests: AccountRequests;
  readonly #storage: AccountStorage;
  /** The last known data. */
  readonly state: AccountState;
  readonly #schedule: AccountSchedule;
  readonly #delayedStorage: DelayedStorage;
  readonly #newBeginning: NewBeginning;
  readonly features: readonly AccountFeature[];
  #poller: Poller;
  #isRestored = false;

  constructor(options: AccountRuntimeOptions) {
    const { settings, store, metrics, clock, random, log, scrubber, policies } = options;
    const { name: account, responseTimeBounds = defaultResponseTimeBounds } = settings;
    const listeners = new AccountListeners();
    const { events } = listeners;
    this.#settings = settings;
    this.#events = events;
    this.#ledgers = options.ledgers;
    this.#budgetPart = () => options.budgetPart(account);
    this.#clock = clock;
    this.#requests = accountRequests(settings, {
      mayRequest: () => options.mayRequest(account),
      ledger: options.ledgers.join(settings),
      budgetShare: () => options.budgetPart(account).share,
      clock,
      random,
      scrubber,
      listeners,
      ...present({ newClient: options.newClient }),
    });
    const { service, serviceClock } = this.#requests;
    this.#storage = new AccountStorage({ store, account, clock });
    this.state = new AccountState({
      account,
      apiVersion: service.version,
      baseUrl: shownAddress(service.baseUrl),
      storeId: store.id,
      clock,
      serviceClock,
      responseTimeBounds,
      maxStaleness: maxStalenessOf(settings.datasets ?? {}),
      storeTotals: (change) => this.#storage.storeTotals(change),
      policies,
      events,
    });
    const { state } = this;
    const { budget } = this.#requests;
    this.features = features.map((feature) =>
      feature.ofAccount({
        account,
        state,
        service,
        serviceClock,
        policies,
        log,
        storeDocuments: (documents) => this.#storage.storeDocuments(documents),
        readMonth: (selection) => store.readMonth({ ...selection, account }),
        reads: (dataset) => this.#schedule.refreshes.has(dataset) && isEnabled(settings, dataset),
        isPastRead: isEnabled(settings, 'history'),
        lastingSeconds: (dataset) =>
          this.#schedule.planner.current?.datasets.find(({ name }) => name === dataset)
            ?.lastingIntervalSeconds,
        secondsToRead: (requests) =>
          secondsToReadDeeper(requests, { ...this.#schedule, state, clock, budget }),
        finishedPasts: () => this.features.flatMap(({ finishedPasts }) => finishedPasts ?? [])[0],
      }),
    );
    this.#schedule = accountSchedule(settings, {
      requests: this.#requests,
      state,
      policies,
      clock,
      random,
      listeners,
      features: this.features,
    });
    this.#delayedStorage = new DelayedStorage({
      storage: this.#storage,
      state,
      budget: this.#budgetParts(),
      features: this.features,
      configuredAtSeconds: options.configuredAtSeconds,
      clock,
      minIntervalMilliseconds: options.batchIntervalMilliseconds,
      events,
    });
    this.#newBeginning = new NewBeginning({ account, state, log });
    listeners.add(
      this.#newBeginning,
      new AccountMetrics(metrics, account),
      new AccountLogger({ log, account, apiVersion: settings.version, clock, serviceClock, state }),
      this.#delayedStorage,
      ...this.features,
      { changed: options.onChange },
    );
    this.#poller = this.#schedule.newPoller();
  }

  /**
   * Restores the account as `restoreAccount` describes. Must be called before `start`. `predecessor` is
   * the stopped account with the previous settings, if they have changed.
   */
  async restore(predecessor?: AccountRuntime): Promise<AccountRow> {
    const settings = this.#settings;
    // Items that the new settings exclude leave before the service has said its time.
    if (predecessor !== undefined && predecessor.#settings.baseUrl === settings.baseUrl)
      this.#requests.serviceClock.continueFrom(predecessor.#requests.serviceClock);
    const row = await restoreAccount(
      {
        settings,
        storage: this.#storage,
        state: this.state,
        features: this.features,
        newBeginning: this.#newBeginning,
        budget: this.#budgetParts(),
        events: this.#events,
        readsTransactions:
          this.#schedule.refreshes.has('transactions') && isEnabled(settings, 'transactions'),
      },
      predecessor && { storage: predecessor.#storage, state: predecessor.state },
    );
    // Whoever has changed the credentials waits for the result.
    if (predecessor !== undefined && !haveEqualCredentials(predecessor.#settings, settings))
      this.expedite();
    this.#isRestored = true;
    return row;
  }

  get name(): string {
    return this.#settings.name;
  }

  start(): void {
    this.#storage.resume();
    this.state.totals.gathers = true;
    this.#poller.start();
  }

  /** Aborts running refreshes and stores the state; `start` continues from there. */
  async pause(): Promise<void> {
    await this.#stopPoller();
    await this.#newBeginning.ended();
    this.#poller = this.#schedule.newPoller();
    // A stored state that was not loaded must not be overwritten.
    if (this.#isRestored) await this.#delayedStorage.flush();
    this.#storage.pause();
  }

  /** Stops an account that another process may own by now. No more of its data is stored. */
  async abandon(): Promise<void> {
    await this.#stopPoller();
    this.#storage.pause();
    await this.close();
  }

  #stopPoller(): Promise<void> {
    this.state.totals.gathers = false;
    return this.#poller.stop();
  }

  /**
   * Stops an account that is no longer in the configuration. Its data stay stored as they are, so
   * that it continues if it returns. Returns the outages that are shown for a day.
   */
  async remove(): Promise<RemovedAccount> {
    await this.pause();
    const { state } = this;
    for (const kind of itemKinds) state.leaveAll(kind, 'account');
    await this.close();
    const { check, transaction } = state.standing.outages;
    return {
      name: this.#settings.name,
      goneAtSeconds: unixSeconds(this.#clock),
      checks: check.former,
      transactions: transaction.former,
    };
  }

  /** Closes the connections of a stopped account, which cannot start again. */
  async close(): Promise<void> {
    this.#requests.budget.leave();
    this.#ledgers.leave(this.#settings);
    await this.#requests.transport.close();
  }

  /** Stops the account and closes its connections. */
  async stop(): Promise<void> {
    await this.pause();
    await this.close();
  }

  status(): KnownAccount {
    return accountStatus(this.#statusSources);
  }

  /** The data of the exporter's own metrics. */
  view(): AccountView {
    return accountView(this.#statusSources);
  }

  get #statusSources(): StatusSources {
    return {
      ...this.#requests,
      ...this.#schedule,
      state: this.state,
      features: this.features,
      clock: this.#clock,
      budgetSharedWith: this.#budgetPart().sharedWith,
    };
  }

  /** Reads the check list now, within the budget. */
  expedite(): void {
    this.#poller.expedite();
  }

  /** Tries what failed at once, within the budget. */
  retryNow(): void {
    this.#poller.retryNow();
  }

  get alive(): boolean {
    return this.#poller.silentFor < stuckAfterMilliseconds;
  }

  #budgetParts() {
    const [{ budget }, { agenda }] = [this.#requests, this.#schedule];
    return { budget, agenda, clock: this.#clock, credentials: credentialsMark(this.#settings) };
  }
}
