import { z } from 'zod';
import type { PerformanceInterval, Resolution } from '../../domain/averages.ts';
import type { TimeRange } from '../../domain/interval.ts';
import { present } from '../../lib/present.ts';
import { instant, mean, number, seconds } from '../decoding/fields.ts';
import { decodedBy, positiveInteger, readWhole } from '../list.ts';
import { type PerformanceQuery, type Reader, timeRangeParameters } from '../reader.ts';
import type { Listing } from '../service.ts';

/** Name of the array in the response (API 3.1, section 2.9). */
const intervalFields = { hour: 'hours', day: 'days', week: 'weeks' } as const;

const lengthSeconds = { hour: 3600, day: 86_400, week: 7 * 86_400 } as const;

/** Attributes that the intervals of checks and of transactions have in common. */
export const wireAmounts = { uptime: number, downtime: number, unmonitored: number };

const wireInterval = z.object({ starttime: instant, avgresponse: number, ...wireAmounts });

interface IntervalAmounts {
  readonly startAtSeconds: number;
  readonly averageResponseTimeSeconds: number | undefined;
  readonly uptime?: number | null | undefined;
  readonly downtime?: number | null | undefined;
  readonly unmonitored?: number | null | undefined;
}

/** The measurements of an interval, and whether the whole interval is within the period. */
export function measuredInterval(
  amounts: IntervalAmounts,
  period: TimeRange,
  resolution: Resolution,
): PerformanceInterval {
  const { startAtSeconds, averageResponseTimeSeconds } = amounts;
  return present({
    startAtSeconds,
    complete:
      startAtSeconds >= period.fromSeconds &&
      startAtSeconds + lengthSeconds[resolution] <= period.toSeconds,
    averageResponseTimeSeconds,
    upSeconds: seconds(amounts.uptime),
    downSeconds: seconds(amounts.downtime),
    unmonitoredSeconds: seconds(amounts.unmonitored),
  });
}

function intervalList(period: TimeRange, resolution: Resolution) {
  return {
    field: intervalFields[resolution],
    decode: decodedBy(wireInterval, (wire) => {
      const { starttime: startAtSeconds, avgresponse, ...amounts } = wire;
      const averageResponseTimeSeconds = mean(avgresponse, 1000);
      const measured = { ...amounts, startAtSeconds, averageResponseTimeSeconds };
      return measuredInterval(measured, period, resolution);
    }),
    requiredFields: { starttime: positiveInteger },
    keyOf: ({ startAtSeconds }: PerformanceInterval) => startAtSeconds,
    areParts: true,
  };
}

export const byStart = (a: PerformanceInterval, b: PerformanceInterval) =>
  a.startAtSeconds - b.startAtSeconds;

const operation = 'get_performance';

/** The measurements of each hour, day or week of a period, in order (API 3.1, section 4.4). */
export async function getPerformance(
  reader: Reader,
  query: PerformanceQuery,
  signal: AbortSignal,
): Promise<Listing<PerformanceInterval>> {
  const { checkId, resolution } = query;
  const path = `summary.performance/${checkId}`;
  const parameters = {
    ...timeRangeParameters(query),
    resolution,
    includeuptime: true,
    order: 'asc',
  };
  const form = intervalList(query, resolution);
  const request = { operation, path, query: parameters, signal };
  const { items, rejected } = await readWhole(reader, form, request, 'summary');
  return { items: items.toSorted(byStart), rejected };
}
