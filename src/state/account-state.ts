import type { ApiError } from '../api/errors.ts';
import type { Check } from '../domain/check.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { ApiVersion } from '../domain/version.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { type EventTally, startEventTally } from '../tally/event-tally.ts';
import type { AccountData } from './account-data.ts';
import { alertTotals } from './alert-totals.ts';
import { type CheckItemDetails, type CheckItems, createCheckItems } from './check-items.ts';
import { CommitQueue, type Persist, type TotalsChange } from './commit-queue.ts';
import { DatasetTrackers, type MaxStaleness } from './dataset-tracker.ts';
import { MaintenanceCalendar, type OccurrencesOf } from './maintenance.ts';
import { RecentStates } from './recent-states.ts';
import type { AccountSnapshot, AlertTotal } from './snapshot.ts';
import { ChangeLog, type DatasetSuccess, type RestoredAccount } from './stored-account.ts';
import { type CheckTotals, resumedTotals, type StateTotals } from './totals.ts';
import {
  createTransactionItems,
  type TransactionItemDetails,
  type TransactionItems,
} from './transaction-items.ts';

export interface AccountStateOptions {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly persist: Persist;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
  /** How old the data of a dataset may be to be shown, in seconds. */
  readonly maxStaleness?: MaxStaleness;
}

/** Findings grow old slowly: this often it is looked which have become too old to be shown. */
const agingPeriodMilliseconds = 60_000;

/**
 * The last known data of one account. A failed refresh takes nothing away; age does. Lists, findings and
 * facts are shown as they come, totals only when they are durable.
 */
export class AccountState {
  readonly #options: AccountStateOptions;
  readonly #datasets: DatasetTrackers;
  readonly #maintenance = new MaintenanceCalendar();
  readonly #commitQueue: CommitQueue;
  readonly checks: CheckItems;
  readonly transactions: TransactionItems;
  readonly recentChecks: RecentStates;
  readonly recentTransactions: RecentStates;
  /** What is to be stored. */
  readonly changes = new ChangeLog();
  #alerts: EventTally;
  /** Undefined when it is to be worked out anew. */
  #alertsSent: readonly AlertTotal[] | undefined;
  #accountData: AccountData = {};

