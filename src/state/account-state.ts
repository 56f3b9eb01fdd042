import type { ApiError } from '../api/errors.ts';
import type { ApiVersion } from '../domain/api-version.ts';
import type { Check } from '../domain/check.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { Transaction } from '../domain/transaction.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { type EventTally, startEventTally } from '../tally/event-tally.ts';
import type { AccountFacts } from './account-facts.ts';
import type { AccountSnapshot, DatasetStatuses } from './account-snapshot.ts';
import { alertTotals } from './alert-totals.ts';
import { ChangeLog } from './changes.ts';
import { type CheckFindings, type CheckRoster, createCheckRoster } from './check-roster.ts';
import { type CheckTotals, resumedTotals, type StateTotals } from './check-totals.ts';
import { DatasetTracker } from './dataset-tracker.ts';
import { type Keep, Ledger, type TotalsChange } from './ledger.ts';
import { type MaintenanceNow, maintenanceAt } from './maintenance-now.ts';
import { type Occurrences, occurrencesByItem } from './occurrences.ts';
import { RecentStates } from './recent-states.ts';
import type { DatasetSuccess, Restored } from './restored.ts';
import {
  createTransactionRoster,
  type TransactionFindings,
  type TransactionRoster,
} from './transaction-roster.ts';

export interface AccountStateOptions {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly keep: Keep;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
}

/** Findings grow old slowly: this often it is looked which have become too old to be shown. */
const agingPeriodMilliseconds = 60_000;

/**
 * The last known data of one account. A failed refresh takes nothing away; age does. Lists, findings and
 * facts are shown as they come, totals only when they are durable.
 */
export class AccountState {
  readonly #options: AccountStateOptions;
  readonly #trackers = new Map<DatasetName, DatasetTracker>();
  readonly #checkTracker: DatasetTracker;
  readonly #ledger: Ledger;
  readonly checks: CheckRoster;
  readonly transactions: TransactionRoster;
  readonly recentChecks = new RecentStates();
  readonly recentTransactions = new RecentStates();
  /** What is to be stored. */
  readonly changes = new ChangeLog();
  /** Totals from the store, of items that the next list may still have. */
  #unlistedChecks = new Map<number, CheckTotals>();
  #unlistedTransactions = new Map<number, StateTotals>();
  #alerts: EventTally;
  #facts: AccountFacts = {};
  #maintenance: MaintenanceNow | undefined;
  #occurrences: Occurrences = occurrencesByItem(undefined);

  constructor(options: AccountStateOptions) {
    const { clock, keep } = options;
    this.#options = options;
    this.#checkTracker = new DatasetTracker(clock);
    this.#trackers.set('checks', this.#checkTracker);
    this.#ledger = new Ledger({ keep, adopt: (change) => this.#adopt(change) });
    this.checks = createCheckRoster();
    this.transactions = createTransactionRoster();
    this.#alerts = startEventTally(unixSeconds(clock));
  }

  get facts(): AccountFacts {
    return this.#facts;
  }

