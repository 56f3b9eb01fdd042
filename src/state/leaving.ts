import type { Check } from '../domain/check.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { ItemKind } from '../store/store.ts';
import type { CheckItemDetails } from './items/check-items.ts';
import type { ItemRecord } from './items/item-rows.ts';
import type { Leaving } from './items/removed-items.ts';
import type { CheckTotals, StateTotals } from './items/totals.ts';
import type { TransactionItemDetails } from './items/transaction-items.ts';

/** What a list has of an item, and what is known and counted of it. */
export type ListedItem =
  | ItemRecord<Check, CheckTotals, CheckItemDetails>
  | ItemRecord<Transaction, StateTotals, TransactionItemDetails>;

/**
 * The items of a running account come and go. One that another process takes over does not leave.
 */
export interface ItemEvents {
  /** A list has changed the names or tags of items: the entries before it. */
  relabelled(kind: ItemKind, before: readonly ListedItem['entry'][]): void;
  /** Items have left, and are as they were. The state no longer has them. */
  left(kind: ItemKind, items: readonly ListedItem[], leaving: Leaving): void;
  /** A list has these items, for the first time or again. */
  arrived(kind: ItemKind, ids: Iterable<number>): void;
  /** The totals of items that left seven days ago are deleted: if they return, they are new ones. */
  forgotten?(kind: ItemKind, ids: Iterable<number>): void;
}