  constructor(options: AccountStateOptions) {
    const { clock, persist } = options;
    this.#options = options;
    this.#datasets = new DatasetTrackers(clock, options.maxStaleness);
    this.#commitQueue = new CommitQueue({
      persist: persist,
      apply: (change) => this.#apply(change),
    });
    this.checks = createCheckItems();
    this.transactions = createTransactionItems();
    this.recentChecks = new RecentStates(this.checks);
    this.recentTransactions = new RecentStates(this.transactions);
    this.#alerts = startEventTally(unixSeconds(clock));
  }

  get accountData(): AccountData {
    return this.#accountData;
  }

  /** When a check is in maintenance, from the earliest horizon on. */
  get occurrencesOf(): OccurrencesOf {
    return this.#maintenance.occurrencesOf;
  }

  get alerts(): EventTally {
    return this.#alerts;
  }

  /** How much there is to refresh. */
  get size() {
    const intervals = [...this.transactions.records()].flatMap(
      ({ entry }) => entry.intervalSeconds ?? [],
    );
    return {
      version: this.#options.apiVersion,
      checks: this.checks.size,
      transactions: this.transactions.size,
      ...(intervals.length > 0 && { shortestTransactionSeconds: Math.min(...intervals) }),
    };
  }

  /** Everything before it is booked, for every check; now, when there is none. */
  get earliestHorizonSeconds(): number {
    let earliest = unixSeconds(this.#options.clock);
    for (const { totals } of this.checks.records()) {
      earliest = Math.min(earliest, totals.states.horizonSeconds);
    }
    return earliest;
  }

  /** Age of the data of one item (0 for the account); absent when there are none. */
  ageSeconds(dataset: DatasetName, id: number): number | undefined {
    const { clock } = this.#options;
    if (id === 0) return this.#datasets.of(dataset).ageSeconds;
    const countedTo = countedUntil(dataset, this.checks.get(id)?.totals);
    if (countedTo !== undefined) return Math.max(0, unixSeconds(clock) - countedTo);
    const at = this.checks.fetchedAt(id, dataset) ?? this.transactions.fetchedAt(id, dataset);
    return at === undefined ? undefined : (clock.monotonic() - at) / 1000;
  }

  /** Every how many seconds each dataset is to be refreshed from now on. Others are not refreshed, nor shown, any more. */
  planned(intervals: ReadonlyMap<DatasetName, number>): void {
    this.#datasets.planned(intervals);
  }

  /**
   * Takes over a list; the answer holds the ids of checks that are gone. From one that is not whole nothing
   * is gone. The totals of what is gone are to be booked with the mark that `checks.departed` gives them.
   */
  listChecks(
    checks: readonly Check[],
    totalsOf: (check: Check) => CheckTotals,
    isWhole: boolean = true,
  ): ReadonlySet<number> {
    const now = unixSeconds(this.#options.clock);
    const gone = this.checks.list(checks, totalsOf, isWhole, now);
    this.changes.markPart('checks');
    this.#alertsSent = undefined;
    this.succeeded('checks', checks.length);
    for (const id of gone) this.changes.markCheckDetails(id);
    return gone;
  }

  /** The same for the transactions. */
  listTransactions(
    transactions: readonly Transaction[],
    totalsOf: (transaction: Transaction) => StateTotals,
    isWhole: boolean = true,
  ): ReadonlySet<number> {
    const now = unixSeconds(this.#options.clock);
    const gone = this.transactions.list(transactions, totalsOf, isWhole, now);
    this.changes.markPart('transactions');
    this.succeeded('transactions', transactions.length);
    for (const id of gone) this.changes.markTransactionDetails(id);
    return gone;
  }

  setCheckDetail<K extends keyof CheckItemDetails>(
    id: number,
    name: K,
    value: CheckItemDetails[K],
  ): void {
    this.checks.setDetail(id, name, value, this.#options.clock.monotonic());
    this.changes.markCheckDetails(id);
  }

  setTransactionDetail<K extends keyof TransactionItemDetails>(
    id: number,
    name: K,
    value: TransactionItemDetails[K],
  ): void {
    this.transactions.setDetail(id, name, value, this.#options.clock.monotonic());
    this.changes.markTransactionDetails(id);
  }

  setAccountData(facts: AccountData): void {
    this.#accountData = { ...this.#accountData, ...facts };
    this.changes.markPart('facts');
    if (facts.maintenance !== undefined) this.#maintenance.set(facts.maintenance);
  }

  /** Goes on where a stored state ended; before anything is refreshed. */
  restore(restored: RestoredAccount): void {
    const { checks, transactions, facts = {}, datasets = [], alerts } = restored;
    const { responseTimeBounds } = this.#options;
    const checkTotals = [...restored.checkTotals].map(
      ([id, totals]) => [id, resumedTotals(totals, responseTimeBounds)] as const,
    );
    this.checks.restore({
      entries: checks,
      totals: new Map(checkTotals),
      details: restored.checkDetails,
    });
    this.transactions.restore({
      entries: transactions,
      totals: restored.transactionTotals,
      details: restored.transactionDetails,
    });
    this.setAccountData(facts);
    if (alerts !== undefined) this.#alerts = alerts;
    this.#alertsSent = undefined;
    this.#datasets.restore(datasets);
  }

  /** The last success of each dataset. */
  successes(): DatasetSuccess[] {
    return this.#datasets.successes();
  }

  /** Changes totals; `compute` sees those of the change before. Rejects when they cannot be made durable. */
  commit(compute: () => TotalsChange | Promise<TotalsChange>): Promise<void> {
    return this.#commitQueue.commit(compute);
  }

  succeeded(dataset: DatasetName, items: number): void {
    this.#datasets.of(dataset).succeeded(items);
    this.changes.markPart('datasets');
  }

  failed(dataset: DatasetName, error: ApiError): void {
    this.#datasets.of(dataset).failed(error);
  }

  snapshot(): AccountSnapshot {
    const { account, apiVersion, baseUrl } = this.#options;
    const datasets = this.#datasets.statuses();
    const { checks } = datasets;
    const { maintenance: _, ...facts } = this.#accountData;
    const now = this.#maintenance.at(unixSeconds(this.#options.clock));
    const period = Math.floor(this.#options.clock.monotonic() / agingPeriodMilliseconds);
    const isFresh = (dataset: DatasetName, at: number) => this.#datasets.of(dataset).isFresh(at);
    return {
      account,
      apiVersion,
      baseUrl,
      up: !checks.stale && checks.failure === undefined,
      datasets,
      ...facts,
      ...(now !== undefined && { maintenance: now.shown }),
      ...(datasets.actions !== undefined && { alertsSent: this.#currentAlerts() }),
      ...(checks.lastSuccessAtSeconds !== undefined && {
        checks: this.checks.rows({ isFresh, period, maintenanceOf: now?.ofCheck }),
      }),
      ...(datasets.transactions?.lastSuccessAtSeconds !== undefined && {
        transactions: this.transactions.rows({
          isFresh,
          period,
          maintenanceOf: now?.ofTransaction,
        }),
      }),
    };
  }

  #apply({ checks, transactions, alerts }: TotalsChange): void {
    for (const [id, totals] of checks ?? []) this.checks.apply(id, totals);
    for (const [id, totals] of transactions ?? []) this.transactions.apply(id, totals);
    if (alerts === undefined) return;
    this.#alerts = alerts;
    this.#alertsSent = undefined;
  }

  #currentAlerts(): readonly AlertTotal[] {
    this.#alertsSent ??= alertTotals(this.#alerts, this.checks);
    return this.#alertsSent;
  }
}

/** Up to when what a dataset brings has been counted; absent for a dataset that counts nothing. */
function countedUntil(dataset: DatasetName, totals: CheckTotals | undefined): number | undefined {
  switch (dataset) {
    case 'outages':
      return totals?.states.horizonSeconds;
    case 'results':
      return totals?.results.watermark.atSeconds;
    case 'analyses':
      return totals?.analyses.watermark.atSeconds;
    default:
      return undefined;
  }
}
