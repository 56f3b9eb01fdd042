import type { Objective } from './objectives.ts';
import {
  type CountedSeconds,
  type ErrorRange,
  errorBudgetRange,
  errorRanges,
  rangeLengths,
  type SecondsByRange,
} from './range-seconds.ts';

export type RatioByRange = { readonly [W in ErrorRange]?: number };

/** An item compared with its objective. Unknown values are absent. */
export interface ErrorBudget {
  readonly objective: Objective;
  /** Down ÷ (up + down); below 30 days only with a down second in 30 days. */
  readonly errorRatios: RatioByRange;
  /** 1 spends the error budget evenly over 30 days; only with a down second in 30 days. */
  readonly burnRates: RatioByRange;
  /** 1 when nothing is spent, negative when the error budget is overspent. */
  readonly remainingRatio?: number;
}

/**
 * `windowCount` is the number of items whose seconds are summed: a group of 10 checks counts at most 10 hours in an
 * hour.
 */
export function errorBudget(
  seconds: SecondsByRange,
  objective: Objective,
  windowCount: number = 1,
): ErrorBudget {
  const allowed = 1 - objective.ratio;
  const isSparse = (seconds[errorBudgetRange]?.down ?? longestKnown(seconds)?.down ?? 0) === 0;
  const errorRatios: { [W in ErrorRange]?: number } = {};
  const burnRates: { [W in ErrorRange]?: number } = {};
  for (const window of errorRanges) {
    if (isSparse && window !== errorBudgetRange) continue;
    const counted = seconds[window];
    if (counted === undefined) continue;
    const monitored = counted.up + counted.down;
    if (monitored > 0) errorRatios[window] = counted.down / monitored;
    if (isSparse) continue;
    const least = (rangeLengths[window] * windowCount) / 2;
    burnRates[window] = counted.down / Math.max(monitored, least) / allowed;
  }
  const spent = errorRatios[errorBudgetRange];
  return {
    objective,
    errorRatios,
    burnRates,
    ...(spent !== undefined && { remainingRatio: 1 - spent / allowed }),
  };
}

function longestKnown(seconds: SecondsByRange): CountedSeconds | undefined {
  return seconds[
    errorRanges.findLast((window) => seconds[window] !== undefined) ?? errorBudgetRange
  ];
}
