import type { Objective } from './objectives.ts';
import {
  budgetWindow,
  type CountedSeconds,
  type ErrorWindow,
  errorWindows,
  type SecondsByWindow,
  windowLengths,
} from './window-seconds.ts';

export type RatioByWindow = { readonly [W in ErrorWindow]?: number };

/** An item compared with its objective. Unknown values are absent. */
export interface ErrorBudget {
  readonly objective: Objective;
  /** Down ÷ (up + down); below 30 days only with a down second in 30 days. */
  readonly errorRatios: RatioByWindow;
  /** 1 spends the error budget evenly over 30 days; only with a down second in 30 days. */
  readonly burnRates: RatioByWindow;
  /** 1 when nothing is spent, negative when the error budget is overspent. */
  readonly remainingRatio?: number;
}

/**
 * `windowCount` is the number of items whose seconds are summed: a group of 10 checks counts at most 10 hours in an
 * hour.
 */
export function errorBudget(
  seconds: SecondsByWindow,
  objective: Objective,
  windowCount: number = 1,
): ErrorBudget {
  const allowed = 1 - objective.ratio;
  const isSparse = (seconds[budgetWindow]?.down ?? longestKnown(seconds)?.down ?? 0) === 0;
  const errorRatios: { [W in ErrorWindow]?: number } = {};
  const burnRates: { [W in ErrorWindow]?: number } = {};
  for (const window of errorWindows) {
    if (isSparse && window !== budgetWindow) continue;
    const counted = seconds[window];
    if (counted === undefined) continue;
    const monitored = counted.up + counted.down;
    if (monitored > 0) errorRatios[window] = counted.down / monitored;
    if (isSparse) continue;
    const least = (windowLengths[window] * windowCount) / 2;
    burnRates[window] = counted.down / Math.max(monitored, least) / allowed;
  }
  const spent = errorRatios[budgetWindow];
  return {
    objective,
    errorRatios,
    burnRates,
    ...(spent !== undefined && { remainingRatio: 1 - spent / allowed }),
  };
}

function longestKnown(seconds: SecondsByWindow): CountedSeconds | undefined {
  return seconds[errorWindows.findLast((window) => seconds[window] !== undefined) ?? budgetWindow];
}
