import type { ApiError } from '../api/errors.ts';
import type { AccountData } from '../domain/account.ts';
import type { Check } from '../domain/check.ts';
import type { DatasetName, ItemId } from '../domain/dataset.ts';
import type { SecondsByState } from '../domain/totals.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { ApiVersion } from '../domain/version.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { EventTally } from '../tally/event-tally.ts';
import { defaultOutagePolicy } from '../windows/outage-policy.ts';
import { type FormerOutage, noOutages } from '../windows/outages.ts';
import { AccountSize, type StateSize } from './account-size.ts';
import { AccountTotals } from './account-totals.ts';
import { AccountBackfill } from './backfill/account-backfill.ts';
import type { AccountOutageChange, Persist } from './commit-queue.ts';
import type { CountingReach } from './counting-progress.ts';
import { CurrentSnapshot, type PassingOfTime } from './current-snapshot.ts';
import { DatasetTrackers, type MaxStaleness } from './dataset-tracker.ts';
import { type CheckItemDetails, type CheckItems, createCheckItems } from './items/check-items.ts';
import { FirstSight } from './items/first-sight.ts';
import { RecentStates } from './items/recent-states.ts';
import {
  type CheckTotals,
  countedUntil,
  restoredCheckTotals,
  type StateTotals,
} from './items/totals.ts';
import {
  createTransactionItems,
  type TransactionItemDetails,
  type TransactionItems,
} from './items/transaction-items.ts';
import { UnknownPast } from './items/unknown-past.ts';
import { MaintenanceCalendar, type OccurrencesOf } from './maintenance.ts';
import { type MaintenanceRead, maintenanceChange, sameMaintenance } from './maintenance-change.ts';
import type { AccountSnapshot } from './snapshot.ts';
import { AccountStanding, type SloOptions } from './standing/account-standing.ts';
import { ChangeLog, type RestoredAccount } from './stored-account.ts';

export interface AccountStateOptions extends SloOptions {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  /** Names the store; undefined before it is read. */
  readonly storeId?: () => string | undefined;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The service's clock, by which everything is counted; that of this machine by default. */
  readonly serviceClock?: Pick<Clock, 'now'>;
  readonly persist: Persist;
  /** Makes documents durable that are no totals; by default nothing is stored. */
  readonly persistDocuments?: (documents: DocumentChanges) => Promise<void>;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
  /** How old the data of a dataset may be to be shown, in seconds. */
  readonly maxStaleness?: MaxStaleness;
}

/**
 * The last known data of one account. A failed refresh takes nothing away; age does. Lists, details and account data are
 * shown as they come, totals only when they are durable. A change costs what it changes, whatever the number of checks.
 */
