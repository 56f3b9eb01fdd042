import type { StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import type { SeriesSamples } from './past-series.ts';
import { coarseStepSeconds } from './sample-times.ts';

/** A series as the server has it, with all of its labels, and its samples of a range. */
export type StoredSeries = SeriesSamples;

/** The difference between a counter in a server and the report of the service. */
export type Difference =
  | { readonly kind: 'missing'; readonly within: TimeRange }
  | { readonly kind: 'doubled'; readonly series: number }
  | {
      readonly kind: 'wrong';
      readonly atSeconds: number;
      readonly value: number;
      /** The value from the report, or its upper bound if `isLimit`. */
      readonly expected: number;
      readonly isLimit?: true;
    };

/** The tolerance: values are whole seconds. */
const tolerance = 0.5;
/** The longest step between samples. */
const longestGapSeconds = coarseStepSeconds + 1;

/** The seconds in a state until a moment, from the report and not from written counters. */
function secondsUntil(spans: readonly StateSpan[], state: TalliedState, atSeconds: number): number {
  let seconds = 0;
  for (const span of spans) {
    if (span.state !== state) continue;
    seconds += Math.max(0, Math.min(span.toSeconds, atSeconds) - span.fromSeconds);
  }
  return seconds;
}

/** The first difference within a range of the past; undefined if there is none. */
export function differenceInPast(
  series: readonly StoredSeries[],
  spans: readonly StateSpan[],
  state: TalliedState,
  within: TimeRange,
): Difference | undefined {
  if (series.length > 1) return { kind: 'doubled', series: series.length };
  const samples = series[0]?.samples ?? [];
  let before = within.fromSeconds;
  for (const [atSeconds, value] of samples) {
    if (atSeconds - before > longestGapSeconds) return missing(before, atSeconds);
    // A sample shortly before the first sight has the value at first sight.
    const expected = secondsUntil(spans, state, Math.ceil(atSeconds));
    if (Math.abs(value - expected) > tolerance)
      return { kind: 'wrong', atSeconds, value, expected };
    before = atSeconds;
  }
  const isWhole = within.toSeconds - before <= longestGapSeconds;
  return isWhole ? undefined : missing(before, within.toSeconds);
}

/** The same across the first sight: the past, a 0, and a live counter that continues from it. */
export function differenceAtSeam(
  series: readonly StoredSeries[],
  spans: readonly StateSpan[],
  state: TalliedState,
  {
    fromSeconds,
    firstSeenSeconds,
  }: { readonly fromSeconds: number; readonly firstSeenSeconds: number },
): Difference | undefined {
  const past = series.map(({ labels, samples }) => ({
    labels,
    samples: samples.filter(([at]) => at < firstSeenSeconds),
  }));
  const within = { fromSeconds, toSeconds: firstSeenSeconds };
  const difference = differenceInPast(past, spans, state, within);
  if (difference !== undefined) return difference;
  const [first, ...live] = (series[0]?.samples ?? []).filter(([at]) => at >= firstSeenSeconds);
  if (first === undefined || first[0] > firstSeenSeconds + tolerance) {
    return missing(firstSeenSeconds, firstSeenSeconds);
  }
  for (const [atSeconds, value] of [first, ...live]) {
    const expected = atSeconds - firstSeenSeconds;
    if (value > expected + tolerance) {
      return { kind: 'wrong', atSeconds, value, expected: Math.round(expected), isLimit: true };
    }
  }
  return undefined;
}

function missing(fromSeconds: number, toSeconds: number): Difference {
  return { kind: 'missing', within: { fromSeconds, toSeconds } };
}
