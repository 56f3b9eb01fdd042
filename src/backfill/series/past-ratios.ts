import type { TimeRange } from '../../domain/interval.ts';
import { errorRatio, remainingRatio } from '../../slo/error-budget.ts';
import {
  type CountedSeconds,
  type ErrorRange,
  errorBudgetRange,
  errorRanges,
  rangeLengths,
} from '../../slo/range-seconds.ts';
import { subtract } from '../../tally/maintenance-tally.ts';
import type { PastCounters } from './past-counters.ts';
import type { PastItem } from './past-item.ts';
import { countersOf, type Past, type PastFamily, type SeriesSamples } from './past-series.ts';
import { fineStepSeconds } from './sample-times.ts';

type Sample = readonly [atSeconds: number, value: number];

/** The times of gauges: every 5 minutes of the last 30 days before the live gauges begin. */
function gaugeTimes(past: Past, within: TimeRange, fineFromSeconds: number): number[] {
  const from = Math.max(past.range.fromSeconds, within.fromSeconds, fineFromSeconds);
  const to = Math.min(past.range.toSeconds, within.toSeconds);
  const times: number[] = [];
  for (let at = Math.ceil(from / fineStepSeconds) * fineStepSeconds; at < to; ) {
    times.push(at);
    at += fineStepSeconds;
  }
  return times;
}

/** Seconds up and down in the window that ends at each time; undefined if it is not covered. */
function countedIn(
  past: Past,
  counters: PastCounters,
  window: ErrorRange,
  times: readonly number[],
): (CountedSeconds | undefined)[] {
  const length = rangeLengths[window];
  const ends = counters.at(times);
  const begins = counters.at(times.map((at) => at - length));
  return times.map((at, place) => {
    const [begin, end] = [begins[place]?.seconds, ends[place]?.seconds];
    if (at - length < past.range.fromSeconds || begin === undefined || end === undefined) {
      return undefined;
    }
    return { up: end.up - begin.up, down: end.down - begin.down };
  });
}

function outsideMaintenance({ occurrences, spans }: Past): PastCounters {
  return countersOf(spans, (span) => subtract([span], occurrences));
}

/** As the live gauges: the longest window always, others if down within 30 days. */
function errorRatioFamily(kind: PastItem['kind']): PastFamily {
  return {
    name: `uptime_${kind}_error_ratio`,
    kind,
    seriesOf: (past, within, fineFromSeconds) => {
      const times = gaugeTimes(past, within, fineFromSeconds);
      if (times.length === 0) return [];
      const counters = outsideMaintenance(past);
      const longest = countedIn(past, counters, errorBudgetRange, times);
      const hasDown = longest.map((counted) => counted !== undefined && counted.down > 0);
      return errorRanges.flatMap((window): SeriesSamples[] => {
        if (window !== errorBudgetRange && !hasDown.includes(true)) return [];
        const counted =
          window === errorBudgetRange ? longest : countedIn(past, counters, window, times);
        const samples = times.flatMap((at, place): Sample[] => {
          const ratio = ratioOf(counted[place]);
          const isShown = window === errorBudgetRange || hasDown[place] === true;
          return ratio === undefined || !isShown ? [] : [[at, ratio]];
        });
        return samples.length === 0 ? [] : [{ labels: { window }, samples }];
      });
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
      const times = gaugeTimes(past, within, fineFromSeconds);
      if (objective === undefined || times.length === 0) return [];
      const longest = countedIn(past, outsideMaintenance(past), errorBudgetRange, times);
      const samples = times.flatMap((at, place): Sample[] => {
        const ratio = ratioOf(longest[place]);
        return ratio === undefined ? [] : [[at, remainingRatio(ratio, objective)]];
      });
      return samples.length === 0 ? [] : [{ labels: {}, samples }];
    },
  };
}

function ratioOf(counted: CountedSeconds | undefined): number | undefined {
  return counted === undefined ? undefined : errorRatio(counted);
}

/** Gauges of the last 30 days, for graphs of error budgets over time. */
export const pastGaugeFamilies: readonly PastFamily[] = (['check', 'transaction'] as const).flatMap(
  (kind) => [errorRatioFamily(kind), remainingFamily(kind)],
);
