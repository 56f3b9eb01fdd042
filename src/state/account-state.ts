import type { ApiError } from '../api/errors.ts';
import { type Check, isDown } from '../domain/check.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { SecondsByState } from '../domain/totals.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { ApiVersion } from '../domain/version.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { type EventTally, startEventTally } from '../tally/event-tally.ts';
import { defaultSloPolicy, type SloPolicy } from '../windows/groups.ts';
import type { HourlyAverages } from '../windows/hourly-averages.ts';
import { type LastOutage, lastOutages, type ResponseQuantiles } from '../windows/last-outages.ts';
import type { FormerOutage } from '../windows/outages.ts';
import { missingPast } from '../windows/past.ts';
import type { ItemStates } from '../windows/reported-states.ts';
import { type StateHistory, unknownHistory } from '../windows/state-history.ts';
import { windowEnd } from '../windows/window-seconds.ts';
import type { AccountData } from './account-data.ts';
import { AccountOutages, outageEntryOfCheck, outageEntryOfTransaction } from './account-outages.ts';
import {
  AccountWindows,
  type WindowedEntry,
  windowedCheck,
  windowedTransaction,
} from './account-windows.ts';
import { alertTotals } from './alert-totals.ts';
import { type CheckItemDetails, type CheckItems, createCheckItems } from './check-items.ts';
import {
  type AccountOutageChange,
  CommitQueue,
  type Persist,
  type TotalsChange,
} from './commit-queue.ts';
import { type CountingReach, countingReach, LateSeconds } from './counting-progress.ts';
import { DatasetTrackers, type MaxStaleness } from './dataset-tracker.ts';
import { formerCheckRows, formerTransactionRows } from './former-rows.ts';
import { endedMaintenance, MaintenanceCalendar, type OccurrencesOf } from './maintenance.ts';
import { type MaintenanceRead, maintenanceChange, sameMaintenance } from './maintenance-change.ts';
import { RecentStates } from './recent-states.ts';
import type { AccountSnapshot, AlertTotal, DatasetStatus } from './snapshot.ts';
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
  /** The service's clock, by which everything is counted; that of this machine unless told otherwise. */
  readonly serviceClock?: Pick<Clock, 'now'>;
  readonly persist: Persist;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
  /** How old the data of a dataset may be to be shown, in seconds. */
  readonly maxStaleness?: MaxStaleness;
  /** Objectives and groups; the same object while they do not change. */
  readonly slo?: () => SloPolicy;
  /** A tag looks like an objective and makes none; told once for each. */
  readonly onSenselessTag?: (tag: string) => void;
  /** So many groups more than before are beyond those that the configuration allows. */
  readonly onGroupsDropped?: (groups: number) => void;
}