  /** Who is in maintenance when, from the earliest horizon on. */
  get occurrences(): Occurrences {
    return this.#occurrences;
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

  /** Everything before it is booked, for every check and transaction; now, when there is none. */
  get earliestHorizonSeconds(): number {
    let earliest = unixSeconds(this.#options.clock);
    for (const roster of [this.checks, this.transactions]) {
      for (const { totals } of roster.records()) {
        earliest = Math.min(earliest, totals.states.horizonSeconds);
      }
    }
    return earliest;
  }

  /** Age of the data of one item (0 for the account); absent when there are none. */
  ageSeconds(dataset: DatasetName, id: number): number | undefined {
    const { clock } = this.#options;
    if (id === 0) return this.#tracker(dataset).ageSeconds;
    const countedTo = countedUntil(dataset, this.checks.get(id)?.totals);
    if (countedTo !== undefined) return Math.max(0, unixSeconds(clock) - countedTo);
    const at = this.checks.fetchedAt(id, dataset) ?? this.transactions.fetchedAt(id, dataset);
    return at === undefined ? undefined : (clock.monotonic() - at) / 1000;
  }

  /** How often a dataset is to be refreshed from now on. */
  planned(dataset: DatasetName, intervalSeconds: number): void {
    this.#tracker(dataset).planned(intervalSeconds);
  }

  /**
   * Takes over a list; the answer holds the ids of checks that are gone. From one that is not whole nothing
   * is gone.
   */
  listChecks(
    checks: readonly Check[],
    totalsOf: (check: Check) => CheckTotals,
    isWhole: boolean = true,
  ): ReadonlySet<number> {
    const known = this.#unlistedChecks;
    const gone = this.checks.list(
      checks,
      (check) => known.get(check.id) ?? totalsOf(check),
      isWhole,
    );
    if (isWhole) this.#unlistedChecks = new Map();
    this.changes.part('checks');
    this.succeeded('checks', checks.length);
    for (const id of gone) {
      this.changes.checkFinding(id);
      this.recentChecks.forget(id);
    }
    return isWhole ? unlisted(gone, known, this.checks) : gone;
  }

  /** The same for the transactions. */
  listTransactions(
    transactions: readonly Transaction[],
    totalsOf: (transaction: Transaction) => StateTotals,
    isWhole: boolean = true,
  ): ReadonlySet<number> {
    const known = this.#unlistedTransactions;
    const gone = this.transactions.list(
      transactions,
      (transaction) => known.get(transaction.id) ?? totalsOf(transaction),
      isWhole,
    );
    if (isWhole) this.#unlistedTransactions = new Map();
    this.changes.part('transactions');
    this.succeeded('transactions', transactions.length);
    for (const id of gone) {
      this.changes.transactionFinding(id);
      this.recentTransactions.forget(id);
    }
    return isWhole ? unlisted(gone, known, this.transactions) : gone;
  }

  foundOfCheck<K extends keyof CheckFindings>(id: number, name: K, value: CheckFindings[K]): void {
    this.checks.find(id, name, value, this.#options.clock.monotonic());
    this.changes.checkFinding(id);
  }

  foundOfTransaction<K extends keyof TransactionFindings>(
    id: number,
    name: K,
    value: TransactionFindings[K],
  ): void {
    this.transactions.find(id, name, value, this.#options.clock.monotonic());
    this.changes.transactionFinding(id);
  }

  learn(facts: AccountFacts): void {
    this.#facts = { ...this.#facts, ...facts };
    this.changes.part('facts');
    if (facts.maintenance === undefined) return;
    this.#maintenance = undefined;
    this.#occurrences = occurrencesByItem(facts.maintenance);
  }

  /** Goes on where a stored state ended; before anything is refreshed. */
  restore(restored: Restored): void {
    const { checks = [], transactions = [], facts = {}, datasets = [], alerts } = restored;
    const { responseTimeBounds } = this.#options;
    this.#unlistedChecks = new Map(
      [...restored.checkTotals].map(([id, totals]) => [
        id,
        resumedTotals(totals, responseTimeBounds),
      ]),
    );
    this.#unlistedTransactions = new Map(restored.transactionTotals);
    for (const entry of checks) {
      const totals = this.#unlistedChecks.get(entry.id);
      const findings = restored.checkFindings.get(entry.id) ?? {};
      if (totals !== undefined) this.checks.put({ entry, totals, findings });
    }
    for (const entry of transactions) {
      const totals = restored.transactionTotals.get(entry.id);
      const findings = restored.transactionFindings.get(entry.id) ?? {};
      if (totals !== undefined) this.transactions.put({ entry, totals, findings });
    }
    this.learn(facts);
    if (alerts !== undefined) this.#alerts = alerts;
    for (const { name, ...success } of datasets) this.#tracker(name).restore(success);
  }

  /** The last success of each dataset. */
  successes(): DatasetSuccess[] {
    return [...this.#trackers].flatMap(([name, tracker]) => {
      const { lastSuccessAtSeconds: atSeconds, items, intervalSeconds } = tracker.status;
      if (atSeconds === undefined) return [];
      return { name, atSeconds, items: items ?? 0, ...(intervalSeconds && { intervalSeconds }) };
    });
  }

  /** Changes totals; `compute` sees those of the change before. Rejects when they cannot be made durable. */
  book(compute: () => TotalsChange | Promise<TotalsChange>): Promise<void> {
    return this.#ledger.book(compute);
  }

  succeeded(dataset: DatasetName, items: number): void {
    this.#tracker(dataset).succeeded(items);
    this.changes.part('datasets');
  }

  failed(dataset: DatasetName, error: ApiError): void {
    this.#tracker(dataset).failed(error);
  }

  snapshot(): AccountSnapshot {
    const { account, apiVersion, baseUrl } = this.#options;
    const checks = this.#checkTracker.status;
    const statuses = [...this.#trackers].map(([name, tracker]) => [name, tracker.status]);
    const datasets: DatasetStatuses = { ...Object.fromEntries(statuses), checks };
    const { maintenance, ...facts } = this.#facts;
    const now = this.#maintenanceNow();
    const period = Math.floor(this.#options.clock.monotonic() / agingPeriodMilliseconds);
    const isFresh = (dataset: DatasetName, at: number) => this.#tracker(dataset).isFresh(at);
    return {
      account,
      apiVersion,
      baseUrl,
      up: !checks.stale && checks.failure === undefined,
      datasets,
      ...facts,
      ...(maintenance !== undefined &&
        now !== undefined && { maintenance: { ...maintenance, activeIds: now.activeIds } }),
      ...(datasets.actions !== undefined && { alertsSent: alertTotals(this.#alerts, this.checks) }),
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

  #maintenanceNow(): MaintenanceNow | undefined {
    const { maintenance } = this.#facts;
    if (maintenance === undefined) return undefined;
    const now = unixSeconds(this.#options.clock);
    if (this.#maintenance === undefined || now >= this.#maintenance.untilSeconds) {
      this.#maintenance = maintenanceAt(maintenance.windows, maintenance.occurrences, now);
    }
    return this.#maintenance;
  }

  #adopt({ checks, transactions, alerts }: TotalsChange): void {
    for (const [id, totals] of checks ?? []) this.checks.book(id, totals);
    for (const [id, totals] of transactions ?? []) this.transactions.book(id, totals);
    if (alerts !== undefined) this.#alerts = alerts;
  }

  #tracker(dataset: DatasetName): DatasetTracker {
    const known = this.#trackers.get(dataset);
    if (known !== undefined) return known;
    const tracker = new DatasetTracker(this.#options.clock);
    this.#trackers.set(dataset, tracker);
    return tracker;
  }
}

/** The ids that are to be forgotten: those that the list has dropped, and stored ones that it does not have. */
function unlisted(
  gone: ReadonlySet<number>,
  known: ReadonlyMap<number, unknown>,
  listed: { get(id: number): unknown },
): ReadonlySet<number> {
  return new Set([...gone, ...[...known.keys()].filter((id) => listed.get(id) === undefined)]);
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
