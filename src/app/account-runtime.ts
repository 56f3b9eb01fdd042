import type { ListFilter } from '../api/filtered-service.ts';
import type { HttpClient } from '../api/http/client.ts';
import { Budget } from '../budget/budget.ts';
import type { BudgetView } from '../budget/budget-view.ts';
import type { DepartedAccount } from '../cli/departed-accounts.ts';
import {
  type AccountSettings,
  defaultConcurrency,
  defaultResponseTimeBounds,
} from '../config/account.ts';
import { createRefreshes } from '../datasets/index.ts';
import { datasetPolicies } from '../datasets/policies.ts';
import type { ScheduleView } from '../exposition/catalogue/family.ts';
import type { ExporterMetrics } from '../exposition/self-metrics/exporter-metrics.ts';
import type { AccountStatus } from '../http/ports.ts';
import type { Clock } from '../lib/clock.ts';
import { Coalescer } from '../lib/coalescer.ts';
import type { Log } from '../lib/log.ts';
import { present } from '../lib/present.ts';
import type { Random } from '../lib/random.ts';
import type { Scrubber } from '../lib/secret.ts';
import { Agenda } from '../schedule/agenda.ts';
import type { AgendaItem } from '../schedule/agenda-item.ts';
import { maxStalenessOf } from '../schedule/demand.ts';
import { intervalsOf } from '../schedule/plan.ts';
import { Planner } from '../schedule/planner.ts';
import { Poller, type PollerEvents } from '../schedule/poller.ts';
import { AccountPersistence } from '../state/account-persistence.ts';
import { AccountState } from '../state/account-state.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import type { RestoredAccount } from '../state/stored-account.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import type { SloPolicy } from '../windows/groups.ts';
import { AccountLogger } from './account-logger.ts';
import { accountService } from './account-service.ts';
import {
  type BudgetParts,
  budgetDocuments,
  restoreBudget,
  restoreBudgetAfterChange,
} from './budget-persistence.ts';

/** What is stored of the checks and transactions that are still watched: a filter holds from the start on. */
function filterRestored(
  restored: RestoredAccount,
  filter: ListFilter | undefined,
): RestoredAccount {
  if (filter === undefined) return restored;
  const { checks, transactions } = restored;
  const kept = { checks: checks?.filter(filter), transactions: transactions?.filter(filter) };
  return { ...restored, ...present(kept) };
}

const stuckAfterMilliseconds = 120_000;

export interface AccountRuntimeOptions {
  readonly settings: AccountSettings;
  readonly store: Store;
  /** Objectives and groups; the same object while they do not change. */
  readonly slo: () => SloPolicy;
  readonly metrics: ExporterMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly scrubber: Scrubber;
  /** What the page shows of this account may have changed. */
  readonly onChange: () => void;
}

/** Everything that belongs to one account, from its connections to its state. */
export class AccountRuntime {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #filter: ListFilter | undefined;
  readonly #state: AccountState;
  readonly #persistence: AccountPersistence;
  readonly #saving: Coalescer;
  readonly #budget: Budget;
  readonly #transport: HttpClient;
  readonly #agenda: Agenda;
  readonly #planner: Planner;
  readonly #newPoller: () => Poller;
  #poller: Poller;

