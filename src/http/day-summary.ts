import type { StateSpan } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import { recentSeconds } from '../state/items/recent-states.ts';

/** The last 24 hours of one check or transaction. */
interface DaySummary {
  /** Within the 24 hours, in order. */
  readonly spans: readonly StateSpan[];
  readonly seconds: SecondsByState;
  /** The number of spans in which the item was down. */
  readonly outages: number;
  /** The share of the monitored time up, from 0 to 1; absent if not monitored. */
  readonly upRatio?: number;
}

/** Summarises the 24 hours before now. */
export function summarizeDay(history: readonly StateSpan[], nowSeconds: number): DaySummary {
  const start = nowSeconds - recentSeconds;
  const spans = history
    .map((span) => ({ ...span, fromSeconds: Math.max(span.fromSeconds, start) }))
    .filter(({ fromSeconds, toSeconds }) => toSeconds > fromSeconds);
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  for (const { state, fromSeconds, toSeconds } of spans) seconds[state] += toSeconds - fromSeconds;
  const known = seconds.up + seconds.down;
  return {
    spans,
    seconds,
    outages: spans.filter(({ state }) => state === 'down').length,
    ...(known > 0 && { upRatio: seconds.up / known }),
  };
}

interface DayOf<T> {
  readonly item: T;
  readonly day: DaySummary;
}

/** Orders items by time down, then by time unknown, longest first. */
export function worstFirst<T extends { readonly id: number }>(
  items: readonly T[],
  history: { of(id: number): readonly StateSpan[] },
  nowSeconds: number,
): DayOf<T>[] {
  return items
    .map((item) => ({ item, day: summarizeDay(history.of(item.id), nowSeconds) }))
    .sort(
      ({ day: a }, { day: b }) =>
        b.seconds.down - a.seconds.down || b.seconds.unknown - a.seconds.unknown,
    );
}
