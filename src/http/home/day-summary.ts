import type { StateSpan } from '../../domain/interval.ts';
import type { SecondsByState } from '../../domain/totals.ts';
import type { ItemStates } from '../../slo/reported-states.ts';
import { spansSince } from '../../slo/state-log.ts';

const daySeconds = 86_400;

/** The last 24 hours of one check or transaction. */
interface DaySummary {
  /** Within the 24 hours, in order. */
  readonly spans: readonly StateSpan[];
  readonly seconds: SecondsByState;
}

/** Adds up the counted time of the 24 hours before now, also that before first sight. */
export function summarizeDay(item: ItemStates | undefined, nowSeconds: number): DaySummary {
  const start = Math.max(item?.createdAtSeconds ?? 0, nowSeconds - daySeconds);
  const spans = item === undefined ? [] : spansSince(item.known, start);
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  for (const { state, fromSeconds, toSeconds } of spans) seconds[state] += toSeconds - fromSeconds;
  return { spans, seconds };
}

interface DayOf<T> {
  readonly item: T;
  readonly day: DaySummary;
}

/** Orders items by time down, then by time unknown, longest first. */
export function longestDownFirst<T>(
  items: readonly T[],
  statesOf: (item: T) => ItemStates | undefined,
  nowSeconds: number,
): DayOf<T>[] {
  return items
    .map((item) => ({ item, day: summarizeDay(statesOf(item), nowSeconds) }))
    .sort(
      ({ day: a }, { day: b }) =>
        b.seconds.down - a.seconds.down || b.seconds.unknown - a.seconds.unknown,
    );
}
