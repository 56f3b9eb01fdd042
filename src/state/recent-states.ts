import { type RecentTally, recentSpans } from '../tally/recent-changes.ts';
import type { RecordedSpan } from '../tally/state-tally.ts';

export { recentSeconds } from '../tally/recent-changes.ts';

/** Time spent in one state; UNIX seconds, the end excluded. */
export type RecentSpan = RecordedSpan;

/** The states of at least the last 24 hours of each check, or of each transaction, as far as they are booked. */
export class RecentStates {
  readonly #items: { get(id: number): { readonly totals: RecentTally } | undefined };

  constructor(items: { get(id: number): { readonly totals: RecentTally } | undefined }) {
    this.#items = items;
  }

  /** In order and without gaps, up to the horizon; empty when nothing is known. */
  of(id: number): readonly RecentSpan[] {
    const item = this.#items.get(id);
    return item === undefined ? [] : recentSpans(item.totals);
  }
}
