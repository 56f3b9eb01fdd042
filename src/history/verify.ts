import type { StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import { coarseStepSeconds } from './sample-times.ts';

/** A series as a server has it, with its samples of a time in order. */
export interface StoredSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [atSeconds: number, value: number])[];
}

/** How a counter in a server differs from what the service reported. */
export type Difference =
  | { readonly kind: 'missing'; readonly within: TimeRange }
  | { readonly kind: 'doubled'; readonly series: number }
  | {
      readonly kind: 'wrong';
      readonly atSeconds: number;
      readonly value: number;
      /** What the service reported, or at most where `isLimit`. */
      readonly expected: number;
      readonly isLimit?: true;
    };

/** Values are whole seconds. */
const tolerance = 0.5;
/** Between samples of the longest step. */
const longestGapSeconds = coarseStepSeconds + 1;

/** Seconds in a state from the beginning of the spans until a moment: a sum over what the service reported, without the counters that were written. */
function secondsUntil(spans: readonly StateSpan[], state: TalliedState, atSeconds: number): number {
  let seconds = 0;
  for (const span of spans) {
    if (span.state !== state) continue;
    seconds += Math.max(0, Math.min(span.toSeconds, atSeconds) - span.fromSeconds);
  }
  return seconds;
}

/** The first difference within a time of the past; undefined where there is none. */
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
    // A sample just before the first sight has the value that is reached there.
    const expected = secondsUntil(spans, state, Math.ceil(atSeconds));
    if (Math.abs(value - expected) > tolerance)
      return { kind: 'wrong', atSeconds, value, expected };
    before = atSeconds;
  }
  const isWhole = within.toSeconds - before <= longestGapSeconds;
  return isWhole ? undefined : missing(before, within.toSeconds);
}

/** The same across the first sight: the past, a 0, and a live counter that counts from there. */
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
