import type { StateSpan, TalliedState, TimeRange } from '../../domain/interval.ts';
import { errorRatio, remainingRatio } from '../../slo/error-budget.ts';
import {
  type CountedSeconds,
  type ErrorRange,
  errorBudgetRange,
  rangeLengths,
} from '../../slo/range-seconds.ts';
import { subtract } from '../../tally/maintenance-tally.ts';
import type { Past, SeriesSamples } from './past-series.ts';
import { coarseStepSeconds, fineStepSeconds } from './sample-times.ts';

/** A series as the server has it, with all of its labels, and its samples of a range. */
export type StoredSeries = SeriesSamples;

/** The difference between a server and the report of the service. */
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
    }
  /** A live ratio that the past before it does not allow. */
  | {
      readonly kind: 'jump';
      readonly atSeconds: number;
      readonly value: number;
      readonly least: number;
      readonly most: number;
    };

/** The tolerance of counters: values are whole seconds. */
const tolerance = 0.5;
/** The tolerance of ratios: servers and formats round. */
const ratioTolerance = 1e-9;
/** The longest step between samples of a counter. */
const longestGapSeconds = coarseStepSeconds + 1;

/** The seconds in a state until a moment, from the report and not from written counters. */
function secondsUntil(spans: readonly StateSpan[], state: TalliedState, atSeconds: number): number {
  let seconds = 0;
  for (const span of spans) {
    if (span.state === state) seconds += overlap(span, { fromSeconds: 0, toSeconds: atSeconds });
  }
  return seconds;
}

/** Every gap within a range of the past, and the first wrong sample. */
export function differencesInPast(
  series: readonly StoredSeries[],
  spans: readonly StateSpan[],
  state: TalliedState,
  within: TimeRange,
): Difference[] {
  if (series.length > 1) return [{ kind: 'doubled', series: series.length }];
  const differences: Difference[] = [];
  let before = within.fromSeconds;
  for (const [atSeconds, value] of series[0]?.samples ?? []) {
    if (atSeconds - before > longestGapSeconds) differences.push(missing(before, atSeconds));
    // A sample shortly before the first sight has the value at first sight.
    const expected = secondsUntil(spans, state, Math.ceil(atSeconds));
    if (Math.abs(value - expected) > tolerance)
      return [...differences, { kind: 'wrong', atSeconds, value, expected }];
    before = atSeconds;
  }
  const isWhole = within.toSeconds - before <= longestGapSeconds;
  return isWhole ? differences : [...differences, missing(before, within.toSeconds)];
}

/** The same across the first sight: the past, a 0, and a live counter that continues from it. */
export function differencesAtSeam(
  series: readonly StoredSeries[],
  spans: readonly StateSpan[],
  state: TalliedState,
  {
    fromSeconds,
    firstSeenSeconds,
  }: { readonly fromSeconds: number; readonly firstSeenSeconds: number },
): Difference[] {
  const past = series.map(({ labels, samples }) => ({
    labels,
    samples: samples.filter(([at]) => at < firstSeenSeconds),
  }));
  const within = { fromSeconds, toSeconds: firstSeenSeconds };
  const differences = differencesInPast(past, spans, state, within);
  if (differences.length > 0) return differences;
  const [first, ...live] = (series[0]?.samples ?? []).filter(([at]) => at >= firstSeenSeconds);
  if (first === undefined || first[0] > firstSeenSeconds + tolerance) {
    return [missing(firstSeenSeconds, firstSeenSeconds)];
  }
  for (const [atSeconds, value] of [first, ...live]) {
    const expected = atSeconds - firstSeenSeconds;
    if (value > expected + tolerance) {
      const limit = Math.round(expected);
      return [{ kind: 'wrong', atSeconds, value, expected: limit, isLimit: true }];
    }
  }
  return [];
}

/** The error ratios of an item, from the report and not from written counters. */
export class ReportedRatios {
  readonly #past: Past;
  readonly #parts: readonly StateSpan[];