  constructor(options: AccountRuntimeOptions) {
    const { settings, store, metrics, clock, random, log, scrubber, onChange } = options;
    const { name: account, byCountry = false, datasets = {} } = settings;
    const { concurrency = defaultConcurrency } = settings;
    const { responseTimeBounds = defaultResponseTimeBounds } = settings;
    const accountLog = new AccountLogger(log, account);
    this.#name = account;
    this.#clock = clock;
    this.#filter = settings.filter;
    this.#persistence = new AccountPersistence({ store, account, clock });
    this.#saving = new Coalescer(() => this.#save(accountLog));
    this.#budget = new Budget({
      clock,
      random,
      ...present({
        reserve: settings.reserve,
        fallbackRequestsPerHour: settings.fallbackRequestsPerHour,
      }),
      onModeChange: (mode) => log.info({ account, mode }, 'source of the request budget changed'),
    });
    const { transport, service } = accountService(settings, {
      gate: this.#budget,
      clock,
      scrubber,
      onAttempt: (exchange) => metrics.exchange({ account, ...exchange }),
    });
    this.#transport = transport;
    this.#state = new AccountState({
      account,
      apiVersion: service.version,
      baseUrl: service.baseUrl,
      clock,
      responseTimeBounds,
      maxStaleness: maxStalenessOf(datasets),
      persist: (change) => this.#persistence.persistTotals(change),
      slo: options.slo,
      onSenselessTag: (tag) => accountLog.senselessTag(tag),
      onGroupsDropped: (groups) => metrics.labelValuesDropped(account, 'group', groups),
    });
    const refreshes = createRefreshes({
      service,
      state: this.#state,
      clock,
      responseTimeBounds,
      byCountry,
    });
    this.#agenda = new Agenda({ random });
    this.#planner = new Planner({
      agenda: this.#agenda,
      datasets: new Set(refreshes.keys()),
      choices: datasets,
      onPlan: (plan, material) => {
        this.#state.planned(intervalsOf(plan));
        if (material) accountLog.planned(plan);
      },
    });
    const events: PollerEvents = {
      changed: onChange,
      refreshed: (item, rejected) => {
        const { dataset } = item;
        for (const { reason } of rejected) metrics.rejected(account, dataset, reason, 1);
        accountLog.refreshed(item, this.snapshot().datasets[dataset]?.items ?? 0, rejected);
        if (dataset === 'checks' || dataset === 'transactions') {
          accountLog.retain((known) => this.#exists(known));
        }
        this.#saving.ask();
      },
      failed: (item, error) => {
        metrics.datasetFailed(account, item.dataset, error.reason);
        accountLog.failed(item, error);
        this.#saving.ask();
      },
      storeFailed: (error) => accountLog.storeFailed(error),
    };
    this.#newPoller = () =>
      new Poller({
        state: this.#state,
        refreshes,
        agenda: this.#agenda,
        planner: this.#planner,
        budget: this.#budget,
        clock,
        concurrency,
        events,
      });
    this.#poller = this.#newPoller();
  }

  /** Takes up what the store has, under the same settings or under `changed` ones; before `start`. */
  async restore(settings: 'same' | 'changed'): Promise<void> {
    const { documents, ...restored } = await this.#persistence.load();
    this.#state.restore(filterRestored(restored, this.#filter));
    const restoreKnown = settings === 'same' ? restoreBudget : restoreBudgetAfterChange;
    restoreKnown(this.#budgetParts(), documents);
  }

  start(): void {
    this.#poller.start();
  }

  /** Ends what is under way and stores what is known; `start` goes on from there. */
  async pause(): Promise<void> {
    await this.#poller.stop();
    this.#poller = this.#newPoller();
    this.#saving.ask();
    await this.#saving.idle();
  }

  /** What is told for a day when it is not watched any more. */
  departed(): DepartedAccount {
    return { name: this.#name, ...this.#state.retiredOutages() };
  }

  /** Ends the connections of an account that is not polled, for good. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** Pauses and closes. */
  async stop(): Promise<void> {
    await this.pause();
    await this.close();
  }

  snapshot(): AccountSnapshot {
    return this.#state.snapshot();
  }

  budget(): BudgetView {
    return this.#budget.view();
  }

  schedule(): ScheduleView {
    const { demandPerSecond = 0, datasets = [] } = this.#planner.current ?? {};
    const missing = datasets.map(({ name, missingPerHour }) => [name, missingPerHour / 3600]);
    return {
      demandRequestsPerSecond: demandPerSecond,
      missingRequestsPerSecond: Object.fromEntries(missing),
      items: this.#agenda.counts().classes,
      oldestDueSeconds: this.#agenda.oldestDueSeconds(this.#clock.monotonic()),
    };
  }

  /** What the status page shows besides the snapshot and the budget. */
  statusDetails(): Pick<AccountStatus, 'recent' | 'past' | 'plan'> {
    const state = this.#state;
    const { recentChecks, recentTransactions } = state;
    const plan = this.#planner.current;
    return {
      recent: { checks: recentChecks, transactions: recentTransactions },
      past: {
        ofCheck: (id) => state.checkPast(id),
        ofTransaction: (id) => state.transactionPast(id),
      },
      ...(plan !== undefined && { plan }),
    };
  }

  get alive(): boolean {
    return this.#poller.silentFor < stuckAfterMilliseconds;
  }

  #exists({ dataset, id }: AgendaItem): boolean {
    const { scope } = datasetPolicies[dataset];
    if (scope === 'account') return true;
    return (
      (scope === 'check' ? this.#state.checks : this.#state.transactions).get(id) !== undefined
    );
  }

  #budgetParts(): BudgetParts {
    return { budget: this.#budget, agenda: this.#agenda, clock: this.#clock };
  }

  async #save(accountLog: AccountLogger): Promise<void> {
    try {
      await this.#persistence.persistParts(this.#state, budgetDocuments(this.#budgetParts()));
      accountLog.stored();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      accountLog.storeFailed(error);
    }
  }
}
