import type { Objective } from './objectives.ts';
import {
  type CountedSeconds,
  type ErrorRange,
  errorBudgetRange,
  errorRanges,
  rangeLengths,
  type SecondsByRange,
} from './range-seconds.ts';

export type RatioByRange = { readonly [R in ErrorRange]?: number };

/** The error budget of an item for its objective. Unknown values are absent. */
export interface ErrorBudget {
  readonly objective: Objective;
  /** Down ÷ (up + down) by range; only of 30 days for an item that was never down. */
  readonly errorRatios: RatioByRange;
  /** By range; 1 spends the budget evenly over 30 days. Empty if the item was never down. */
  readonly burnRates: RatioByRange;
  /** 1 if none of the error budget is spent, negative if it is overspent. */
  readonly remainingRatio?: number;
}

/**
 * Computes an error budget. `items` is the number of items whose seconds are summed: a group
 * of 10 checks has up to 10 hours of up and down time in an hour.
 */
export function errorBudget(
  seconds: SecondsByRange,
  objective: Objective,
  items: number = 1,
): ErrorBudget {
  const isSparse = (seconds[errorBudgetRange]?.down ?? longestKnown(seconds)?.down ?? 0) === 0;
  const errorRatios: { [R in ErrorRange]?: number } = {};
  const burnRates: { [R in ErrorRange]?: number } = {};
  for (const range of errorRanges) {
    if (isSparse && range !== errorBudgetRange) continue;
    const counted = seconds[range];
    if (counted === undefined) continue;
    const ratio = errorRatio(counted);
    if (ratio !== undefined) errorRatios[range] = ratio;
    if (isSparse) continue;
    burnRates[range] = burnRate(counted, range, objective.ratio, items);
  }
  const spent = errorRatios[errorBudgetRange];
  return {
    objective,
    errorRatios,
    burnRates,
    ...(spent !== undefined && { remainingRatio: remainingRatio(spent, objective.ratio) }),
  };
}

/** Returns whether a budget of these seconds has no ratio, because 30 days are not known. */
export function hasNoRatio(seconds: SecondsByRange): boolean {
  return seconds[errorBudgetRange] === undefined && (longestKnown(seconds)?.down ?? 0) === 0;
}

/** Down ÷ (up + down); undefined if both are 0. */
export function errorRatio({ up, down }: CountedSeconds): number | undefined {
  return up + down > 0 ? down / (up + down) : undefined;
}

/** How many times faster than evenly; a range of which less than half is known counts as half. */
export function burnRate(
  { up, down }: CountedSeconds,
  range: ErrorRange,
  objective: number,
  items: number = 1,
): number {
  const least = (rangeLengths[range] * items) / 2;
  return down / Math.max(up + down, least) / permittedShare(objective);
}

/** The remaining share of the budget after 30 days with this ratio; `objective` such as 0.999. */
export function remainingRatio(errorRatioOf30Days: number, objective: number): number {
  return 1 - errorRatioOf30Days / permittedShare(objective);
}

/** Rounded, so that a budget that is exactly spent is not overspent: 1 − 0.9 is a little less than 0.1. */
function permittedShare(objective: number): number {
  return Number((1 - objective).toFixed(12));
}

function longestKnown(seconds: SecondsByRange): CountedSeconds | undefined {
  return seconds[errorRanges.findLast((range) => seconds[range] !== undefined) ?? errorBudgetRange];
}
