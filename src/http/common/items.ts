import type { CheckStatus, CheckTag } from '../../domain/check.ts';
import type { DatasetName } from '../../domain/dataset.ts';
import type { ErrorBudget } from '../../slo/error-budget.ts';
import type { ItemStates } from '../../slo/reported-states.ts';
import type { ItemPast } from '../../state/items/item-past.ts';
import type { CheckRow, ShownOutage, TransactionRow } from '../../state/snapshot.ts';
import type { AccountStatus } from '../ports.ts';

export type ShownKind = 'check' | 'transaction';

/** A state in the words of checks. After a single failed test it is `unconfirmed_down`. */
export type ItemState = CheckStatus;

interface ItemFacts {
  readonly status: AccountStatus;
  readonly account: string;
  readonly id: number;
  readonly name: string;
  readonly tags: readonly CheckTag[];
  readonly state: ItemState;
  readonly inMaintenance: boolean;
  /** The state is that of the last list, which is too old to be trusted, and its outage is open. */
  readonly isLastKnown?: true;
  /** False if the service has never tested it. */
  readonly wasTested: boolean;
  /** Such as `http check`. */
  readonly type: string;
  readonly hostname: string | undefined;
  readonly severity: string | undefined;
  readonly createdAtSeconds: number | undefined;
  /** The time between two tests. */
  readonly periodSeconds: number | undefined;
  readonly budget: ErrorBudget | undefined;
  readonly outage: ShownOutage | undefined;
  /** The last outage in the list, which may still go on. */
  readonly listedOutage: readonly [
    startSeconds: number | undefined,
    endSeconds: number | undefined,
  ];
  /** The last failed test in the list, which may not be an outage. */
  readonly lastErrorAtSeconds: number | undefined;
  /** The response time of a check's last test, or of a transaction's last complete hour. */
  readonly responseSeconds: number | undefined;
  /** The start of the hour that `responseSeconds` is the average of; undefined for a single test. */
  readonly responseHourSeconds: number | undefined;
  /** The number of the step that fails. */
  readonly failingStep: number | undefined;
}

/**
 * A check or a transaction of any account, in the form that views, JSON and badges show. Its row is
 * only for the details that the other kind does not have.
 */
export type Item = ItemFacts &
  (
    | { readonly kind: 'check'; readonly row: CheckRow }
    | { readonly kind: 'transaction'; readonly row: TransactionRow }
  );

/** The words, and the names of data and metrics, that differ by kind. */
interface KindNames {
  readonly list: 'checks' | 'transactions';
  readonly ids: 'checkIds' | 'transactionIds';
  readonly reader: 'ofCheck' | 'ofTransaction';
  /** What is read about one item. */
  readonly datasets: readonly DatasetName[];
  /** The dataset with the hourly averages. */
  readonly averages: DatasetName;
  readonly response: string;
  readonly responseMetric: string;
  readonly noCause: string;
}

export const kindNames: { readonly [K in ShownKind]: KindNames } = {
  check: {
    list: 'checks',
    ids: 'checkIds',
    reader: 'ofCheck',
    datasets: ['checks', 'outages', 'results', 'performance', 'average', 'detail', 'analyses'],
    averages: 'performance',
    response: 'Last response',
    responseMetric: 'last_response_time_seconds',
    noCause: 'no results read',
  },
  transaction: {
    list: 'transactions',
    ids: 'transactionIds',
    reader: 'ofTransaction',
    datasets: ['transactions', 'transaction_performance'],
    averages: 'transaction_performance',
    response: 'Response, hourly average',
    responseMetric: 'hourly_average_response_time_seconds',
    noCause: 'no step reported',
  },
};

