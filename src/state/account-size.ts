import type { CheckItems } from './items/check-items.ts';
import type { TransactionItems } from './items/transaction-items.ts';
import type { UnknownPast } from './items/unknown-past.ts';

/** The number of items to refresh. */
export interface StateSize {
  readonly checks: number;
  readonly transactions: number;
  /** The shortest interval of the transactions; absent when none is known. */
  readonly shortestTransactionSeconds?: number;
  /** Checks with an unread past, rounded up to a power of two; absent without any. */
  readonly checksWithUnknownPast?: number;
}

export class AccountSize {
  readonly #checks: CheckItems;
  readonly #transactions: TransactionItems;
  readonly #unknownPast: UnknownPast;
  #shortest: { readonly version: number; readonly seconds: number } | undefined;

  constructor(checks: CheckItems, transactions: TransactionItems, unknownPast: UnknownPast) {
    this.#checks = checks;
    this.#transactions = transactions;
    this.#unknownPast = unknownPast;
  }

  /** The poller reads this in every iteration, so it must be cheap. */
  get current(): StateSize {
    const { size: unknown } = this.#unknownPast;
    const shortestTransactionSeconds = this.#shortestSeconds();
    return {
      checks: this.#checks.size,
      transactions: this.#transactions.size,
      ...(Number.isFinite(shortestTransactionSeconds) && { shortestTransactionSeconds }),
      // The number is rounded up, because otherwise every response would cause a new plan.
      ...(unknown > 0 && { checksWithUnknownPast: 2 ** Math.ceil(Math.log2(unknown)) }),
    };
  }

  /** The shortest interval of the transactions; Infinity if none is known. */
  #shortestSeconds(): number {
    const version = this.#transactions.entriesVersion;
    if (this.#shortest?.version !== version) {
      let seconds = Number.POSITIVE_INFINITY;
      for (const { entry } of this.#transactions.records()) {
        seconds = Math.min(seconds, entry.intervalSeconds ?? seconds);
      }
      this.#shortest = { version, seconds };
    }
    return this.#shortest.seconds;
  }
}
