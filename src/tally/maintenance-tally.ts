import type { StateSpan, TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import { addSpans } from './state-tally.ts';

/**
 * Adds what was just recorded inside the item's own occurrences. A second inside several of them counts
 * once. The occurrences must be known back to where the recorded spans begin.
 */
export function tallyMaintenance(
  seconds: SecondsByState,
  recorded: readonly StateSpan[],
  occurrences: readonly TimeRange[],
): SecondsByState {
  const inside = union(occurrences).flatMap(({ fromSeconds, toSeconds }) =>
    recorded
      .map((span) => ({
        state: span.state,
        fromSeconds: Math.max(span.fromSeconds, fromSeconds),
        toSeconds: Math.min(span.toSeconds, toSeconds),
      }))
      .filter((span) => span.fromSeconds < span.toSeconds),
  );
  return inside.length === 0 ? seconds : addSpans(seconds, inside);
}

/** In order, without overlaps. */
export function union(occurrences: readonly TimeRange[]): TimeRange[] {
  const joined: TimeRange[] = [];
  for (const next of occurrences.toSorted((a, b) => a.fromSeconds - b.fromSeconds)) {
    const last = joined.at(-1);
    if (last === undefined || next.fromSeconds > last.toSeconds) joined.push(next);
    else if (next.toSeconds > last.toSeconds) {
      joined[joined.length - 1] = { ...last, toSeconds: next.toSeconds };
    }
  }
  return joined;
}
