import type { StateSpan, TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import { addSpans } from './state-tally.ts';

/**
 * Adds the seconds of recorded spans that lie inside the item's maintenance occurrences. A second
 * inside several occurrences counts once. All occurrences since the start of the spans must be
 * known.
 */
export function tallyMaintenance(
  seconds: SecondsByState,
  recorded: readonly StateSpan[],
  occurrences: readonly TimeRange[],
): SecondsByState {
  const inside = lateMaintenance(recorded, [], occurrences);
  return inside.length === 0 ? seconds : addSpans(seconds, inside);
}

/** Spans recorded before their maintenance was known: in `known`, not in `counted`. */
export function lateMaintenance(
  spans: readonly StateSpan[],
  counted: readonly TimeRange[],
  known: readonly TimeRange[],
): StateSpan[] {
  const late = subtract(known, counted);
  return spans.flatMap(({ state, fromSeconds, toSeconds }) =>
    clip(late, fromSeconds, toSeconds).map((part) => ({ state, ...part })),
  );
}

/**
 * The parts of `occurrences` outside all `others`, in order and without overlaps. All checks may
 * have many of both, so both are passed through once.
 */
export function subtract(
  occurrences: readonly TimeRange[],
  others: readonly TimeRange[],
): TimeRange[] {
  const [parts, taken] = [union(occurrences), union(others)];
  if (taken.length === 0) return parts;
  let first = 0;
  return parts.flatMap(({ fromSeconds, toSeconds }) => {
    const left: TimeRange[] = [];
    let since = fromSeconds;
    while ((taken[first]?.toSeconds ?? Number.POSITIVE_INFINITY) <= fromSeconds) first += 1;
    for (let at = first; at < taken.length; at++) {
      const other = taken[at];
      if (other === undefined || other.fromSeconds >= toSeconds) break;
      if (other.fromSeconds > since) {
        left.push({ fromSeconds: since, toSeconds: other.fromSeconds });
      }
      since = other.toSeconds;
    }
    if (since < toSeconds) left.push({ fromSeconds: since, toSeconds });
    return left;
  });
}

export function clip(
  occurrences: readonly TimeRange[],
  fromSeconds: number,
  toSeconds: number,
): TimeRange[] {
  return occurrences
    .map((occurrence) => ({
      fromSeconds: Math.max(occurrence.fromSeconds, fromSeconds),
      toSeconds: Math.min(occurrence.toSeconds, toSeconds),
    }))
    .filter((part) => part.fromSeconds < part.toSeconds);
}

/** Merges time ranges: the result is in order and without overlaps. */
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
