import type {
  AvailabilityTotals,
  CountryTotals,
  ResultTotals,
  SecondsByState,
} from '../domain/tally.ts';
import type { CountryTally } from '../tally/country-tally.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { RecentTally } from '../tally/recent-changes.ts';
import { resumeHistogram } from '../tally/response-histogram.ts';
import type { ResultTally } from '../tally/result-tally.ts';

/** What is counted of the states of a check or a transaction. */
export type StateTotals = RecentTally;

/** All that is counted of one check. It only grows, and is shown only when it is durable. */
export interface CheckTotals extends StateTotals {
  /** Absent when there has been no maintenance. */
  readonly maintenance?: SecondsByState;
  readonly results: ResultTally;
  readonly analyses: EventTally;
}

/**
 * Stored totals to go on with; response times counted in other buckets than these begin anew. Without such
 * it is the same object, by which the store knows what it has.
 */
export function resumedTotals(
  totals: CheckTotals,
  responseTimeBounds: readonly number[],
): CheckTotals {
  const { results } = totals;
  const responseTimes = resumeHistogram(results.responseTimes, responseTimeBounds);
  return responseTimes === results.responseTimes
    ? totals
    : { ...totals, results: { ...results, responseTimes } };
}

export function availabilityOf({
  states,
  maintenance,
}: StateTotals & Pick<CheckTotals, 'maintenance'>): AvailabilityTotals {
  const { seconds, outages, lastOutageSeconds } = states;
  return {
    seconds,
    outages,
    ...(lastOutageSeconds !== undefined && { lastOutageDurationSeconds: lastOutageSeconds }),
    ...(maintenance !== undefined && { maintenanceSeconds: maintenance }),
  };
}

export function resultTotalsOf({ counts, responseTimes, byCountry }: ResultTally): ResultTotals {
  return {
    byStatus: counts,
    responseTime: {
      bounds: responseTimes.boundsSeconds,
      counts: responseTimes.counts,
      sumSeconds: responseTimes.sumMilliseconds / 1000,
    },
    ...(byCountry !== undefined && { byCountry: byCountry.map(countryTotalsOf) }),
  };
}

function countryTotalsOf({ sumMilliseconds, ...counts }: CountryTally): CountryTotals {
  return { ...counts, responseTimeSumSeconds: sumMilliseconds / 1000 };
}

export function analysesOf({ counts }: EventTally): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
