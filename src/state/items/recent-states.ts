import type { StateSpan } from '../../domain/interval.ts';
import { type KnownStates, spansSince } from '../../slo/state-log.ts';

/** The known states of this time before the horizon are shown. */
export const recentSeconds = 86_400;

interface RecentItem {
  readonly entry: { readonly createdAtSeconds?: number };
  readonly totals: KnownStates;
}

/** The known states of the last 24 hours of each item, also from before it was first seen. */
export class RecentStates {
  readonly #items: { get(id: number): RecentItem | undefined };

  constructor(items: { get(id: number): RecentItem | undefined }) {
    this.#items = items;
  }

  /** In order and without gaps, up to the horizon; empty when nothing is known. */
  of(id: number): readonly StateSpan[] {
    const item = this.#items.get(id);
    if (item === undefined) return [];
    const { createdAtSeconds = 0 } = item.entry;
    const beginSeconds = item.totals.states.horizonSeconds - recentSeconds;
    return spansSince(item.totals, Math.max(createdAtSeconds, beginSeconds));
  }
}