/** Names every field: with tens of thousands of rows, copying objects takes a second. */
export function checkItem(status: AccountStatus, row: CheckRow): Item {
  return {
    kind: 'check',
    row,
    status,
    account: status.snapshot.account,
    id: row.id,
    name: row.name,
    tags: row.tags,
    state: row.status,
    inMaintenance: row.maintenance?.active === true,
    wasTested: row.lastTestAtSeconds !== undefined,
    type: `${row.type} check`,
    hostname: row.hostname,
    severity: row.severity,
    createdAtSeconds: row.createdAtSeconds,
    periodSeconds: row.resolutionSeconds,
    budget: row.budget,
    outage: row.outage,
    listedOutage: [row.lastDownStartAtSeconds, row.lastDownEndAtSeconds],
    lastErrorAtSeconds: row.lastErrorAtSeconds,
    responseSeconds: row.lastResponseTimeSeconds,
    responseHourSeconds: undefined,
    failingStep: undefined,
  };
}

function transactionItem(status: AccountStatus, row: TransactionRow): Item {
  return {
    kind: 'transaction',
    row,
    status,
    account: status.snapshot.account,
    id: row.id,
    name: row.name,
    tags: row.tags,
    state: transactionState(row),
    inMaintenance: row.maintenance?.active === true,
    wasTested: true,
    type: 'transaction',
    hostname: undefined,
    severity: row.severity,
    createdAtSeconds: row.createdAtSeconds,
    periodSeconds: row.intervalSeconds,
    budget: row.budget,
    outage: row.outage,
    listedOutage: [row.lastDowntimeStartAtSeconds, row.lastDowntimeEndAtSeconds],
    lastErrorAtSeconds: undefined,
    responseSeconds: row.performance?.averageResponseTimeSeconds,
    responseHourSeconds: row.performance?.startAtSeconds,
    failingStep: row.failingStep,
  };
}

/** An inactive transaction is paused, regardless of its last run. */
export function transactionState({ active, status }: TransactionRow): ItemState {
  return active === false ? 'paused' : stateOfTransaction[status];
}

const stateOfTransaction = { successful: 'up', failing: 'down', unknown: 'unknown' } as const;

/** Yields all items of an account, even stale ones, ordered by kind and id. */
export function* itemsOfAccount(status: AccountStatus): Generator<Item> {
  const { checks = [], transactions = [] } = status.snapshot;
  for (const row of checks) yield checkItem(status, row);
  for (const row of transactions) yield transactionItem(status, row);
}

/**
 * The items of all accounts, account by account: of a stale list only those whose outage is open,
 * because alerts stay open for these.
 */
export function itemsOf(accounts: readonly AccountStatus[]): Item[] {
  const items: Item[] = [];
  for (const status of accounts) {
    for (const item of itemsOfAccount(status)) {
      if (!isStale(item)) items.push(item);
      else if (item.outage?.open) items.push({ ...item, state: 'down', isLastKnown: true });
    }
  }
  return items;
}

/** Returns all items with a kind and an id, even stale ones; accounts may share ids. */
export function findItems(accounts: readonly AccountStatus[], kind: ShownKind, id: number): Item[] {
  return accounts.flatMap((status) => {
    const { checks = [], transactions = [] } = status.snapshot;
    if (kind === 'check') {
      return checks.filter((row) => row.id === id).map((row) => checkItem(status, row));
    }
    return transactions.filter((row) => row.id === id).map((row) => transactionItem(status, row));
  });
}

/** Returns whether the list that contains the item is too old to be trusted. */
export function isStale({ kind, status }: Item): boolean {
  return status.snapshot.datasets[kindNames[kind].list]?.stale === true;
}

type StateCounts = { readonly [S in ItemState]: number };

export function countStates(items: readonly { readonly state: ItemState }[]): StateCounts {
  const counts = { up: 0, down: 0, unconfirmed_down: 0, unknown: 0, paused: 0 };
  for (const { state } of items) counts[state] += 1;
  return counts;
}

export function itemPastOf({ kind, id, status }: Item): ItemPast | undefined {
  return status.past?.[kindNames[kind].reader](id);
}

export function itemStatesOf({ kind, id, status }: Item): ItemStates | undefined {
  return status.states?.[kindNames[kind].reader](id);
}

/** Returns the service's time, which all views use. This machine's may differ. */
export function serviceNow({ clockOffsetSeconds = 0 }: AccountStatus, nowSeconds: number): number {
  return nowSeconds + clockOffsetSeconds;
}
