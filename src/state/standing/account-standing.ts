import { type Check, lastTestFailed } from '../../domain/check.ts';
import type { DatasetName } from '../../domain/dataset.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { present } from '../../lib/present.ts';
import { defaultSloPolicy, type SloPolicy } from '../../windows/groups.ts';
import { defaultOutagePolicy, type OutagePolicy } from '../../windows/outage-policy.ts';
import type { FormerOutage } from '../../windows/outages.ts';
import type { AccountOutageChange } from '../commit-queue.ts';
import type { CheckItems } from '../items/check-items.ts';
import { formerCheckRows, formerTransactionRows } from '../items/former-rows.ts';
import type { TransactionItems } from '../items/transaction-items.ts';
import {
  type MaintenanceCalendar,
  type MaintenanceStates,
  notInMaintenance,
} from '../maintenance.ts';
import type {
  AccountSnapshot,
  CheckRow,
  MaintenanceState,
  RecentOutage,
  TransactionRow,
} from '../snapshot.ts';
import { AccountGroups } from './account-groups.ts';
import { outageEntryOfCheck, outageEntryOfTransaction } from './account-outages.ts';
import { type WindowedCheck, windowedCheck, windowedTransaction } from './account-windows.ts';
import { ItemStanding } from './item-standing.ts';
import { outagesOfCheck, outagesOfTransaction, RecentOutages } from './recent-outages.ts';

export interface SloOptions {
  /** Limits of flapping, and promoted labels; the same object while they do not change. */
  readonly outagePolicy?: () => OutagePolicy;
  /** Objectives and groups; the same object while they do not change. */
  readonly slo?: () => SloPolicy;
  /** Called once for each tag that looks like an objective but is not a valid ratio. */
  readonly onInvalidTag?: (tag: string) => void;
  /** So many groups more than before are beyond those that the configuration allows. */
  readonly onGroupsDropped?: (groups: number) => void;
}

interface AccountStandingOptions extends SloOptions {
  readonly checks: CheckItems;
  readonly transactions: TransactionItems;
  readonly maintenance: MaintenanceCalendar;
}

type CheckRecord = Parameters<typeof outagesOfCheck>[0];
type FreshSince = (dataset: DatasetName) => number;
const noStates: MaintenanceStates = new Map();

/** The outages, error budgets and groups of an account, and its rows, which show them. Times are UNIX seconds. */
export class AccountStanding {
  readonly #options: AccountStandingOptions;
  readonly #checks: ItemStanding<Check, WindowedCheck, CheckRow>;
  readonly #transactions: ItemStanding<
    Transaction,
    ReturnType<typeof windowedTransaction>,
    TransactionRow
  >;
  readonly #groups: AccountGroups;
  readonly #recent = new RecentOutages();

