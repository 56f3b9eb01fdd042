import type { EventTally } from '../tally/event-tally.ts';
import type { CheckTotals, StateTotals } from './check-totals.ts';

/** Totals that are to replace the former ones; null for those of an item that is gone. */
export interface TotalsChange {
  readonly checks?: ReadonlyMap<number, CheckTotals | null>;
  readonly transactions?: ReadonlyMap<number, StateTotals | null>;
  readonly alerts?: EventTally;
}

/** Keeps totals across restarts. Resolves when they are durable, rejects when they are not. */
export type Keep = (change: TotalsChange) => Promise<void>;

export interface LedgerOptions {
  readonly keep: Keep;
  readonly adopt: (change: TotalsChange) => void;
}

/**
 * The one way in which totals change: one change after the other, each computed from the totals that the
 * one before has left, made durable, and only then shown. So a crash takes back nothing that was seen.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /**
   * `compute` may take its time: the totals stay as they are meanwhile. Rejects when the change cannot be
   * made durable; then the totals are as before.
   */
  book(compute: () => TotalsChange | Promise<TotalsChange>): Promise<void> {
    const booking = this.#last.then(async () => {
      const change = await compute();
      await this.#options.keep(change);
      this.#options.adopt(change);
    });
    this.#last = booking.catch(() => undefined);
    return booking;
  }
}
