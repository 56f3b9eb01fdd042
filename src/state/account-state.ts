import type { ApiError } from '../api/errors.ts';
import type { Check } from '../domain/check.ts';
import type { DatasetName, ItemId } from '../domain/dataset.ts';
import type { SecondsByState } from '../domain/totals.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { ApiVersion } from '../domain/version.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { EventTally } from '../tally/event-tally.ts';
import { defaultSloPolicy, type SloPolicy } from '../windows/groups.ts';
import type { FormerOutage } from '../windows/outages.ts';
import { unknownHistory } from '../windows/state-history.ts';
import type { AccountData } from './account-data.ts';
import { AccountStanding } from './account-standing.ts';
import { AlertTotals } from './alert-totals.ts';
import { type CheckItemDetails, type CheckItems, createCheckItems } from './check-items.ts';
import {
  type AccountOutageChange,
  CommitQueue,
  type Persist,
  type TotalsChange,
} from './commit-queue.ts';
import { CountingProgress, type CountingReach, LateSeconds } from './counting-progress.ts';
import { DatasetTrackers, type MaxStaleness } from './dataset-tracker.ts';
import { endedMaintenance, MaintenanceCalendar, type OccurrencesOf } from './maintenance.ts';
import { type MaintenanceRead, maintenanceChange, sameMaintenance } from './maintenance-change.ts';
import { RecentStates } from './recent-states.ts';
import type { AccountSnapshot, MaintenanceSnapshot } from './snapshot.ts';
import { ChangeLog, type DatasetSuccess, type RestoredAccount } from './stored-account.ts';
import { type CheckTotals, resumedTotals, type StateTotals } from './totals.ts';
import {
  createTransactionItems,
  type TransactionItemDetails,
  type TransactionItems,
} from './transaction-items.ts';
import { UnknownPast } from './unknown-past.ts';

export interface AccountStateOptions {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The service's clock, by which everything is counted; that of this machine by default. */
  readonly serviceClock?: Pick<Clock, 'now'>;
  readonly persist: Persist;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
  /** How old the data of a dataset may be to be shown, in seconds. */
  readonly maxStaleness?: MaxStaleness;
  /** Objectives and groups; the same object while they do not change. */
  readonly slo?: () => SloPolicy;
  /** Called once for each tag that looks like an objective and makes none. */
  readonly onSenselessTag?: (tag: string) => void;
  /** So many groups more than before are beyond those that the configuration allows. */
  readonly onGroupsDropped?: (groups: number) => void;
}

/** What time alone changes of a snapshot. */
export interface PassingOfTime {
  /** Names of datasets without fresh data. */
  readonly stale: string;
  readonly maintenance?: MaintenanceSnapshot;
}

/** Windows end later at least this often. */
const windowsPeriodMilliseconds = 60_000;

/**
 * The last known data of one account. A failed refresh takes nothing away; age does. Lists, details and
 * account data are shown as they come, totals only when they are durable. A change costs what it changes,
 * whatever the number of checks.
 */
