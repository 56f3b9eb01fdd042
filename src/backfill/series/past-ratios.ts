import type { TimeRange } from '../../domain/interval.ts';
import { burnRate, errorRatio, remainingRatio } from '../../slo/error-budget.ts';
import {
  errorBudgetRange,
  errorRanges,
  rangeLengths,
  type SecondsByRange,
} from '../../slo/range-seconds.ts';
import type { PastItem } from './past-item.ts';
import type { Past, PastFamily, SeriesSamples } from './past-series.ts';
import { fineStepSeconds } from './sample-times.ts';

type Sample = readonly [atSeconds: number, value: number];

/**
 * Seconds up and down by range, at every 5 minutes of the last 30 days before the live gauges begin.
 * Absent before the range of the error budget is known.
 */
function secondsOf(
  past: Past,
  within: TimeRange,
  fineFromSeconds: number,
): readonly (readonly [atSeconds: number, seconds: SecondsByRange])[] {
  const firstFull = past.range.fromSeconds + rangeLengths[errorBudgetRange];
  const from = Math.max(firstFull, within.fromSeconds, fineFromSeconds);
  const to = Math.min(past.range.toSeconds, within.toSeconds);
  const times: number[] = [];
  for (let at = Math.ceil(from / fineStepSeconds) * fineStepSeconds; at < to; ) {
    times.push(at);
    at += fineStepSeconds;
  }
  return past.secondsAt(times).map((seconds, place) => [times[place] ?? 0, seconds]);
}

/** As the live gauges: the longest range always, others if down within 30 days. */
function errorRatioFamily(kind: PastItem['kind']): PastFamily {
  return {
    name: `uptime_${kind}_error_ratio`,
    kind,
    seriesOf: (past, within, fineFromSeconds) => {
      const counted = secondsOf(past, within, fineFromSeconds);
      return errorRanges.flatMap((range): SeriesSamples[] => {
        const samples = counted.flatMap(([at, seconds]): Sample[] => {
          const hasDown = (seconds[errorBudgetRange]?.down ?? 0) > 0;
          const isShown = range === errorBudgetRange || hasDown;
          const ratio = errorRatio(seconds[range] ?? { up: 0, down: 0 });
          return ratio === undefined || !isShown ? [] : [[at, ratio]];
        });
        return samples.length === 0 ? [] : [{ labels: { window: range }, samples }];
      });
    },
  };
}

/** Of the range that boards draw by day; computed with the present objective. */
function burnRateFamily(kind: PastItem['kind']): PastFamily {
  const range = '1d';
  return {
    name: `uptime_${kind}_burn_rate`,
    kind,
    seriesOf: (past, within, fineFromSeconds) => {
      const { objective } = past.item;
      if (objective === undefined) return [];
      const counted = secondsOf(past, within, fineFromSeconds);
      const samples = counted.flatMap(([at, seconds]): Sample[] =>
        (seconds[errorBudgetRange]?.down ?? 0) > 0
          ? [[at, burnRate(seconds[range] ?? { up: 0, down: 0 }, range, objective)]]
          : [],
      );
      return samples.length === 0 ? [] : [{ labels: { window: range }, samples }];
    },
  };
}

/** Computed with the present objective. */
function remainingFamily(kind: PastItem['kind']): PastFamily {
  return {
    name: `uptime_${kind}_error_budget_remaining_ratio`,
    kind,
    seriesOf: (past, within, fineFromSeconds) => {
      const { objective } = past.item;
      if (objective === undefined) return [];
      const counted = secondsOf(past, within, fineFromSeconds);
      const samples = counted.flatMap(([at, seconds]): Sample[] => {
        const ratio = errorRatio(seconds[errorBudgetRange] ?? { up: 0, down: 0 });
        return ratio === undefined ? [] : [[at, remainingRatio(ratio, objective)]];
      });
      return samples.length === 0 ? [] : [{ labels: {}, samples }];
    },
  };
}

/** Gauges of the last 30 days, for graphs of error budgets over time. */
export const pastGaugeFamilies: readonly PastFamily[] = (['check', 'transaction'] as const).flatMap(
  (kind) => [errorRatioFamily(kind), burnRateFamily(kind), remainingFamily(kind)],
);
