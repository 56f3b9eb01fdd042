import type { AccountData } from '../domain/account.ts';
import type { DatasetName, DatasetSuccess, ItemId } from '../domain/dataset.ts';
import type { SecondsByState } from '../domain/totals.ts';
import type { ApiVersion } from '../domain/version.ts';
import { type Clock, unixSeconds, type WallClock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import { countedFrom } from '../slo/state-log.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import type { EventTally } from '../tally/event-tally.ts';
import { AccountSize, type StateSize } from './account-size.ts';
import { AccountTotals } from './account-totals.ts';
import { checkCounts } from './check-counts.ts';
import type { AccountOutageChange, StoreTotals } from './commit-queue.ts';
import type { CountingReach } from './counting-progress.ts';
import { DatasetTrackers, type MaxStaleness } from './dataset-tracker.ts';
import type { CheckItems } from './items/check-items.ts';
import { FirstSight } from './items/first-sight.ts';
import { FromEntries } from './items/from-entries.ts';
import type { ListKind } from './items/item-store.ts';
import { createItems, type ItemsOfKinds, type Kinds } from './items/items-of-kinds.ts';
import { OutageCauses } from './items/outage-causes.ts';
import type { LeaveReason } from './items/removed-items.ts';
import { countedUntil, restoredCheckTotals } from './items/totals.ts';
import type { TransactionItems } from './items/transaction-items.ts';
import type { ItemEvents } from './leaving.ts';
import { MaintenanceCalendar } from './maintenance.ts';
import { type MaintenanceRead, maintenanceChange, sameMaintenance } from './maintenance-change.ts';
import type { AccountSnapshot, AccountSummary, MaintenanceSnapshot } from './snapshot.ts';
import { AccountStanding, type StandingEvents } from './standing/account-standing.ts';
import type { Policies } from './standing/policies.ts';
import { ChangeLog, type RestoredAccount } from './stored-account.ts';
import { checkBegunAgain } from './totals-begun-again.ts';

interface AccountStateOptions {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  /** The id of the store; absent without a store. */
  readonly storeId?: string;
  readonly clock: Clock;
  /** The service's clock, by which all states are counted. */
  readonly serviceClock: WallClock;
  readonly storeTotals: StoreTotals;
  readonly policies: Policies;
  readonly events: ItemEvents & StandingEvents;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
  /** The maximum age in seconds of shown data, keyed by dataset. */
  readonly maxStaleness: MaxStaleness;
}

/** The parts of a snapshot that change without an event. */
interface PassingOfTime {
  /** Names of datasets without fresh data. */
  readonly stale: string;
  readonly maintenance?: MaintenanceSnapshot;
}

/** Building this many rows takes a few milliseconds, also if all items had many outages. */
const rowsPerSlice = 250;

/**
 * The last known data of one account. Data are no longer shown when they are too old, but a failed
 * refresh does not remove them. Lists, details and account data are shown as soon as they arrive,
 * totals only once they are durable. The cost of a change does not depend on the number of checks.
 */
export class AccountState {
  readonly #options: AccountStateOptions;
  readonly #serviceClock: WallClock;
  /** The age and the last failure of each dataset. */
  readonly datasets: DatasetTrackers;
  readonly #items = createItems();
  readonly checks: CheckItems = this.#items.check;
  readonly transactions: TransactionItems = this.#items.transaction;
  /** Changes that are not stored yet. */
  readonly changes = new ChangeLog();
  readonly maintenance = new MaintenanceCalendar(this.#items);
  /** Outages, error budgets and groups. */
  readonly standing: AccountStanding;
  /** The counters, which change only by commits. */
  readonly totals: AccountTotals;
  /** Data that newly seen checks still lack. */
  readonly firstSight = new FirstSight(this.checks);
  /** What is wanted of the causes of outages. */
  readonly causes = new OutageCauses(this.checks);
  readonly #size = new AccountSize(this);
  readonly #checkCounts = new FromEntries(this.checks, checkCounts);
  #accountData: Omit<AccountData, 'maintenance'> = {};
  /**
   * The limits allow the results of each check hourly. It stays true, because a counter that
   * disappears and returns would be a gap in its rate.
   */
  areResultsHourly = false;
  #listedChecks: number | undefined;
  #lastSnapshot: AccountSnapshot | undefined;

  constructor(options: AccountStateOptions) {
    const { clock, serviceClock, policies, events, storeTotals, maxStaleness } = options;
    const { checks, transactions, maintenance, changes } = this;
    const items = { checks, transactions, maintenance };
    this.#options = options;
    this.#serviceClock = serviceClock;
    this.datasets = new DatasetTrackers({ clock, serviceClock }, maxStaleness);
    this.standing = new AccountStanding({ ...items, clock, policies, events });
    const { datasets, standing } = this;
    const stored = { datasets, standing, changes };
    this.totals = new AccountTotals({ ...items, ...stored, clock, serviceClock, storeTotals });
  }

  get accountData(): Omit<AccountData, 'maintenance'> {
    return this.#accountData;
  }

  /** The outages after the last list; undefined without a change. See `ItemStanding`. */
  listedOutages(kind: ItemKind, isComplete: boolean): AccountOutageChange | undefined {
    return this.standing.listed(kind, isComplete, this.#nowSeconds);
  }

  get alerts(): EventTally {
    return this.totals.alerts.tally(this.#nowSeconds);
  }

  /** The number of items to refresh. */
  get size(): StateSize & { readonly version: ApiVersion } {
    return { version: this.#options.apiVersion, ...this.#size.now };
  }

  /** All time before this is counted for every check (UNIX seconds; without checks, now). */
  get earliestHorizonSeconds(): number {
    return this.totals.progress.earliestHorizonSeconds(this.#nowSeconds);
  }

  /** The age in seconds of the data of one item, or of the account; undefined without data. */
  ageSeconds(dataset: DatasetName, id: ItemId): number | undefined {
    if (id === 'account') return this.datasets.of(dataset).ageSeconds;
    const countedTo = countedUntil(dataset, this.checks.get(id)?.totals);
    if (countedTo !== undefined) return Math.max(0, this.#nowSeconds - countedTo);
    const at = this.checks.fetchedAt(id, dataset) ?? this.transactions.fetchedAt(id, dataset);
    return at === undefined ? undefined : (this.#options.clock.monotonic() - at) / 1000;
  }

  /**
   * Applies a list. The caller must then commit the totals that `itemsOf(kind).removed` has for
   * removed items.
   */
  list<K extends ItemKind>(
    kind: K,
    entries: readonly Kinds[K]['entry'][],
    totalsOf: (entry: Kinds[K]['entry']) => Kinds[K]['totals'],
    list: ListKind = { isComplete: true },
  ): void {
    const { added, relabelled, gone, excluded } = this.itemsOf(kind).list(
      { ...list, entries, nowSeconds: this.#nowSeconds },
      totalsOf,
    );
    if (kind === 'check') this.#listedChecks = entries.length + (list.excluded?.size ?? 0);
    this.changes.markPart(`${kind}s`);
    if (relabelled.length > 0) this.#options.events.relabelled(kind, relabelled);
    this.leave(kind, gone, 'list');
    this.leave(kind, excluded, 'filter');
    this.#arrive(kind, added);
    if (list.isComplete) this.#expire();
    this.standing.moveRanges(this.#nowSeconds);
    this.succeeded(`${kind}s`, entries.length, !list.isComplete);
  }

  /** Items are listed that were not, or not since they left. */
  #arrive(kind: ItemKind, added: readonly number[]): void {
    if (kind === 'check') {
      this.firstSight.added(added);
      this.totals.progress.changed();
    }
    if (added.length > 0) this.#options.events.arrived(kind, added);
  }

  itemsOf<K extends ItemKind>(kind: K): ItemsOfKinds[K] {
    return this.#items[kind];
  }

  /** Deletes the totals of items that left seven days ago, also of a kind that is not read. */
  #expire(): void {
    for (const kind of itemKinds) {
      const ids = this.itemsOf(kind).expire(this.#nowSeconds);
      if (ids.length > 0) this.#options.events.forgotten?.(kind, ids);
    }
  }

  /**
   * The one way out of an account that runs here. Closes the outages of these items, and forgets
   * them but for their totals, which wait in `removed` to be committed.
   */
  leave(kind: ItemKind, ids: readonly number[], why: LeaveReason): void {
    const items = this.itemsOf(kind);
    // Before the first response, this clock may be behind the service's.
    const horizons = ids.map((id) => items.get(id)?.totals.states.horizonSeconds ?? 0);
    const atSeconds = horizons.reduce((a, b) => Math.max(a, b), this.#nowSeconds);
    const leaving = { atSeconds, why };
    const left = items.leave(ids, leaving);
    const isRead = why !== 'dataset';
    if (this.standing.leave(kind, left, { ids, isRead, nowSeconds: atSeconds })) {
      this.changes.markPart('outages');
    }
    if (left.length === 0) return;
    this.changes.markPart(`${kind}s`);
    for (const { entry } of left) this.changes.markDetails(kind, entry.id);
    if (kind === 'check') {
      this.firstSight.left(left);
      this.totals.progress.changed();
    }
    this.#options.events.left(kind, left, leaving);
  }

  /** All items leave, and the outages of items that no list has end, too. */
  leaveAll(kind: ItemKind, why: LeaveReason): void {
    const items = this.itemsOf(kind);
    const outages = this.standing.outages[kind].items;
    this.leave(kind, [...new Set([...items.ids(), ...outages.keys()])], why);
    items.markRemoved(this.#nowSeconds);
  }

  setDetail<K extends ItemKind, D extends keyof Kinds[K]['details']>(
    kind: K,
    id: number,
    name: D,
    value: Kinds[K]['details'][D],
  ): void {
    this.itemsOf(kind).setDetail(id, name, value, this.#options.clock.monotonic());
    this.changes.markDetails(kind, id);
  }

  setAccountData(data: Omit<AccountData, 'maintenance'>): void {
    this.#accountData = { ...this.#accountData, ...data };
    this.changes.markPart('accountData');
  }

  /**
   * Applies maintenance that was read. Time that was counted before its maintenance was known is
   * added to the seconds in maintenance. Time that is no longer maintenance is not subtracted.
   * Rejects if the change cannot be made durable.
   */
  async setMaintenance(read: MaintenanceRead): Promise<void> {
    const nowSeconds = this.#nowSeconds;
    if (sameMaintenance(this.maintenance.read, read)) {
      this.maintenance.readAgain(nowSeconds);
      return;
    }
    try {
      await this.totals.commit(() =>
        maintenanceChange(this.maintenance.read, read, this.checks.records(), {
          readAtSeconds: this.maintenance.readAtSeconds,
          nowSeconds,
          keptFromSeconds: this.maintenance.keptFromSeconds(nowSeconds),
        }),
      );
    } catch (error) {
      // Maintenance silences alerts. So it is shown although it is not durable, and only the
      // counters wait.
      this.maintenance.showUnstored(read, this.#nowSeconds);
      this.succeeded('maintenance', read.windows.length);
      throw error;
    }
  }

  /** The time up to which checks are counted, and the seconds counted late since the start. */
  get counting(): CountingReach & { readonly lateSeconds: SecondsByState } {
    const { progress } = this.totals;
    return { ...progress.reach(this.#nowSeconds), lateSeconds: progress.late.seconds };
  }

  /** Continues from a stored state. Call it before anything is refreshed. */
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
    if (outages !== undefined) this.standing.applyOutages(outages);
    this.firstSight.added(this.checks.ids());
    this.totals.progress.changed();
    this.datasets.restore(datasets);
    const { maintenance, ...data } = accountData;
    this.setAccountData(data);
    if (maintenance !== undefined) this.maintenance.set(maintenance, this.#nowSeconds);
    this.maintenance.restored(this.datasets.serviceAtSeconds('maintenance'));
    const listedAt = (['checks', 'transactions'] as const).map(
      (dataset) => this.datasets.serviceAtSeconds(dataset) ?? 0,
    );
    this.standing.moveRanges(Math.max(...listedAt));
    if (alerts !== undefined) this.totals.alerts.restore(alerts);
    if (restored.mustBeginAgain) this.beginAgain();
  }

  /** All counters begin again at 0, at this moment. Call it before anything is counted. */
  beginAgain(): void {
    const now = this.#nowSeconds;
    this.checks.replaceTotals((totals) => checkBegunAgain(totals, now));
    this.transactions.replaceTotals((totals) => countedFrom(totals, now));
    this.totals.alerts.beginAgain(now);
    this.totals.progress.changed();
  }

  /** Rejects if it could not be stored that all counters have begun again. */
  storeBeginning(): Promise<void> {
    return this.totals.commit(() => ({
      checks: this.checks.totals(),
      transactions: this.transactions.totals(),
      alerts: this.alerts,
      beginsAgain: true,
    }));
  }

  /** The data are the newest although nothing was requested. */
  known(dataset: DatasetName, items: number): void {
    this.datasets.of(dataset).known(items);
    this.changes.markPart('datasets');
  }

  succeeded(dataset: DatasetName, items: number, isIncomplete = false): void {
    this.datasets.of(dataset).succeeded(items, isIncomplete);
    this.changes.markPart('datasets');
  }

  /** The last success of each dataset. Without maintenance while the report is not stored. */
  get storedSuccesses(): DatasetSuccess[] {
    const successes = this.datasets.successes();
    if (this.maintenance.isStored) return successes;
    return successes.filter(({ name }) => name !== 'maintenance');
  }

  /** The parts that change without an event: stale datasets, and maintenance. */
  passingOfTime(): PassingOfTime {
    const maintenance = this.maintenance.at(this.#nowSeconds)?.shown;
    return present({ stale: this.datasets.stale(), maintenance });
  }

  /** Builds rows of the next snapshot for a few milliseconds. Returns whether more are left. */
  prepareSnapshot(): boolean {
    this.#moveToPresent();
    const now = this.#options.clock.monotonic();
    return this.standing.prepareCheckRows(this.#freshSince, now, rowsPerSlice);
  }

  /** The present data. Unchanged rows and lists of rows are the same objects as before. */
  snapshot(): AccountSnapshot {
    const { account, apiVersion, baseUrl, storeId, clock } = this.#options;
    const { standing } = this;
    const maintenance = this.#moveToPresent();
    const datasets = this.datasets.statuses();
    const now = clock.monotonic();
    const areShown = {
      checks: datasets.checks.lastSuccessAtSeconds !== undefined,
      transactions: datasets.transactions?.lastSuccessAtSeconds !== undefined,
    };
    const alertsSent = datasets.actions && this.totals.alerts.shown(now);
    const checkRows = areShown.checks && standing.checkRows(this.#freshSince, now);
    const transactionRows =
      areShown.transactions && standing.transactionRows(this.#freshSince, now);
    this.#lastSnapshot = present({
      account,
      apiVersion,
      baseUrl,
      storeId,
      up: !datasets.checks.stale && datasets.checks.failure === undefined,
      datasets,
      ...this.#accountData,
      maintenance,
      alertsSent,
      ...checkRows,
      ...(areShown.checks && { checkCounts: this.#checkCounts.value }),
      ...standing.endedRows(areShown),
      ...standing.openOutages,
      ...transactionRows,
      ...(areShown.checks && { recentOutages: standing.recentOutages }),
      listedChecks: this.#listedChecks,
      areResultsHourly: this.areResultsHourly || undefined,
    });
    return this.#lastSnapshot;
  }

  /**
   * For a reader that must not block others: the present data, or the last snapshot while many rows
   * have to be built for a new one.
   */
  get recentSnapshot(): AccountSnapshot {
    const isLongWork = this.standing.checkRowsToBuild > rowsPerSlice;
    return isLongWork ? (this.#lastSnapshot ?? this.snapshot()) : this.snapshot();
  }

  /** The parts of a snapshot that need no rows. */
  get summary(): AccountSummary {
    const { account, apiVersion } = this.#options;
    return { account, apiVersion, datasets: this.datasets.statuses() };
  }

  #moveToPresent(): MaintenanceSnapshot | undefined {
    const nowSeconds = this.#nowSeconds;
    const now = this.maintenance.at(nowSeconds);
    if (this.standing.moveTo(nowSeconds)) this.changes.markPart('outages');
    return now?.shown;
  }

  readonly #freshSince = (dataset: DatasetName) => this.datasets.freshSince(dataset);

  get #nowSeconds(): number {
    return unixSeconds(this.#serviceClock);
  }
}