export class AccountState {
  readonly #options: AccountStateOptions;
  readonly #serviceClock: Pick<Clock, 'now'>;
  readonly #datasets: DatasetTrackers;
  readonly #commitQueue: CommitQueue;
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
  readonly #counting = new CountingProgress(() => this.checks.records());
  readonly #late = new LateSeconds();
  readonly #unknownPast = new UnknownPast(this.checks);
  readonly #alerts = new AlertTotals(this.checks);
  #accountData: AccountData = {};
  #windowsPeriod = Number.NaN;
  #shortestTransaction: { readonly version: number; readonly seconds: number | undefined } = {
    version: -1,
    seconds: undefined,
  };

  constructor(options: AccountStateOptions) {
    const { clock, persist, slo, onSenselessTag = () => {}, onGroupsDropped = () => {} } = options;
    this.#options = options;
    this.#serviceClock = options.serviceClock ?? clock;
    this.#datasets = new DatasetTrackers(clock, options.maxStaleness);
    this.#commitQueue = new CommitQueue({ persist, apply: (change) => this.#apply(change) });
    this.#standing = new AccountStanding({
      ...{ checks: this.checks, transactions: this.transactions, maintenance: this.#maintenance },
      ...{ slo: slo ?? lasting(defaultSloPolicy()), onSenselessTag, onGroupsDropped },
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

  /** The outages of the checks as the list shows them now; undefined when nothing changed. From a list that is not complete none is gone. */
  listedCheckOutages(isComplete: boolean): AccountOutageChange | undefined {
    return this.#standing.listed('checks', isComplete, this.#nowSeconds);
  }

  listedTransactionOutages(isComplete: boolean): AccountOutageChange | undefined {
    return this.#standing.listed('transactions', isComplete, this.#nowSeconds);
  }

  /** What is shown of an account that is no longer monitored: everything is over. */
  retiredOutages(): Record<'checks' | 'transactions', readonly FormerOutage[]> {
    return this.#standing.retired(this.#nowSeconds);
  }

  get alerts(): EventTally {
    return this.#alerts.tally(this.#nowSeconds);
  }

  /** How much there is to refresh. */
  get size() {
    const { size: unknown } = this.#unknownPast;
    const shortest = this.#shortestTransactionSeconds();
    return {
      version: this.#options.apiVersion,
      checks: this.checks.size,
      transactions: this.transactions.size,
      ...(shortest !== undefined && { shortestTransactionSeconds: shortest }),
      // Rounded up, so that not every answer makes another plan.
      ...(unknown > 0 && { checksWithUnknownPast: 2 ** Math.ceil(Math.log2(unknown)) }),
    };
  }

  /** Everything before it is counted, for every check; now, when there is none. */
  get earliestHorizonSeconds(): number {
    return this.#counting.earliestHorizonSeconds(this.#nowSeconds);
  }

  /** Age of the data of one item, or of the account; undefined when there are none. */
  ageSeconds(dataset: DatasetName, id: ItemId): number | undefined {
    if (id === 'account') return this.#datasets.of(dataset).ageSeconds;
    const countedTo = countedUntil(dataset, this.checks.get(id)?.totals);
    if (countedTo !== undefined) return Math.max(0, this.#nowSeconds - countedTo);
    const at = this.checks.fetchedAt(id, dataset) ?? this.transactions.fetchedAt(id, dataset);
    return at === undefined ? undefined : (this.#options.clock.monotonic() - at) / 1000;
  }

  /** How often each dataset is refreshed from now on, in seconds. Others are no longer refreshed, nor shown. */
  planned(intervals: ReadonlyMap<DatasetName, number>): void {
    this.#datasets.planned(intervals);
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
    this.#unknownPast.added(added);
    this.#counting.changed();
    this.changes.markPart('checks');
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
    const now = this.#nowSeconds;
    const { gone } = this.transactions.list(transactions, totalsOf, isComplete, now);
    this.changes.markPart('transactions');
    for (const id of gone) {
      this.changes.markTransactionDetails(id);
      this.#standing.forgetTransaction(id);
    }
    this.#standing.moveWindows(now);
    this.succeeded('transactions', transactions.length);
    return gone;
  }

  /** Another number when `checksWithUnknownPast` may be others. */
  get unknownPastVersion(): number {
    return this.#unknownPast.version;
  }

  /** Checks whose past can be asked for. */
  checksWithUnknownPast(): number[] {
    return this.#unknownPast.answerable();
  }

  pastKnown(id: number): void {
    this.#unknownPast.known(id);
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
    this.changes.markPart('facts');
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
    await this.commit(() => {
      const known = this.#accountData.maintenance;
      const ended = endedMaintenance(read, known, nowSeconds);
      return maintenanceChange(known, { ...read, ended }, this.checks.records());
    });
  }

  /** How far the counters of the checks reach, and what was counted late since the start. */
  get counting(): CountingReach & { readonly lateSeconds: SecondsByState } {
    return { ...this.#counting.reach(this.#nowSeconds), lateSeconds: this.#late.seconds };
  }

  /** Continues from a stored state; before anything is refreshed. */
  restore(restored: RestoredAccount): void {
    const { checks, transactions, facts = {}, datasets = [], alerts, outages } = restored;
    const { responseTimeBounds } = this.#options;
    const checkTotals = new Map<number, CheckTotals>();
    for (const [id, totals] of restored.checkTotals) {
      checkTotals.set(id, withHistory(resumedTotals(totals, responseTimeBounds)));
    }
    this.checks.restore({
      entries: checks,
      totals: checkTotals,
      details: restored.checkDetails,
    });
    const transactionTotals = new Map<number, StateTotals>();
    for (const [id, totals] of restored.transactionTotals) {
      transactionTotals.set(id, withHistory(totals));
    }
    this.transactions.restore({
      entries: transactions,
      totals: transactionTotals,
      details: restored.transactionDetails,
    });
    if (outages !== undefined) this.#standing.adoptOutages(outages);
    this.#unknownPast.added(this.checks.ids());
    this.#counting.changed();
    this.setAccountData(facts);
    this.#standing.moveWindows(this.#nowSeconds);
    if (alerts !== undefined) this.#alerts.set(alerts);
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
      // Alerts stand on it: what is down now is shown even if it would be forgotten by a crash.
      if (outages !== undefined) {
        this.#standing.adoptOutages(outages);
        this.changes.markPart('outages');
      }
      throw error;
    }
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

  /** The planned interval of a dataset; undefined without a plan. */
  plannedIntervalSeconds(dataset: DatasetName): number | undefined {
    return this.#datasets.intervalSeconds(dataset);
  }

  /** Whether a check list was ever read. */
  get hasChecks(): boolean {
    return this.#datasets.of('checks').hasSucceeded;
  }

  /** What time alone changes of a snapshot; equal while nothing became stale, and no maintenance began or ended. */
  passingOfTime(): PassingOfTime {
    const maintenance = this.#maintenance.at(this.#nowSeconds)?.shown;
    return { stale: this.#datasets.stale(), ...(maintenance !== undefined && { maintenance }) };
  }

  /** What is known now. Rows that did not change since the last snapshot are the same objects, and so are lists of such rows. */
  snapshot(): AccountSnapshot {
    const { account, apiVersion, baseUrl, clock } = this.#options;
    const nowSeconds = this.#nowSeconds;
    const period = Math.floor(clock.monotonic() / windowsPeriodMilliseconds);
    if (period !== this.#windowsPeriod) this.#standing.moveWindows(nowSeconds);
    this.#windowsPeriod = period;
    const maintenance = this.#maintenance.at(nowSeconds);
    if (this.#standing.moveTo(nowSeconds)) this.changes.markPart('outages');
    const datasets = this.#datasets.statuses();
    const { checks } = datasets;
    const { maintenance: _, ...data } = this.#accountData;
    const freshSince = (dataset: DatasetName) => this.#datasets.of(dataset).freshSince;
    return {
      account,
      apiVersion,
      baseUrl,
      up: !checks.stale && checks.failure === undefined,
      datasets,
      ...data,
      ...(maintenance !== undefined && { maintenance: maintenance.shown }),
      ...(datasets.actions !== undefined && { alertsSent: this.#alerts.shown() }),
      ...(checks.lastSuccessAtSeconds !== undefined && this.#standing.checkRows(freshSince)),
      ...this.#standing.formerRows(),
      ...(datasets.transactions?.lastSuccessAtSeconds !== undefined &&
        this.#standing.transactionRows(freshSince)),
    };
  }

  get #nowSeconds(): number {
    return unixSeconds(this.#serviceClock);
  }

  #apply({ checks, transactions, alerts, maintenance, outages }: TotalsChange): void {
    if (outages !== undefined) this.#standing.adoptOutages(outages);
    if (maintenance !== undefined) this.setAccountData({ maintenance });
    const nowSeconds = this.#nowSeconds;
    const { intervalSeconds } = this.#datasets.of('checks');
    for (const [id, totals] of checks ?? []) {
      const before = this.checks.get(id)?.totals;
      if (before !== undefined && totals !== null && totals.states !== before.states) {
        this.#late.counted(before, totals, nowSeconds, intervalSeconds);
        this.#counting.changed();
      }
      this.checks.apply(id, totals);
    }
    for (const [id, totals] of transactions ?? []) this.transactions.apply(id, totals);
    if (alerts !== undefined) this.#alerts.set(alerts);
  }

  #shortestTransactionSeconds(): number | undefined {
    const version = this.transactions.entriesVersion;
    if (this.#shortestTransaction.version !== version) {
      let seconds: number | undefined;
      for (const { entry } of this.transactions.records()) {
        const { intervalSeconds } = entry;
        if (intervalSeconds !== undefined) {
          seconds = Math.min(seconds ?? intervalSeconds, intervalSeconds);
        }
      }
      this.#shortestTransaction = { version, seconds };
    }
    return this.#shortestTransaction.seconds;
  }
}

/** Until when the data of a dataset have been counted; undefined for a dataset that counts nothing. */
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
