import type { ListFilter } from '../api/filtered-service.ts';
import type { HttpClient } from '../api/http/client.ts';
import { RequestLog } from '../api/request-log.ts';
import { ServiceClock } from '../api/service-clock.ts';
import { Budget } from '../budget/budget.ts';
import { BudgetHistory } from '../budget/budget-history.ts';
import {
  type AccountSettings,
  defaultConcurrency,
  defaultResponseTimeBounds,
} from '../config/account.ts';
import { createRefreshes } from '../datasets/index.ts';
import { type DatasetName, datasetPolicies } from '../domain/dataset.ts';
import type { AccountView } from '../exposition/catalogue/family.ts';
import type { ExporterMetrics } from '../exposition/self-metrics/exporter-metrics.ts';
import type { AccountStatus, Hook } from '../http/ports.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { Coalescer } from '../lib/coalescer.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Log } from '../lib/log.ts';
import { present } from '../lib/present.ts';
import type { Random } from '../lib/random.ts';
import type { Scrubber, Secret } from '../lib/secret.ts';
import { Agenda } from '../schedule/agenda.ts';
import type { AgendaItem } from '../schedule/agenda-item.ts';
import { maxStalenessOf } from '../schedule/demand.ts';
import { intervalsOf } from '../schedule/plan.ts';
import { Planner } from '../schedule/planner.ts';
import { Poller, type PollerEvents } from '../schedule/poller.ts';
import { AccountPersistence } from '../state/account-persistence.ts';
import { AccountState } from '../state/account-state.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import type { SloPolicy } from '../windows/groups.ts';
import type { OutagePolicy } from '../windows/outage-policy.ts';
import { AccountLogger } from './account-logger.ts';
import { accountService, filterRestored } from './account-service.ts';
import { accountStatus, type StatusSources } from './account-status.ts';
import { BackfillControl } from './backfill-control.ts';
import {
  type BudgetParts,
  budgetDocuments,
  restoreBudget,
  restoreBudgetAfterChange,
} from './budget-persistence.ts';
import type { DepartedAccount } from './departed-accounts.ts';

const stuckAfterMilliseconds = 120_000;

export interface AccountRuntimeOptions {
  readonly settings: AccountSettings;
  readonly store: Store;
  /** Names the store; undefined before it is read. */
  readonly storeId: () => string | undefined;
  /** Objectives and groups; the same object while they do not change. */
  readonly slo: () => SloPolicy;
  /** Limits of flapping, and promoted labels; the same object while they do not change. */
  readonly outagePolicy: () => OutagePolicy;
  readonly metrics: ExporterMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly scrubber: Scrubber;
  /** What is kept beside the totals is stored at most so often: a crash costs no more of it. */
  readonly batchIntervalMilliseconds: number;
  /** Called when the page of this account may have changed. */
  readonly onChange: () => void;
}

/** One account while the exporter runs: its connections, budget, schedule, state and storage. */
export class AccountRuntime {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #serviceClock: ServiceClock;
  readonly #filter: ListFilter | undefined;
  readonly #hookSecret: Secret | undefined;
  readonly #readsTransactions: boolean;
  /** What is known of it. */
  readonly state: AccountState;
  readonly #persistence: AccountPersistence;
  readonly #saving: Coalescer;
  readonly #budget: Budget;
  readonly #transport: HttpClient;
  readonly #agenda: Agenda;
  readonly #planner: Planner;
  readonly #statusSources: StatusSources;
  /** Reads what was before the first day, on request. */
  readonly backfill: BackfillControl;
  readonly #newPoller: () => Poller;
  #poller: Poller;
  #isRestored = false;

