import type { CheckStatus } from '../../domain/check.ts';
import type { ErrorBudget } from '../../slo/error-budget.ts';
import type { ItemStates } from '../../slo/reported-states.ts';
import type { ItemPast } from '../../state/items/item-past.ts';
import type { CheckRow, TransactionRow } from '../../state/snapshot.ts';
import type { AccountStatus } from '../ports.ts';

const shownKinds = ['check', 'transaction'] as const;
export type ShownKind = (typeof shownKinds)[number];

/** A state in the words of checks. After a single failed test it is `unconfirmed_down`. */
export type ItemState = CheckStatus;

/** In the order of their urgency for people. */
export const itemStates = [
  'down',
  'unconfirmed_down',
  'unknown',
  'paused',
  'up',
] as const satisfies readonly ItemState[];

interface ItemBase {
  readonly status: AccountStatus;
  readonly account: string;
  readonly id: number;
  readonly name: string;
  readonly state: ItemState;
  readonly inMaintenance: boolean;
  /** The response time of a check's last test, or of a transaction's last complete hour. */
  readonly responseSeconds: number | undefined;
}

/** A check or a transaction of any account, in the form of the views. */
export type Item = ItemBase &
  (
    | { readonly kind: 'check'; readonly row: CheckRow }
    | { readonly kind: 'transaction'; readonly row: TransactionRow }
  );

/** The fresh items of all accounts, account by account, ordered by kind and id. */
export function itemsOf(accounts: readonly AccountStatus[]): Item[] {
  const items: Item[] = [];
  for (const status of accounts) {
    const { account, checks = [], transactions = [], datasets } = status.snapshot;
    if (!datasets.checks.stale) {
      for (const row of checks) items.push(checkItem(status, account, row));
    }
    if (datasets.transactions?.stale === true) continue;
    for (const row of transactions) items.push(transactionItem(status, account, row));
  }
  return items;
}

function checkItem(status: AccountStatus, account: string, row: CheckRow): Item {
  return {
    ...{ kind: 'check', status, account, row, id: row.id, name: row.name, state: row.status },
    inMaintenance: row.maintenance?.active === true,
    responseSeconds: row.lastResponseTimeSeconds,
  };
}

/** An inactive transaction is paused, regardless of its last run. */
export function transactionState({ active, status }: TransactionRow): ItemState {
  return active === false ? 'paused' : stateOfTransaction[status];
}

const stateOfTransaction = { successful: 'up', failing: 'down', unknown: 'unknown' } as const;

function transactionItem(status: AccountStatus, account: string, row: TransactionRow): Item {
  const state = transactionState(row);
  return {
    ...{ kind: 'transaction', status, account, row, id: row.id, name: row.name, state },
    inMaintenance: row.maintenance?.active === true,
    responseSeconds: row.performance?.averageResponseTimeSeconds,
  };
}

/** Returns all items with a kind and an id, even stale ones; accounts may share ids. */
export function findItems(accounts: readonly AccountStatus[], kind: ShownKind, id: number): Item[] {
  return accounts.flatMap((status) => {
    const { account, checks = [], transactions = [] } = status.snapshot;
    if (kind === 'check') {
      return checks.filter((row) => row.id === id).map((row) => checkItem(status, account, row));
    }
    const rows = transactions.filter((row) => row.id === id);
    return rows.map((row) => transactionItem(status, account, row));
  });
}

/** Returns whether the list that contains the item is too old to be trusted. */
export function isStale({ kind, status }: Item): boolean {
  const { checks, transactions } = status.snapshot.datasets;
  return kind === 'check' ? checks.stale : transactions?.stale === true;
}

/** Returns whether a list of the account is not shown, because it is unread or stale. */
export function hidesItems({ snapshot }: AccountStatus): boolean {
  const { checks, transactions = [], datasets } = snapshot;
  if (checks === undefined || datasets.checks.stale) return true;
  return transactions.length > 0 && datasets.transactions?.stale === true;
}

type StateCounts = { readonly [S in ItemState]: number };

export function countStates(items: readonly { readonly state: ItemState }[]): StateCounts {
  const counts = { up: 0, down: 0, unconfirmed_down: 0, unknown: 0, paused: 0 };
  for (const { state } of items) counts[state] += 1;
  return counts;
}

/** Returns the path of the item's view below the root, without a leading slash. */
export function itemPath({ kind, account, id }: Pick<Item, 'kind' | 'account' | 'id'>): string {
  return `accounts/${encodeURIComponent(account)}/${kind}s/${id}`;
}

export const shownRanges = ['24h', '7d', '30d'] as const;
export type ShownRange = (typeof shownRanges)[number];

export const shownRangeSeconds: { readonly [W in ShownRange]: number } = {
  '24h': 86_400,
  '7d': 7 * 86_400,
  '30d': 30 * 86_400,
};

const errorWindowOf = { '24h': '1d', '7d': '7d', '30d': '30d' } as const;

/** Returns the share of monitored time up, without maintenance; undefined if unknown. */
export function shownAvailability(
  budget: ErrorBudget | undefined,
  window: ShownRange,
): number | undefined {
  const { errorRatios } = budget ?? {};
  // Shorter windows are absent if there was no failure in 30 days.
  const errors =
    errorRatios?.[errorWindowOf[window]] ?? (errorRatios?.['30d'] === 0 ? 0 : undefined);
  return errors === undefined ? undefined : 1 - errors;
}

/** Returns the age of an item that was created within the range; undefined if older. */
export function youngerThan(
  { row }: Item,
  window: ShownRange,
  nowSeconds: number,
): number | undefined {
  const age = nowSeconds - (row.createdAtSeconds ?? Number.NEGATIVE_INFINITY);
  return age < shownRangeSeconds[window] ? Math.max(0, age) : undefined;
}

export function budgetLeftOf({ row }: Item): number | undefined {
  return row.budget?.remainingRatio;
}

export function itemPastOf({ kind, id, status }: Item): ItemPast | undefined {
  return kind === 'check' ? status.past?.ofCheck(id) : status.past?.ofTransaction(id);
}

export function itemStatesOf({ kind, id, status }: Item): ItemStates | undefined {
  return kind === 'check' ? status.states?.ofCheck(id) : status.states?.ofTransaction(id);
}

/** Returns the service's time, which all views use. This machine's may differ. */
export function serviceNow({ clockOffsetSeconds = 0 }: AccountStatus, nowSeconds: number): number {
  return nowSeconds + clockOffsetSeconds;
}