  constructor(options: AccountStandingOptions) {
    const { checks, transactions, maintenance } = options;
    const defaultSlo = defaultSloPolicy();
    const { slo = () => defaultSlo, onGroupsDropped = () => {} } = options;
    const { outagePolicy = () => defaultOutagePolicy } = options;
    const onInvalidTag = once(options.onInvalidTag ?? (() => {}));
    this.#options = options;
    this.#checks = new ItemStanding({
      ...({ kind: 'check', items: checks } as const),
      ...{ slo, outagePolicy, onInvalidTag },
      occurrencesOf: maintenance.occurrencesOf,
      windowedEntry: ({ entry }) => windowedCheck(entry),
      onBudget: (entry, totals) => {
        const { windows } = this.#checks;
        if (windows.policy.groups.isEmpty || windows.groupsOf(entry).length === 0) return;
        const seconds = windows.secondsOf(entry, totals, maintenance.occurrencesOf(entry.id));
        const hasOpenOutage = this.#checks.outageOf(entry.id)?.open === true;
        const { id, status } = entry;
        this.#groups.contribute({ id, status, seconds, hasOpenOutage });
      },
      isUp: ({ status }) => !lastTestFailed(status),
      outageEntry: ({ entry, totals }) => outageEntryOfCheck(entry, totals),
      formerRows: formerCheckRows,
    });
    this.#transactions = new ItemStanding({
      ...({ kind: 'transaction', items: transactions } as const),
      ...{ slo, outagePolicy, onInvalidTag },
      occurrencesOf: maintenance.transactionOccurrencesOf,
      windowedEntry: ({ entry, totals }) => windowedTransaction(entry, totals.states.state),
      isUp: () => false,
      outageEntry: ({ entry, totals }) => outageEntryOfTransaction(entry, totals),
      formerRows: formerTransactionRows,
    });
    this.#groups = new AccountGroups({
      namesOf: (subject) => this.#checks.windows.groupsOf(subject),
      onDropped: onGroupsDropped,
    });
  }

  get outages(): Required<AccountOutageChange> {
    return { checks: this.#checks.outages, transactions: this.#transactions.outages };
  }

  /** How many outages are open, where that is known. */
  get openOutages(): Pick<AccountSnapshot, 'openCheckOutages' | 'openTransactionOutages'> {
    return present({
      openCheckOutages: this.#checks.openOutages,
      openTransactionOutages: this.#transactions.openOutages,
    });
  }

  /** When time alone changes what is shown of outages next, in UNIX seconds; infinity when it does not. */
  get outagesExpireAtSeconds(): number {
    return Math.min(this.#checks.outagesExpireAtSeconds, this.#transactions.outagesExpireAtSeconds);
  }

  /** The newest outages, as of the rows that were built last. */
  get recentOutages(): readonly RecentOutage[] {
    return this.#recent.shown;
  }

  applyOutages({ checks, transactions }: AccountOutageChange): void {
    if (checks !== undefined) this.#checks.applyOutages(checks);
    if (transactions !== undefined) this.#transactions.applyOutages(transactions);
  }

  /** The outages as a list shows them; undefined when nothing changed. */
  listed(
    kind: 'checks' | 'transactions',
    isComplete: boolean,
    nowSeconds: number,
  ): AccountOutageChange | undefined {
    const states = this.#options.maintenance.at(nowSeconds)?.[kind] ?? noStates;
    const standing = kind === 'checks' ? this.#checks : this.#transactions;
    const outages = standing.listedOutages(isComplete, states, nowSeconds);
    return outages && { [kind]: outages };
  }

  retired(nowSeconds: number): Record<'checks' | 'transactions', readonly FormerOutage[]> {
    return {
      checks: this.#checks.retiredOutages(nowSeconds),
      transactions: this.#transactions.retiredOutages(nowSeconds),
    };
  }

  forgetCheck(id: number): void {
    this.#checks.forget(id);
    this.#groups.forget(id);
    this.#recent.forget('check', id);
  }

  forgetTransaction(id: number): void {
    this.#transactions.forget(id);
    this.#recent.forget('transaction', id);
  }

  moveWindows(nowSeconds: number): void {
    this.#checks.moveWindows(nowSeconds);
    this.#transactions.moveWindows(nowSeconds);
  }

  /** Takes another policy into use, and ends outages whose maintenance has begun; whether an outage changed. */
  moveTo(nowSeconds: number): boolean {
    this.#checks.applyPolicy();
    this.#transactions.applyPolicy();
    const { checks = noStates, transactions = noStates } =
      this.#options.maintenance.at(nowSeconds) ?? {};
    const hasCheckMoved = this.#checks.moveOutages(checks, nowSeconds);
    return this.#transactions.moveOutages(transactions, nowSeconds) || hasCheckMoved;
  }

  checkRows(freshSince: FreshSince): Pick<AccountSnapshot, 'checks' | 'checkStep' | 'groups'> {
    const { checks } = this.#options;
    const rows = checks.rows(this.#checkContext(freshSince));
    const groups = this.#groups.rows({
      policy: this.#checks.windows.policy,
      subjects: () => subjectsOf(checks),
      version: checks.labelsVersion,
    });
    const { rowStep } = checks;
    return {
      checks: rows,
      ...present({ checkStep: rowStep }),
      ...(groups.length > 0 && { groups }),
    };
  }

  /** Builds up to `most` rows of checks ahead of `checkRows`. Returns whether more are left. */
  prepareCheckRows(freshSince: FreshSince, most: number): boolean {
    return this.#options.checks.prepareRows(this.#checkContext(freshSince), most);
  }

  #checkContext(freshSince: FreshSince) {
    return {
      freshSince,
      maintenanceOf: stateOf(this.#options.maintenance.now?.checks),
      budgetOf: this.#checks.budgetOf,
      outageOf: this.#checks.outageOf,
      lastOutageStartOf: (record: CheckRecord) => {
        const { id } = record.entry;
        const maintenance = this.#options.maintenance.occurrencesOf(id);
        const open = this.#checks.outageOf(id);
        this.#recent.update('check', outagesOfCheck(record, { open, maintenance }));
        return this.#checks.lastOutageStartOf(record);
      },
    };
  }

  transactionRows(freshSince: FreshSince): Pick<AccountSnapshot, 'transactions'> {
    const { transactions, maintenance } = this.#options;
    return {
      transactions: transactions.rows({
        freshSince,
        maintenanceOf: stateOf(maintenance.now?.transactions),
        budgetOf: this.#transactions.budgetOf,
        outageOf: this.#transactions.outageOf,
        lastOutageStartOf: (record) => {
          const { id } = record.entry;
          const planned = maintenance.transactionOccurrencesOf(id);
          const open = this.#transactions.outageOf(id);
          this.#recent.update(
            'transaction',
            outagesOfTransaction(record, { open, maintenance: planned }),
          );
          return this.#transactions.lastOutageStartOf(record);
        },
      }),
    };
  }

  /** Outages that the rows of checks and transactions do not show; `areShown` tells which rows are. */
  formerRows(areShown: {
    readonly checks: boolean;
    readonly transactions: boolean;
  }): Pick<AccountSnapshot, 'formerChecks' | 'formerTransactions'> {
    const checks = this.#checks.formerRows(areShown.checks);
    const transactions = this.#transactions.formerRows(areShown.transactions);
    return {
      ...(checks.length > 0 && { formerChecks: checks }),
      ...(transactions.length > 0 && { formerTransactions: transactions }),
    };
  }
}

function* subjectsOf(checks: CheckItems): Iterable<Check> {
  for (const { entry } of checks.records()) yield entry;
}

function stateOf(
  states: MaintenanceStates | undefined,
): ((id: number) => MaintenanceState) | undefined {
  return states && ((id) => states.get(id) ?? notInMaintenance);
}

/** Passes each text on once. */
function once(report: (text: string) => void): (text: string) => void {
  const reported = new Set<string>();
  return (text) => {
    if (reported.has(text)) return;
    reported.add(text);
    report(text);
  };
}