  constructor(options: AccountRuntimeOptions) {
    const { settings, store, metrics, clock, random, log, scrubber, onChange } = options;
    const { name: account, byCountry = false, datasets = {} } = settings;
    const { concurrency = defaultConcurrency } = settings;
    const { responseTimeBounds = defaultResponseTimeBounds } = settings;
    const logger = new AccountLogger(log, account, clock);
    this.#name = account;
    this.#clock = clock;
    this.#serviceClock = new ServiceClock(clock);
    this.#filter = settings.filter;
    this.#hookSecret = settings.hookSecret;
    this.#persistence = new AccountPersistence({ store, account, clock });
    this.#saving = new Coalescer(() => this.#save(logger), {
      clock,
      minIntervalMilliseconds: options.batchIntervalMilliseconds,
    });
    this.#budget = new Budget({
      clock,
      random,
      ...present({
        reserve: settings.reserve,
        fallbackRequestsPerHour: settings.fallbackRequestsPerHour,
      }),
      onModeChange: (mode) => log.info({ account, mode }, 'budget mode changed'),
      onNote: (note) => {
        if (note.kind === 'probe') metrics.probeSent(account);
        logger.budgetNote(note);
      },
    });
    const budgetHistory = new BudgetHistory();
    const requestLog = new RequestLog();
    const { transport, service } = accountService(settings, {
      gate: this.#budget,
      clock,
      scrubber,
      onAttempt: ({ dated, ...attempt }) => {
        if (dated !== undefined) this.#serviceClock.replied(dated);
        metrics.attempted({ account, ...attempt });
        const [budget, now] = [this.#budget.view(), unixSeconds(clock)];
        budgetHistory.record(budget, now);
        requestLog.record(attempt, budget, now);
        logger.clockOffset(this.#serviceClock.offsetSeconds);
      },
    });
    this.#transport = transport;
    this.state = new AccountState({
      account,
      apiVersion: service.version,
      baseUrl: service.baseUrl,
      storeId: options.storeId,
      clock,
      serviceClock: this.#serviceClock,
      responseTimeBounds,
      maxStaleness: maxStalenessOf(datasets),
      persist: (change) => this.#persistence.persistTotals(change),
      persistDocuments: (documents) => this.#persistence.persistDocuments(documents),
      slo: options.slo,
      outagePolicy: options.outagePolicy,
      onInvalidTag: (tag) => logger.invalidTag(tag),
      onGroupsDropped: (groups) => metrics.labelValuesDropped(account, 'group', groups),
    });
    const isEnabled = (dataset: DatasetName) =>
      datasets[dataset]?.enabled ?? datasetPolicies[dataset].enabledByDefault;
    this.#readsTransactions = isEnabled('transactions');
    const refreshes = createRefreshes({
      service,
      state: this.state,
      clock: this.#serviceClock,
      machineClock: clock,
      sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
      isEnabled,
      takeEvent: (dataset) => this.#agenda.takeEvent(dataset, clock.monotonic()),
      responseTimeBounds,
      byCountry,
      ...present({ transactionResponseUnit: settings.transactionResponseUnit }),
      onTransactionUnit: (unit) => logger.transactionUnit(unit),
      onReportGivenUp: (id, range) => logger.reportGivenUp(id, range),
    });
    this.#agenda = new Agenda({ random, policies: datasetPolicies });
    this.#planner = new Planner({
      agenda: this.#agenda,
      datasets: new Set(refreshes.keys()),
      policies: datasetPolicies,
      choices: datasets,
      onPlan: (plan, material) => {
        this.state.planned(intervalsOf(plan));
        if (material) logger.planned(plan);
      },
    });
    this.backfill = new BackfillControl({
      account,
      state: this.state,
      planner: this.#planner,
      budget: this.#budget,
      serviceClock: this.#serviceClock,
      isEnabled: isEnabled('backfill'),
      log,
    });
    this.#statusSources = {
      backfill: () => this.backfill.view,
      state: this.state,
      agenda: this.#agenda,
      planner: this.#planner,
      clock,
      serviceClock: this.#serviceClock,
      budget: this.#budget,
      budgetHistory,
      requestLog,
      maintenanceKnowledge: () => refreshes.maintenanceKnowledge(),
    };
    const events: PollerEvents = {
      changed: onChange,
      refreshed: (item, rejected) => {
        const { dataset } = item;
        for (const { reason } of rejected) metrics.rejected(account, dataset, reason, 1);
        logger.refreshed(item, this.state.datasets.itemsIn(dataset), rejected);
        if (dataset === 'checks' || dataset === 'transactions') {
          logger.retain((known) => this.#isKnown(known));
        }
        if (dataset === 'backfill') this.backfill.refreshed();
        this.#saving.ask();
      },
      failed: (item, error) => {
        metrics.datasetFailed(account, item.dataset, error.reason);
        logger.failed(item, error);
        this.#saving.ask();
      },
      storeFailed: (error) => logger.storeFailed(error),
      loopFailed: (error) => {
        metrics.pollerFailed(account);
        log.error({ account, error }, 'poller iteration failed; continuing');
      },
    };
    this.#newPoller = () =>
      new Poller({
        state: this.state,
        refreshes,
        policies: datasetPolicies,
        agenda: this.#agenda,
        planner: this.#planner,
        budget: this.#budget,
        clock,
        concurrency,
        events,
      });
    this.#poller = this.#newPoller();
  }

  /** Loads the stored state of an account whose settings are the same or have changed; before `start`. */
  async restore(settings: 'same' | 'changed'): Promise<void> {
    const { documents, ...restored } = await this.#persistence.load();
    await yieldToEventLoop();
    this.state.restore({ ...filterRestored(restored, this.#filter), documents });
    if (!this.#readsTransactions) this.state.retireTransactionOutages();
    const restoreStored = settings === 'same' ? restoreBudget : restoreBudgetAfterChange;
    restoreStored(this.#budgetParts(), documents);
    this.backfill.restored();
    this.#isRestored = true;
  }

  start(): void {
    this.#poller.start();
  }

  /** Aborts running refreshes and stores the state; `start` continues from there. */
  async pause(): Promise<void> {
    await this.#poller.stop();
    this.#poller = this.#newPoller();
    // What was not read must not be replaced.
    if (!this.#isRestored) return;
    this.#saving.ask();
    await this.#saving.flush();
  }

  /** What is still shown for a day after the account was removed. */
  departed(): DepartedAccount {
    const goneAtSeconds = unixSeconds(this.#clock);
    return { name: this.#name, goneAtSeconds, ...this.state.retiredOutages() };
  }

  /** Closes the connections of a paused account for good. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** Pauses and closes. */
  async stop(): Promise<void> {
    await this.pause();
    await this.close();
  }

  /** What pages and the exporter's own metrics show of it. */
  status(): AccountStatus & AccountView {
    return accountStatus(this.#statusSources);
  }

  /** Undefined without a secret. */
  get hook(): Hook | undefined {
    const secret = this.#hookSecret;
    return secret && { secret, called: () => this.#poller.expedite() };
  }

  get alive(): boolean {
    return this.#poller.silentFor < stuckAfterMilliseconds;
  }

  #isKnown({ dataset, id }: AgendaItem): boolean {
    if (id === 'account') return true;
    const { checks, transactions } = this.state;
    return (datasetPolicies[dataset].scope === 'check' ? checks : transactions).has(id);
  }

  #budgetParts(): BudgetParts {
    return { budget: this.#budget, agenda: this.#agenda, clock: this.#clock };
  }

  async #save(logger: AccountLogger): Promise<void> {
    try {
      await this.#persistence.persistParts(this.state, budgetDocuments(this.#budgetParts()));
      logger.stored();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      logger.storeFailed(error);
    }
  }
}
