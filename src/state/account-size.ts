import type { DatasetTrackers } from './dataset-tracker.ts';
import type { CheckItems } from './items/check-items.ts';
import type { FirstSight } from './items/first-sight.ts';
import type { TransactionItems } from './items/transaction-items.ts';

/** The number of items to refresh. */
export interface StateSize {
  readonly checks: number;
  readonly transactions: number;
  /** True until the first read of the transactions ends, in this process or an earlier one. */
  readonly transactionsAreUnknown?: true;
  /** The shortest interval of the transactions; absent when none is known. */
  readonly shortestTransactionSeconds?: number;
  /** Checks with an unread past, rounded up to a power of two; absent without any. */
  readonly checksWithUnknownPast?: number;
}

interface SizedState {
  readonly checks: CheckItems;
  readonly transactions: TransactionItems;
  readonly firstSight: Pick<FirstSight, 'pastsLeft'>;
  readonly datasets: DatasetTrackers;
}

export class AccountSize {
  readonly #state: SizedState;
  #shortest: { readonly version: number; readonly seconds: number } | undefined;

  constructor(state: SizedState) {
    this.#state = state;
  }

  /** The poller reads this in every iteration, so it must be cheap. */
  get current(): StateSize {
    const { checks, transactions, firstSight, datasets } = this.#state;
    const { pastsLeft: unknown } = firstSight;
    const shortestTransactionSeconds = this.#shortestSeconds();
    return {
      checks: checks.size,
      transactions: transactions.size,
      ...(datasets.isUnread('transactions') && { transactionsAreUnknown: true }),
      ...(Number.isFinite(shortestTransactionSeconds) && { shortestTransactionSeconds }),
      // The number is rounded up, because otherwise every response would cause a new plan.
      ...(unknown > 0 && { checksWithUnknownPast: 2 ** Math.ceil(Math.log2(unknown)) }),
    };
  }

  /** The shortest interval of the transactions; Infinity if none is known. */
  #shortestSeconds(): number {
    const { transactions } = this.#state;
    const version = transactions.entriesVersion;
    if (this.#shortest?.version !== version) {
      let seconds = Number.POSITIVE_INFINITY;
      for (const { entry } of transactions.records()) {
        seconds = Math.min(seconds, entry.intervalSeconds ?? seconds);
      }
      this.#shortest = { version, seconds };
    }
    return this.#shortest.seconds;
  }
}
