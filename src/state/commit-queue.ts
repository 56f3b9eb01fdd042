import type { AccountData } from '../domain/account.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { Outages } from '../windows/outages.ts';
import type { CheckTotals, StateTotals } from './items/totals.ts';

/** Totals that are to replace the former ones; null for those of an item that is gone. */
export interface TotalsChange {
  readonly checks?: ReadonlyMap<number, CheckTotals | null>;
  readonly transactions?: ReadonlyMap<number, StateTotals | null>;
  readonly alerts?: EventTally;
  readonly outages?: AccountOutageChange;
  /** Durable before anything is counted by it. */
  readonly maintenance?: NonNullable<AccountData['maintenance']>;
}

export interface AccountOutageChange {
  readonly checks?: Outages;
  readonly transactions?: Outages;
}

/** Keeps totals across restarts. Resolves when they are durable, rejects when they are not. */
export type Persist = (change: TotalsChange) => Promise<void>;

export interface CommitQueueOptions {
  readonly persist: Persist;
  readonly apply: (change: TotalsChange) => void;
}

/**
 * The one way in which totals change: one change after the other, each computed from the totals that the
 * one before has left, made durable, and only then shown. So a crash takes back nothing that was seen.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /**
   * `compute` may take its time: the totals stay as they are meanwhile. Rejects when the change cannot be
   * made durable; then the totals are as before.
   */
  commit(compute: () => TotalsChange | Promise<TotalsChange>): Promise<void> {
    const committing = this.#last.then(async () => {
      const change = await compute();
      await this.#options.persist(change);
      this.#options.apply(change);
    });
    this.#last = committing.catch(() => undefined);
    return committing;
  }
}