/** What people are told of the past of a check or a transaction, whatever its age. */
export interface ItemPast {
  /** Newest first. */
  readonly outages: readonly LastOutage[];
  /** States of 35 days; absent for one that was always up. */
  readonly history?: StateHistory;
  readonly hourlyAverages?: HourlyAverages;
  readonly quantiles?: ResponseQuantiles;
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
  readonly checkWindows: AccountWindows;
  readonly transactionWindows: AccountWindows;
  readonly #checkOutages = new AccountOutages();
  readonly #transactionOutages = new AccountOutages();
  #unknownPast = new Set<number>();
  /** Raised whenever budgets or outages may have changed. */
  #moment = 0;
  #period = Number.NaN;
  #groups: { readonly moment: number; readonly shown: ReturnType<AccountWindows['groupsOf']> } = {
    moment: -1,
    shown: { rows: [], dropped: 0 },
  };
  readonly #serviceClock: Pick<Clock, 'now'>;
  /** Undefined until the service was heard: they are counted from then on. */
  #alerts: EventTally | undefined;
  /** Undefined when it is to be worked out anew. */
  #alertsSent: readonly AlertTotal[] | undefined;
  readonly #late = new LateSeconds();
  #accountData: AccountData = {};

  constructor(options: AccountStateOptions) {
    const { clock, persist } = options;
    this.#options = options;
    this.#serviceClock = options.serviceClock ?? clock;
    this.#datasets = new DatasetTrackers(clock, options.maxStaleness);
    this.#commitQueue = new CommitQueue({
      persist: persist,
      apply: (change) => this.#apply(change),
    });
    this.checks = createCheckItems();
    this.transactions = createTransactionItems();
    this.recentChecks = new RecentStates(this.checks);
    this.recentTransactions = new RecentStates(this.transactions);
    const slo = options.slo ?? lasting(defaultSloPolicy());
    const onSenselessTag = once(options.onSenselessTag ?? (() => {}));
    this.checkWindows = new AccountWindows(slo, onSenselessTag);
    this.transactionWindows = new AccountWindows(slo, onSenselessTag);
  }

  get accountData(): AccountData {
    return this.#accountData;
  }

  /** When a check is in maintenance, from the earliest horizon on. */
  get occurrencesOf(): OccurrencesOf {
    return this.#maintenance.occurrencesOf;
  }

  get transactionOccurrencesOf(): OccurrencesOf {
    return this.#maintenance.transactionOccurrencesOf;
  }

  /** What people are told of the past of a check; undefined when there is no such check. */
  checkPast(id: number): ItemPast | undefined {
    const record = this.checks.get(id);
    if (record === undefined) return undefined;
    const { totals, details } = record;
    const { hourlyAverages, quantiles, notes } = details;
    return {
      outages: lastOutages(totals, notes?.value),
      ...(totals.history !== undefined && { history: totals.history }),
      ...(hourlyAverages !== undefined && { hourlyAverages: hourlyAverages.value }),
      ...(quantiles !== undefined && { quantiles: quantiles.value }),
    };
  }

  transactionPast(id: number): ItemPast | undefined {
    const record = this.transactions.get(id);
    if (record === undefined) return undefined;
    const { hourlyAverages } = record.details;
    return {
      outages: lastOutages(record.totals),
      ...(record.totals.history !== undefined && { history: record.totals.history }),
      ...(hourlyAverages !== undefined && { hourlyAverages: hourlyAverages.value }),
    };
  }

  /** The states of a check over 35 days; undefined when there is no such check. */
  checkStates(id: number): ItemStates | undefined {
    const record = this.checks.get(id);
    return record && this.#itemStates(record.totals, windowedCheck(record.entry));
  }

  transactionStates(id: number): ItemStates | undefined {
    const record = this.transactions.get(id);
    if (record === undefined) return undefined;
    const { entry, totals } = record;
    return this.#itemStates(totals, windowedTransaction(entry, totals.states.state));
  }

  #itemStates(known: StateTotals, entry: WindowedEntry): ItemStates {
    const { createdAtSeconds } = entry;
    const endSeconds = windowEnd(known, entry, unixSeconds(this.#serviceClock));
    return { known, createdAtSeconds, endSeconds };
  }

  get outages(): Required<AccountOutageChange> {
    return { checks: this.#checkOutages.current, transactions: this.#transactionOutages.current };
  }

  /** The outages of the checks as the list of now shows them; absent when nothing changed. From a list that is not whole none is gone. */
  listedCheckOutages(isWhole: boolean): AccountOutageChange | undefined {
    const nowSeconds = unixSeconds(this.#serviceClock);
    const maintenance = this.#maintenance.at(nowSeconds)?.ofCheck;
    const { current } = this.#checkOutages;
    const checks = this.#checkOutages.listed({
      entries: [...this.checks.records()]
        .filter(({ entry }) => isDown(entry.status) || current.items.has(entry.id))
        .map(({ entry, totals }) => outageEntryOfCheck(entry, totals.states.outageSinceSeconds)),
      isInMaintenance: (id) => maintenance?.(id).active === true,
      isListed: (id) => !isWhole || this.checks.get(id) !== undefined,
      nowSeconds,
    });
    return checks === current ? undefined : { checks };
  }

  listedTransactionOutages(isWhole: boolean): AccountOutageChange | undefined {
    const nowSeconds = unixSeconds(this.#serviceClock);
    const maintenance = this.#maintenance.at(nowSeconds)?.ofTransaction;
    const { current } = this.#transactionOutages;
    const transactions = this.#transactionOutages.listed({
      entries: [...this.transactions.records()].map(({ entry, totals }) =>
        outageEntryOfTransaction(entry, totals.states.outageSinceSeconds),
      ),
      isInMaintenance: (id) => maintenance?.(id).active === true,
      isListed: (id) => !isWhole || this.transactions.get(id) !== undefined,
      nowSeconds,
    });
    return transactions === current ? undefined : { transactions };
  }

  /** What is told of an account that is not watched any more: everything is over. */
  retiredOutages(): Record<'checks' | 'transactions', readonly FormerOutage[]> {
    const nowSeconds = unixSeconds(this.#serviceClock);
    return {
      checks: this.#checkOutages.retired(nowSeconds),
      transactions: this.#transactionOutages.retired(nowSeconds),
    };
  }

  get alerts(): EventTally {
    this.#alerts ??= startEventTally(unixSeconds(this.#serviceClock));
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
      // Rounded up, so that not every answer makes another plan.
      ...(this.#unknownPast.size > 0 && {
        checksWithUnknownPast: 2 ** Math.ceil(Math.log2(this.#unknownPast.size)),
      }),
    };
  }

  /** Everything before it is booked, for every check; now, when there is none. */
  get earliestHorizonSeconds(): number {
    let earliest = unixSeconds(this.#serviceClock);
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
    if (countedTo !== undefined) return Math.max(0, unixSeconds(this.#serviceClock) - countedTo);
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
    const now = unixSeconds(this.#serviceClock);
    const gone = this.checks.list(checks, totalsOf, isWhole, now);
    this.#findUnknownPast();
    this.changes.markPart('checks');
    this.#alertsSent = undefined;
    this.succeeded('checks', checks.length);
    for (const id of gone) {
      this.changes.markCheckDetails(id);
      this.checkWindows.forget(id);
    }
    return gone;
  }

  /** Whose past can be asked for: what was there at first sight is settled. */
  checksWithUnknownPast(): number[] {
    return [...this.#unknownPast].filter((id) => {
      const states = this.checks.get(id)?.totals.states;
      return states !== undefined && states.horizonSeconds > states.startSeconds;
    });
  }

  pastKnown(id: number): void {
    this.#unknownPast.delete(id);
  }

  /** The same for the transactions. */
  listTransactions(
    transactions: readonly Transaction[],
    totalsOf: (transaction: Transaction) => StateTotals,
    isWhole: boolean = true,
  ): ReadonlySet<number> {
    const now = unixSeconds(this.#serviceClock);
    const gone = this.transactions.list(transactions, totalsOf, isWhole, now);
    this.changes.markPart('transactions');
    this.succeeded('transactions', transactions.length);
    for (const id of gone) {
      this.changes.markTransactionDetails(id);
      this.transactionWindows.forget(id);
    }
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
    if (facts.maintenance === undefined) return;
    this.#maintenance.set(facts.maintenance, unixSeconds(this.#serviceClock));
    this.#accountData = {
      ...this.#accountData,
      maintenance: this.#maintenance.read ?? facts.maintenance,
    };
    this.#move();
  }

  /**
   * Takes over maintenance that was read. Time that was counted before it was known is added to what was spent
   * in maintenance; what is maintenance no more stays counted. Rejects when it cannot be made durable.
   */
  async learnMaintenance(read: MaintenanceRead): Promise<void> {
    if (sameMaintenance(this.#accountData.maintenance, read)) return;
    const nowSeconds = unixSeconds(this.#serviceClock);
    await this.commit(() => {
      const known = this.#accountData.maintenance;
      const ended = endedMaintenance(read, known, nowSeconds);
      return maintenanceChange(known, { ...read, ended }, this.checks.records());
    });
  }

  /** How far the counters of the checks reach, and what was counted late since the start. */
  get counting(): CountingReach & { readonly lateSeconds: SecondsByState } {
    const reach = countingReach(this.checks.records(), unixSeconds(this.#serviceClock));
    return { ...reach, lateSeconds: this.#late.seconds };
  }

  /** How one dataset is doing; undefined for one that was never spoken of. */
  snapshotOf(dataset: DatasetName): DatasetStatus | undefined {
    return this.#datasets.statuses()[dataset];
  }

  /** Goes on where a stored state ended; before anything is refreshed. */
  restore(restored: RestoredAccount): void {
    const { checks, transactions, facts = {}, datasets = [], alerts } = restored;
    const { responseTimeBounds } = this.#options;
    const checkTotals = [...restored.checkTotals].map(
      ([id, totals]) => [id, withHistory(resumedTotals(totals, responseTimeBounds))] as const,
    );
    this.checks.restore({
      entries: checks,
      totals: new Map(checkTotals),
      details: restored.checkDetails,
    });
    this.transactions.restore({
      entries: transactions,
      totals: new Map(
        [...restored.transactionTotals].map(([id, totals]) => [id, withHistory(totals)]),
      ),
      details: restored.transactionDetails,
    });
    if (restored.outages !== undefined) this.#adoptOutages(restored.outages);
    this.#findUnknownPast();
    this.setAccountData(facts);
    this.#move();
    if (alerts !== undefined) this.#alerts = alerts;
    this.#alertsSent = undefined;
    this.#datasets.restore(datasets);
  }

  /** The last success of each dataset. */
  successes(): DatasetSuccess[] {
    return this.#datasets.successes();
  }

  /** Changes totals; `compute` sees those of the change before. Rejects when they cannot be made durable. */
  async commit(compute: () => TotalsChange | Promise<TotalsChange>): Promise<void> {
    let outages: AccountOutageChange | undefined;
    try {
      await this.#commitQueue.commit(async () => {
        const change = await compute();
        outages = change.outages;
        return change;
      });
    } catch (error) {
      // Alerts stand on it: what is down now is told even if it would be forgotten by a crash.
      if (outages !== undefined) {
        this.#adoptOutages(outages);
        this.changes.markPart('outages');
      }
      throw error;
    }
    this.#move();
  }

  succeeded(dataset: DatasetName, items: number): void {
    this.#datasets.of(dataset).succeeded(items);
    this.changes.markPart('datasets');
  }

  failed(dataset: DatasetName, error: ApiError): void {
    this.#datasets.of(dataset).failed(error);
  }

  /** Entries in the last successful refresh of a dataset; 0 before the first. */
  itemsIn(dataset: DatasetName): number {
    return this.#datasets.itemsIn(dataset);
  }

  snapshot(): AccountSnapshot {
    const { account, apiVersion, baseUrl } = this.#options;
    const datasets = this.#datasets.statuses();
    const { checks } = datasets;
    const { maintenance: _, ...facts } = this.#accountData;
    const period = Math.floor(this.#options.clock.monotonic() / agingPeriodMilliseconds);
    if (period !== this.#period) this.#move();
    this.#period = period;
    if (this.checkWindows.adoptPolicy()) this.#moment += 1;
    if (this.transactionWindows.adoptPolicy()) this.#moment += 1;
    const now = this.#maintenance.at(unixSeconds(this.#serviceClock));
    this.#moveOutages();
    const moment = this.#moment;
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
        checks: this.checks.rows({
          isFresh,
          period,
          moment,
          maintenanceOf: now?.ofCheck,
          budgetOf: ({ entry, totals }) =>
            this.checkWindows.budgetOf(
              windowedCheck(entry),
              totals,
              this.#maintenance.occurrencesOf(entry.id),
            ),
          outageOf: (id) => this.#checkOutages.of(id),
        }),
        ...this.#shownGroups(),
      }),
      ...this.#formerRows(),
      ...(datasets.transactions?.lastSuccessAtSeconds !== undefined && {
        transactions: this.transactions.rows({
          isFresh,
          period,
          moment,
          maintenanceOf: now?.ofTransaction,
          budgetOf: ({ entry, totals }) =>
            this.transactionWindows.budgetOf(
              windowedTransaction(entry, totals.states.state),
              totals,
              this.#maintenance.transactionOccurrencesOf(entry.id),
            ),
          outageOf: (id) => this.#transactionOutages.of(id),
        }),
      }),
    };
  }

  #apply({ checks, transactions, alerts, maintenance, outages }: TotalsChange): void {
    if (outages !== undefined) this.#adoptOutages(outages);
    if (maintenance !== undefined) this.setAccountData({ maintenance });
    const nowSeconds = unixSeconds(this.#serviceClock);
    const { intervalSeconds } = this.#datasets.of('checks');
    for (const [id, totals] of checks ?? []) {
      const before = this.checks.get(id)?.totals;
      if (before !== undefined && totals !== null) {
        this.#late.counted(before, totals, nowSeconds, intervalSeconds);
      }
      this.checks.apply(id, totals);
    }
    for (const [id, totals] of transactions ?? []) this.transactions.apply(id, totals);
    if (alerts === undefined) return;
    this.#alerts = alerts;
    this.#alertsSent = undefined;
  }

  #findUnknownPast(): void {
    this.#unknownPast = new Set();
    for (const { entry, totals } of this.checks.records()) {
      if (missingPast(totals, entry) !== undefined) this.#unknownPast.add(entry.id);
    }
  }

  #adoptOutages({ checks, transactions }: AccountOutageChange): void {
    if (checks !== undefined && this.#checkOutages.adopt(checks)) this.#moment += 1;
    if (transactions !== undefined && this.#transactionOutages.adopt(transactions)) {
      this.#moment += 1;
    }
  }

  /** Windows end later than before. */
  #move(): void {
    const nowSeconds = unixSeconds(this.#serviceClock);
    this.checkWindows.moveTo(nowSeconds);
    this.transactionWindows.moveTo(nowSeconds);
    this.#moment += 1;
  }

  #moveOutages(): void {
    const nowSeconds = unixSeconds(this.#serviceClock);
    const now = this.#maintenance.at(nowSeconds);
    const changed = [
      this.#checkOutages.move((id) => now?.ofCheck(id).active === true, nowSeconds),
      this.#transactionOutages.move((id) => now?.ofTransaction(id).active === true, nowSeconds),
    ];
    if (!changed.includes(true)) return;
    this.#moment += 1;
    this.changes.markPart('outages');
  }

  #shownGroups(): Pick<AccountSnapshot, 'groups'> {
    if (this.#groups.moment !== this.#moment) {
      const records = [...this.checks.records()].map(({ entry, totals }) => ({
        entry: windowedCheck(entry),
        totals,
        occurrences: this.#maintenance.occurrencesOf(entry.id),
      }));
      const shown = this.checkWindows.groupsOf(records);
      const more = shown.dropped - this.#groups.shown.dropped;
      if (more > 0) this.#options.onGroupsDropped?.(more);
      this.#groups = { moment: this.#moment, shown };
    }
    const { rows } = this.#groups.shown;
    return rows.length === 0 ? {} : { groups: rows };
  }

  #formerRows(): Pick<AccountSnapshot, 'formerChecks' | 'formerTransactions'> {
    const { checks, transactions } = this.outages;
    const ofChecks = formerCheckRows(checks, (id) => this.checks.get(id) !== undefined);
    const isTransaction = (id: number) => this.transactions.get(id) !== undefined;
    const ofTransactions = formerTransactionRows(transactions, isTransaction);
    return {
      ...(ofChecks.length > 0 && { formerChecks: ofChecks }),
      ...(ofTransactions.length > 0 && { formerTransactions: ofTransactions }),
    };
  }

  #currentAlerts(): readonly AlertTotal[] {
    if (this.#alerts === undefined) return [];
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

/** Who has failed and has no history was stored before there were histories, and its past is not known. */
function withHistory<T extends StateTotals>(totals: T): T {
  const { seconds, state } = totals.states;
  const wasUp = state === 'up' && seconds.down + seconds.unknown + seconds.unmonitored === 0;
  return totals.history !== undefined || wasUp ? totals : { ...totals, history: unknownHistory };
}

function lasting<T>(value: T): () => T {
  return () => value;
}

/** Tells of each text once. */
function once(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    told.add(text);
    tell(text);
  };
}
