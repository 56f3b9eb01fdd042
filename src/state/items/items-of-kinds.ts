import type { Check } from '../../domain/check.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { ItemKind } from '../../store/store.ts';
import type { CheckRow, TransactionRow } from '../snapshot.ts';
import { type CheckItemDetails, createCheckItems } from './check-items.ts';
import type { ItemStore } from './item-store.ts';
import type { CheckTotals, StateTotals } from './totals.ts';
import { createTransactionItems, type TransactionItemDetails } from './transaction-items.ts';

/** What a list has of an item, what is counted of it, and what is read of it alone. */
export interface Kinds {
  readonly check: {
    readonly entry: Check;
    readonly totals: CheckTotals;
    readonly details: CheckItemDetails;
    readonly row: CheckRow;
  };
  readonly transaction: {
    readonly entry: Transaction;
    readonly totals: StateTotals;
    readonly details: TransactionItemDetails;
    readonly row: TransactionRow;
  };
}

type Items<K extends ItemKind> = ItemStore<
  Kinds[K]['entry'],
  Kinds[K]['totals'],
  Kinds[K]['details'],
  Kinds[K]['row']
>;

/** The checks and the transactions of an account. */
export type ItemsOfKinds = { readonly [K in ItemKind]: Items<K> };

export function createItems(): ItemsOfKinds {
  return { check: createCheckItems(), transaction: createTransactionItems() };
}