export class AccountState {
  readonly #options: AccountStateOptions;
  readonly #serviceClock: Pick<Clock, 'now'>;
  /** How the refreshes of each dataset are doing. */
  readonly datasets: DatasetTrackers;
  readonly checks: CheckItems = createCheckItems();
  readonly transactions: TransactionItems = createTransactionItems();
  readonly recentChecks = new RecentStates(this.checks);
  readonly recentTransactions = new RecentStates(this.transactions);
  /** What is to be stored. */
  readonly changes = new ChangeLog();
  readonly #maintenance = new MaintenanceCalendar({
    checks: this.checks,
    transactions: this.transactions,
  });
  readonly #standing: AccountStanding;
  /** What is counted; it changes by commits. */
  readonly totals: AccountTotals;
  readonly #current: CurrentSnapshot;
  /** Checks whose states before they were first seen are still to be read. */
  readonly unknownPast = new UnknownPast(this.checks);
  /** What is still to be read of checks that were seen for the first time. */
  readonly firstSight = new FirstSight(this.checks, this.unknownPast);
  readonly #size = new AccountSize(this.checks, this.transactions, this.unknownPast);
  /** History from before the first sight of the items. */
  readonly backfill: AccountBackfill;
  #accountData: AccountData = {};

  constructor(options: AccountStateOptions) {
    const { account, apiVersion, baseUrl, storeId = () => undefined, clock, persist } = options;
    this.#options = options;
    this.#serviceClock = options.serviceClock ?? clock;
    this.datasets = new DatasetTrackers(clock, options.maxStaleness);
    const items = { checks: this.checks, transactions: this.transactions };
    this.#standing = new AccountStanding({
      ...options,
      ...{ ...items, maintenance: this.#maintenance },
    });
    const parts = { datasets: this.datasets, standing: this.#standing, changes: this.changes };
    this.totals = new AccountTotals({
      ...{ ...parts, ...items, persist },
      setMaintenance: (maintenance) => this.setAccountData({ maintenance }),
      nowSeconds: () => this.#nowSeconds,
    });
    this.backfill = new AccountBackfill({
      ...items,
      outagePolicy: options.outagePolicy ?? (() => defaultOutagePolicy),
      persist: options.persistDocuments ?? (async () => {}),
      nowSeconds: () => this.#nowSeconds,
    });
    this.#current = new CurrentSnapshot({
      ...{ ...parts, account, apiVersion, baseUrl, storeId, clock },
      ...{ alerts: this.totals.alerts, maintenance: this.#maintenance },
    });
  }

  get accountData(): AccountData {
    return this.#accountData;
  }

  /** When a check is in maintenance, from the earliest horizon on. */
  get occurrencesOf(): OccurrencesOf {
    return this.#maintenance.occurrencesOf;
  }

  get outages(): Required<AccountOutageChange> {
    return this.#standing.outages;
  }

  /** When time alone changes what is shown of outages next, in UNIX seconds; infinity when it does not. */
  get outagesExpireAtSeconds(): number {
    return this.#standing.outagesExpireAtSeconds;
  }

  /** The outages as a list shows them now; undefined when nothing changed. From a list that is not complete none is gone. */
  listedOutages(
    kind: 'checks' | 'transactions',
    isComplete: boolean,
  ): AccountOutageChange | undefined {
    return this.#standing.listed(kind, isComplete, this.#nowSeconds);
  }

  /** What is shown of an account that is no longer monitored: everything is over. */
  retiredOutages(): Record<'checks' | 'transactions', readonly FormerOutage[]> {
    return this.#standing.retired(this.#nowSeconds);
  }

  /** Their list is no longer read: what was shown is over, and nothing is known of others. */
  retireTransactionOutages(): void {
    const { transactions } = this.#standing.outages;
    if (transactions.items.size === 0 && !transactions.isKnown) return;
    const { transactions: former } = this.retiredOutages();
    this.#standing.applyOutages({ transactions: { ...noOutages, former } });
    this.changes.markPart('outages');
  }

  get alerts(): EventTally {
    return this.totals.alerts.tally(this.#nowSeconds);
  }

  /** How much there is to refresh. */
  get size(): StateSize & { readonly version: ApiVersion; readonly backfillRequests?: number } {
    const { refreshes } = this.backfill.job;
    return {
      version: this.#options.apiVersion,
      ...this.#size.current,
      ...(refreshes > 0 && { backfillRequests: refreshes }),
    };
  }

  /** Everything before it is counted, for every check; now, if there are no checks. */
  get earliestHorizonSeconds(): number {
    return this.totals.progress.earliestHorizonSeconds(this.#nowSeconds);
  }

  /** Age of the data of one item, or of the account; undefined when there are none. */
  ageSeconds(dataset: DatasetName, id: ItemId): number | undefined {
    if (id === 'account') return this.datasets.of(dataset).ageSeconds;
    const countedTo = countedUntil(dataset, this.checks.get(id)?.totals);
    if (countedTo !== undefined) return Math.max(0, this.#nowSeconds - countedTo);
    const at = this.checks.fetchedAt(id, dataset) ?? this.transactions.fetchedAt(id, dataset);
    return at === undefined ? undefined : (this.#options.clock.monotonic() - at) / 1000;
  }

  /** How often each dataset is refreshed from now on, in seconds. Others are no longer refreshed, nor shown. */
  planned(intervals: ReadonlyMap<DatasetName, number>): void {
    this.datasets.planned(intervals);
  }

  /**
   * Takes over a list; returns the ids of checks that are gone, which is none when the list is not complete. The totals
   * of what is gone are to be committed with the mark that `checks.departed` gives them.
   */
  listChecks(
    checks: readonly Check[],
    totalsOf: (check: Check) => CheckTotals,
    isComplete: boolean = true,
  ): ReadonlySet<number> {
    const { added, gone } = this.checks.list(checks, totalsOf, isComplete, this.#nowSeconds);
    this.unknownPast.added(added);
    this.firstSight.added(added);
    this.totals.progress.changed();
    this.changes.markPart('checks');
    if (this.backfill.listed('check', added)) this.changes.markPart('firstSeen');
    for (const id of gone) {
      this.changes.markCheckDetails(id);
      this.#standing.forgetCheck(id);
    }
    this.#standing.moveWindows(this.#nowSeconds);
    this.succeeded('checks', checks.length);
    return gone;
  }

  /** The same for the transactions. */
  listTransactions(
    transactions: readonly Transaction[],
    totalsOf: (transaction: Transaction) => StateTotals,
    isComplete: boolean = true,
  ): ReadonlySet<number> {
    const listed = this.transactions.list(transactions, totalsOf, isComplete, this.#nowSeconds);
    const { added, gone } = listed;
    this.changes.markPart('transactions');
    if (this.backfill.listed('transaction', added)) this.changes.markPart('firstSeen');
    for (const id of gone) {
      this.changes.markTransactionDetails(id);
      this.#standing.forgetTransaction(id);
    }
    this.moveWindows();
    this.succeeded('transactions', transactions.length);
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

  setAccountData(data: AccountData): void {
    this.#accountData = { ...this.#accountData, ...data };
    this.changes.markPart('accountData');
    if (data.maintenance === undefined) return;
    this.#maintenance.set(data.maintenance, this.#nowSeconds);
    const maintenance = this.#maintenance.read ?? data.maintenance;
    this.#accountData = { ...this.#accountData, maintenance };
    this.#standing.moveWindows(this.#nowSeconds);
  }

  /**
   * Takes over maintenance that was read. Time that was counted before it was known is added to what was spent
   * in maintenance; what is maintenance no more stays counted. Rejects when it cannot be made durable.
   */
  async setMaintenance(read: MaintenanceRead): Promise<void> {
    if (sameMaintenance(this.#accountData.maintenance, read)) return;
    const nowSeconds = this.#nowSeconds;
    await this.totals.commit(() =>
      maintenanceChange(this.#accountData.maintenance, read, this.checks.records(), nowSeconds),
    );
  }

  /** How far the counters of the checks reach, and what was counted late since the start. */
  get counting(): CountingReach & { readonly lateSeconds: SecondsByState } {
    const { progress } = this.totals;
    return { ...progress.reach(this.#nowSeconds), lateSeconds: progress.late.seconds };
  }

  /** Continues from a stored state; before anything is refreshed. */
  restore(restored: RestoredAccount): void {
    const { checks, transactions, accountData = {}, datasets = [], alerts, outages } = restored;
    const { responseTimeBounds } = this.#options;
    this.checks.restore({
      entries: checks,
      totals: restoredCheckTotals(restored.checkTotals, responseTimeBounds),
      details: restored.checkDetails,
    });
    this.transactions.restore({
      entries: transactions,
      totals: restored.transactionTotals,
      details: restored.transactionDetails,
    });
    if (outages !== undefined) this.#standing.applyOutages(outages);
    this.unknownPast.added(this.checks.ids());
    this.firstSight.added(this.checks.ids());
    this.totals.progress.changed();
    this.setAccountData(accountData);
    this.#standing.moveWindows(this.#nowSeconds);
    if (alerts !== undefined) this.totals.alerts.restore(alerts);
    this.datasets.restore(datasets);
    this.backfill.restore(restored.documents ?? new DocumentSet());
  }

  succeeded(dataset: DatasetName, items: number): void {
    this.datasets.of(dataset).succeeded(items);
    this.changes.markPart('datasets');
  }

  failed(dataset: DatasetName, error: ApiError): void {
    this.datasets.of(dataset).failed(error);
  }

  /** What time alone changes of a snapshot; equal while nothing became stale, and no maintenance began or ended. */
  passingOfTime(): PassingOfTime {
    return this.#current.passingOfTime(this.#nowSeconds);
  }

  /** Does a slice of the next snapshot's work, so that scrapes are answered meanwhile. Returns whether more is left. */
  prepareSnapshot(): boolean {
    return this.#current.prepare(this.#nowSeconds);
  }

  /** What is known now. Rows that did not change since the last snapshot are the same objects, and so are lists of such rows. */
  snapshot(): AccountSnapshot {
    return this.#current.take(this.#accountData, this.#nowSeconds);
  }

  /** Lets all windows end now, in the next snapshot. */
  moveWindows(): void {
    this.#standing.moveWindows(this.#nowSeconds);
  }

  get #nowSeconds(): number {
    return unixSeconds(this.#serviceClock);
  }
}
