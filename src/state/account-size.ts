import { shortestIntervalSeconds, type Transaction } from '../domain/transaction.ts';
import type { DatasetTrackers } from './dataset-tracker.ts';
import type { CheckItems } from './items/check-items.ts';
import type { FirstSight } from './items/first-sight.ts';
import { FromEntries } from './items/from-entries.ts';
import type { TransactionItems } from './items/transaction-items.ts';

/** The number of items to refresh. */
export interface StateSize {
  readonly checks: number;
  readonly transactions: number;
  /** True until the first read of the transactions ends, in this process or an earlier one. */
  readonly transactionsAreUnknown?: true;
  /** The shortest interval of the transactions; absent when none is known. */
  readonly shortestTransactionSeconds?: number;
  /** Checks with an unread past, or with an unread report of an absence, rounded up to a power of two; absent without any. */
  readonly checksWithUnknownPast?: number;
}

interface SizedState {
  readonly checks: CheckItems;
  readonly transactions: TransactionItems;
  readonly firstSight: FirstSight;
  readonly datasets: DatasetTrackers;
}

/** The size of an account. The poller asks for it in every iteration. */
export class AccountSize {
  readonly #state: SizedState;
  readonly #shortestSeconds: FromEntries<Transaction, number>;

  constructor(state: SizedState) {
    this.#state = state;
    this.#shortestSeconds = new FromEntries(state.transactions, (records) =>
      shortestIntervalSeconds(Array.from(records, ({ entry }) => entry)),
    );
  }

  get now(): StateSize {
    const { checks, transactions, firstSight, datasets } = this.#state;
    const unknown = firstSight.pastsLeft + firstSight.pausesLeft;
    const shortestTransactionSeconds = this.#shortestSeconds.value;
    return {
      checks: checks.size,
      transactions: transactions.size,
      ...(datasets.isUnread('transactions') && { transactionsAreUnknown: true }),
      ...(Number.isFinite(shortestTransactionSeconds) && { shortestTransactionSeconds }),
      // The number is rounded up, because otherwise every response would cause a new plan.
      ...(unknown > 0 && { checksWithUnknownPast: 2 ** Math.ceil(Math.log2(unknown)) }),
    };
  }
}
