import type { AvailabilityTotals, ResultTotals } from '../domain/tally.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { ResultTally } from '../tally/result-tally.ts';
import type { StateSeconds } from '../tally/state-seconds.ts';
import type { StateTally } from '../tally/state-tally.ts';

/** What is counted of the states of a check or a transaction. */
export interface StateTotals {
  readonly states: StateTally;
  /** Absent when there has been no maintenance. */
  readonly maintenance?: StateSeconds;
}

/** All that is counted of one check. It only grows, and is shown only when it is durable. */
export interface CheckTotals extends StateTotals {
  readonly results: ResultTally;
  readonly analyses: EventTally;
}

export function availabilityOf({ states, maintenance }: StateTotals): AvailabilityTotals {
  const { seconds, outages, lastOutageSeconds } = states;
  return {
    seconds,
    outages,
    ...(lastOutageSeconds !== undefined && { lastOutageDurationSeconds: lastOutageSeconds }),
    ...(maintenance !== undefined && { maintenanceSeconds: maintenance }),
  };
}

export function resultTotalsOf(tally: ResultTally, bounds: readonly number[]): ResultTotals {
  const { counts, sumMilliseconds } = tally.responseTimes;
  return {
    byStatus: tally.counts,
    responseTime: { bounds, counts, sumSeconds: sumMilliseconds / 1000 },
  };
}

export function analysesOf({ counts }: EventTally): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
