import { type Check, lastTestFailed } from '../../domain/check.ts';
import type { DatasetName } from '../../domain/dataset.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { MonotonicClock } from '../../lib/clock.ts';
import { plainEqual } from '../../lib/plain-equal.ts';
import { present } from '../../lib/present.ts';
import type { ItemKind } from '../../store/store.ts';
import type { AccountOutageChange } from '../commit-queue.ts';
import type { CheckItems } from '../items/check-items.ts';
import { endedCheckRows, endedTransactionRows } from '../items/ended-rows.ts';
import type { ItemMemory } from '../items/item-memory.ts';
import { checkStates, shownTransactionStates } from '../items/item-past.ts';
import type { TransactionItems } from '../items/transaction-items.ts';
import type { MaintenanceCalendar } from '../maintenance.ts';
import { type MaintenanceStates, notInMaintenance } from '../maintenance-now.ts';
import type {
  AccountSnapshot,
  CheckRow,
  MaintenanceState,
  RecentOutage,
  ShownOutage,
  TransactionRow,
} from '../snapshot.ts';
import { AccountGroups, type GroupEvents } from './account-groups.ts';
import {
  type LeavingOutages,
  outageEntryOfCheck,
  outageEntryOfTransaction,
} from './account-outages.ts';
import {
  type ObjectiveEvents,
  type SloCheck,
  type SloEntry,
  sloCheck,
  sloTransaction,
} from './account-slo.ts';
import { ItemStanding, type ItemTraits } from './item-standing.ts';
import type { Policies } from './policies.ts';
import { type FailedItem, newestOutages, recentOutagesOfAccount } from './recent-outages.ts';

export interface StandingEvents extends ObjectiveEvents, GroupEvents {}

interface AccountStandingOptions {
  readonly checks: CheckItems;
  readonly transactions: TransactionItems;
  readonly maintenance: MaintenanceCalendar;
  readonly clock: MonotonicClock;
  readonly policies: Policies;
  readonly events: StandingEvents;
}

const checkKind: ItemTraits<Check, SloCheck, CheckRow> = {
  name: 'check',
  states: checkStates,
  listedOutage: ({ lastDownStartAtSeconds, lastDownEndAtSeconds }) => [
    lastDownStartAtSeconds,
    lastDownEndAtSeconds,
  ],
  sloEntry: ({ entry }) => sloCheck(entry),
  isUp: ({ status }) => !lastTestFailed(status),
  outageEntry: ({ entry, totals }) => outageEntryOfCheck(entry, totals),
  endedRows: endedCheckRows,
};

const transactionKind: ItemTraits<Transaction, SloEntry, TransactionRow> = {
  name: 'transaction',
  states: shownTransactionStates,
  listedOutage: ({ lastDowntimeStartAtSeconds, lastDowntimeEndAtSeconds }) => [
    lastDowntimeStartAtSeconds,
    lastDowntimeEndAtSeconds,
  ],
  sloEntry: ({ entry, totals }) => sloTransaction(entry, totals.states.state),
  isUp: () => false,
  outageEntry: ({ entry, totals }) => outageEntryOfTransaction(entry, totals),
  endedRows: endedTransactionRows,
};

type FreshSince = (dataset: DatasetName) => number;
const noStates: MaintenanceStates = new Map();

/** The outages, error budgets and groups of an account, and their rows. UNIX seconds. */
export class AccountStanding {
  readonly #options: AccountStandingOptions;
  readonly #checks: ItemStanding<Check, SloCheck, CheckRow>;
  readonly #transactions: ItemStanding<Transaction, SloEntry, TransactionRow>;
  readonly #groups: AccountGroups;
  /** The newest outages, and the version of the items that they were computed from. */
  #recentOutages: readonly RecentOutage[] = [];

