import type { StateSpan, TimeRange } from '../domain/interval.ts';
import { union } from './maintenance-tally.ts';

/**
 * The parts of spans that were counted before their maintenance was known: inside `known`, outside of all
 * that was counted as maintenance already.
 */
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

/** In order, without overlaps; what is not in any of `others`. */
export function subtract(
  occurrences: readonly TimeRange[],
  others: readonly TimeRange[],
): TimeRange[] {
  let left = union(occurrences);
  for (const { fromSeconds, toSeconds } of union(others)) {
    left = left.flatMap((part) => [
      ...clip([part], Number.NEGATIVE_INFINITY, fromSeconds),
      ...clip([part], toSeconds, Number.POSITIVE_INFINITY),
    ]);
  }
  return left;
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
