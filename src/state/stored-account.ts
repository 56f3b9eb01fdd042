import type { AccountData } from '../domain/account.ts';
import type { Check } from '../domain/check.ts';
import type { DatasetSuccess } from '../domain/dataset.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Outages } from '../slo/outages.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { CheckItemDetails } from './items/check-items.ts';
import type { Details } from './items/item-rows.ts';
import type { StateTotals, StoredCheckTotals } from './items/totals.ts';
import type { TransactionItemDetails } from './items/transaction-items.ts';

/** The stored state of an account. Parts that are not stored are absent or empty. */
export interface RestoredAccount {
  readonly checkTotals: ReadonlyMap<number, StoredCheckTotals>;
  readonly transactionTotals: ReadonlyMap<number, StateTotals>;
  readonly alerts?: EventTally;
  /** The totals may be older than the ones already shown, so all must start again at 0. */
  readonly mustBeginAgain?: true;
  readonly checks?: readonly Check[];
  readonly transactions?: readonly Transaction[];
  readonly accountData?: AccountData;
  readonly datasets?: readonly DatasetSuccess[];
  readonly outages?: Readonly<Record<ItemKind, Outages>>;
  readonly checkDetails: ReadonlyMap<number, Details<CheckItemDetails>>;
  readonly transactionDetails: ReadonlyMap<number, Details<TransactionItemDetails>>;
}

/** The parts of the state that are marked as changed as a whole. */
type StoredPart = 'checks' | 'transactions' | 'accountData' | 'datasets' | 'outages';

/** The parts of the state that changed since they were stored. */
interface PendingChanges {
  readonly parts: ReadonlySet<StoredPart>;
  /** The ids of the items whose details changed. */
  readonly details: Readonly<Record<ItemKind, ReadonlySet<number>>>;
}

export class ChangeLog {
  #parts = new Set<StoredPart>();
  #details = { check: new Set<number>(), transaction: new Set<number>() };

  markPart(part: StoredPart): void {
    this.#parts.add(part);
  }

  markDetails(kind: ItemKind, id: number): void {
    this.#details[kind].add(id);
  }

  /** Marks changes that could not be stored again, so that the next write includes them. */
  putBack({ parts, details }: PendingChanges): void {
    for (const part of parts) this.markPart(part);
    for (const kind of itemKinds) for (const id of details[kind]) this.markDetails(kind, id);
  }

  /** Copies the pending changes of another log. */
  add(other: ChangeLog): void {
    this.putBack({ parts: other.#parts, details: other.#details });
  }

  /** Returns the pending changes and clears them. */
  take(): PendingChanges {
    const changes = { parts: this.#parts, details: this.#details };
    this.#parts = new Set();
    this.#details = { check: new Set(), transaction: new Set() };
    return changes;
  }
}