  constructor(options: AccountStandingOptions) {
    const { checks, transactions, maintenance, policies, events } = options;
    const common = { policies, events: { tagIgnored: once((tag) => events.tagIgnored(tag)) } };
    this.#options = options;
    this.#groups = new AccountGroups(events);
    this.#checks = new ItemStanding({
      ...common,
      kind: checkKind,
      items: checks,
      occurrencesOf: maintenance.occurrencesOf.check,
      groups: this.#groups,
    });
    this.#transactions = new ItemStanding({
      ...common,
      kind: transactionKind,
      items: transactions,
      occurrencesOf: maintenance.occurrencesOf.transaction,
    });
  }

  get outages(): Required<AccountOutageChange> {
    return { check: this.#checks.outages, transaction: this.#transactions.outages };
  }

  /** The numbers of open outages. An unknown number is absent. */
  get openOutages(): Pick<AccountSnapshot, 'openCheckOutages' | 'openTransactionOutages'> {
    return present({
      openCheckOutages: this.#checks.openOutages,
      openTransactionOutages: this.#transactions.openOutages,
    });
  }

  /** The newest outages. Returns the same array while nothing changes. */
  get recentOutages(): readonly RecentOutage[] {
    const changedSeconds = Math.max(
      this.#checks.takeChangedOutages(),
      this.#transactions.takeChangedOutages(),
    );
    // Most changes are those of items whose outages are all older than the ones shown.
    const oldestSeconds = oldestOf(this.#recentOutages);
    if (changedSeconds < oldestSeconds) return this.#recentOutages;
    let newest = newestOutages(this.#failedSince(oldestSeconds));
    if (oldestOf(newest) < oldestSeconds) newest = newestOutages(this.#failedSince(0));
    if (!plainEqual(this.#recentOutages, newest)) this.#recentOutages = newest;
    return this.#recentOutages;
  }

  *#failedSince(sinceSeconds: number): Iterable<FailedItem> {
    yield* this.#checks.failedSince(sinceSeconds);
    yield* this.#transactions.failedSince(sinceSeconds);
  }

  applyOutages({ check, transaction }: AccountOutageChange): void {
    if (check !== undefined) this.#checks.applyOutages(check);
    if (transaction !== undefined) this.#transactions.applyOutages(transaction);
  }

  outageOf(kind: ItemKind, id: number): ShownOutage | undefined {
    return this.#of(kind).outageOf(id);
  }

  /** The outages after the last list; undefined if nothing changed. */
  listed(kind: ItemKind, isComplete: boolean, nowSeconds: number): AccountOutageChange | undefined {
    const states = this.#options.maintenance.at(nowSeconds)?.[kind] ?? noStates;
    const outages = this.#of(kind).listedOutages(isComplete, states, nowSeconds);
    return outages && { [kind]: outages };
  }

  /** Closes the outages of items that have left. Returns whether there were any. */
  leave(kind: ItemKind, left: Iterable<ItemMemory>, leaving: LeavingOutages): boolean {
    return this.#of(kind).leave(left, leaving);
  }

  #of(kind: ItemKind) {
    return kind === 'check' ? this.#checks : this.#transactions;
  }

  /**
   * Sets the latest end of ranges: the service's UNIX time of the newest list. After a start this is
   * stored, so that a wrong clock of this machine neither takes time back nor adds any.
   */
  moveRanges(listedSeconds: number): void {
    this.#checks.moveRanges(listedSeconds);
    this.#transactions.moveRanges(listedSeconds);
  }

  /** Applies a policy, and closes outages whose maintenance has begun. True after a change. */
  moveTo(nowSeconds: number): boolean {
    this.#checks.applyPolicy();
    this.#transactions.applyPolicy();
    const { check = noStates, transaction = noStates } =
      this.#options.maintenance.at(nowSeconds) ?? {};
    const hasCheckMoved = this.#checks.moveOutages(check, nowSeconds);
    return this.#transactions.moveOutages(transaction, nowSeconds) || hasCheckMoved;
  }

  /** `now` is in monotonic milliseconds. */
  checkRows(
    freshSince: FreshSince,
    now: number,
  ): Pick<AccountSnapshot, 'checks' | 'groups' | 'groupsLeftOut'> {
    const { checks } = this.#options;
    const rows = checks.rows(this.#checkContext(freshSince, now));
    const { rows: groups, leftOut: groupsLeftOut } = this.#groups.shown({
      slo: this.#checks.slo,
      items: () => checks.records(),
      version: checks.labelsVersion,
    });
    return { checks: rows, ...(groups.length > 0 && { groups, groupsLeftOut }) };
  }

  get checkRowsToBuild(): number {
    return this.#options.checks.rowsToBuild;
  }

  /** Builds up to `most` rows of checks ahead. Returns whether more are left. */
  prepareCheckRows(freshSince: FreshSince, now: number, most: number): boolean {
    return this.#options.checks.prepareRows(this.#checkContext(freshSince, now), most);
  }

  #checkContext(freshSince: FreshSince, now: number) {
    return {
      freshSince,
      now,
      maintenanceOf: stateOf(this.#options.maintenance.now?.check),
      standingOf: this.#checks.standingOf,
    };
  }

  transactionRows(freshSince: FreshSince, now: number): Pick<AccountSnapshot, 'transactions'> {
    const { transactions, maintenance } = this.#options;
    return {
      transactions: transactions.rows({
        freshSince,
        now,
        maintenanceOf: stateOf(maintenance.now?.transaction),
        standingOf: this.#transactions.standingOf,
      }),
    };
  }

  /** Rows for outages of items without a row. `areShown`: whether a list's rows are shown. */
  endedRows(areShown: {
    readonly checks: boolean;
    readonly transactions: boolean;
  }): Pick<AccountSnapshot, 'endedChecks' | 'endedTransactions'> {
    const checks = this.#checks.endedRows(areShown.checks);
    const transactions = this.#transactions.endedRows(areShown.transactions);
    return {
      ...(checks.length > 0 && { endedChecks: checks }),
      ...(transactions.length > 0 && { endedTransactions: transactions }),
    };
  }
}

/** When the oldest outage began; 0 while there is room for older ones. */
function oldestOf(outages: readonly RecentOutage[]): number {
  return outages[recentOutagesOfAccount - 1]?.fromSeconds ?? 0;
}

function stateOf(
  states: MaintenanceStates | undefined,
): ((id: number) => MaintenanceState) | undefined {
  return states && ((id) => states.get(id) ?? notInMaintenance);
}

/** Reports each text once. */
function once(report: (text: string) => void): (text: string) => void {
  const reported = new Set<string>();
  return (text) => {
    if (reported.has(text)) return;
    reported.add(text);
    report(text);
  };
}