  constructor(past: Past) {
    this.#past = past;
    this.#parts = past.spans.flatMap((span) =>
      subtract([span], past.occurrences).map((part) => ({ ...part, state: span.state })),
    );
  }

  /** The error ratio of the range that ends at a moment; undefined if the history has none. */
  at(range: ErrorRange, atSeconds: number): number | undefined {
    const longest = this.#countedBefore(atSeconds, errorBudgetRange);
    if (range === errorBudgetRange) return errorRatio(longest);
    return longest.down === 0 ? undefined : errorRatio(this.#countedBefore(atSeconds, range));
  }

  /** The error budget at a moment; undefined if the history has none. */
  budgetAt(atSeconds: number): number | undefined {
    const ratio = this.at(errorBudgetRange, atSeconds);
    const { objective } = this.#past.item;
    if (ratio === undefined || objective === undefined) return undefined;
    return remainingRatio(ratio, objective);
  }

  /**
   * The first live ratio that the reported past does not allow, whatever the item has done since
   * its first sight.
   */
  jumpIn(series: readonly StoredSeries[]): Difference[] {
    const { range, firstSeenSeconds } = this.#past;
    const length = rangeLengths[errorBudgetRange];
    if (range.fromSeconds > firstSeenSeconds - length) return [];
    const whole = this.#countedBefore(firstSeenSeconds, errorBudgetRange);
    for (const [atSeconds, value] of series[0]?.samples ?? []) {
      const since = atSeconds - firstSeenSeconds;
      const rest = this.#counted({ fromSeconds: atSeconds - length, toSeconds: firstSeenSeconds });
      const least = errorRatio({ up: whole.up + since, down: rest.down }) ?? 0;
      const most = errorRatio({ up: rest.up, down: whole.down + since }) ?? 1;
      if (value < least - ratioTolerance || value > most + ratioTolerance) {
        return [{ kind: 'jump', atSeconds, value, least, most }];
      }
    }
    return [];
  }

  #countedBefore(toSeconds: number, range: ErrorRange): CountedSeconds {
    return this.#counted({ fromSeconds: toSeconds - rangeLengths[range], toSeconds });
  }

  #counted(within: TimeRange): CountedSeconds {
    const counted = { up: 0, down: 0 };
    for (const part of this.#parts) {
      if (part.state === 'up' || part.state === 'down') {
        counted[part.state] += overlap(part, within);
      }
    }
    return counted;
  }
}

/**
 * The range in which a history has error ratios: its last days, after a whole range of the error
 * budget. Undefined if it has none.
 */
export function ratioRange({ range }: Past, fineFromSeconds: number): TimeRange | undefined {
  const firstFull = range.fromSeconds + rangeLengths[errorBudgetRange];
  const fromSeconds = Math.max(firstFull, fineFromSeconds);
  return fromSeconds < range.toSeconds ? { fromSeconds, toSeconds: range.toSeconds } : undefined;
}

/** Every gap of a ratio within a range of the past, and the first wrong sample. */
export function differencesOfRatio(
  series: readonly StoredSeries[],
  within: TimeRange,
  expectedAt: (atSeconds: number) => number | undefined,
): Difference[] {
  if (series.length > 1) return [{ kind: 'doubled', series: series.length }];
  const values = new Map(series[0]?.samples);
  const differences: Difference[] = [];
  let gapFrom: number | undefined;
  const first = Math.ceil(within.fromSeconds / fineStepSeconds) * fineStepSeconds;
  for (let at = first; at < within.toSeconds; at += fineStepSeconds) {
    const [value, expected] = [values.get(at), expectedAt(at)];
    if (value === undefined && expected !== undefined) {
      gapFrom ??= at;
      continue;
    }
    if (gapFrom !== undefined) differences.push(missing(gapFrom, at));
    gapFrom = undefined;
    if (value === undefined || expected === undefined) continue;
    if (Math.abs(value - expected) > ratioTolerance * Math.max(1, Math.abs(expected))) {
      return [...differences, { kind: 'wrong', atSeconds: at, value, expected }];
    }
  }
  if (gapFrom !== undefined) differences.push(missing(gapFrom, within.toSeconds));
  return differences;
}

function overlap(a: TimeRange, b: TimeRange): number {
  const from = Math.max(a.fromSeconds, b.fromSeconds);
  return Math.max(0, Math.min(a.toSeconds, b.toSeconds) - from);
}

function missing(fromSeconds: number, toSeconds: number): Difference {
  return { kind: 'missing', within: { fromSeconds, toSeconds } };
}
