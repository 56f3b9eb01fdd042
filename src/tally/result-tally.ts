import type { TimeRange } from '../domain/interval.ts';
import type { Result, ResultStatus } from '../domain/results.ts';
import { type CountryOf, type CountryTally, countByCountry } from './country-tally.ts';
import { emptyHistogram, observe, type ResponseHistogram } from './response-histogram.ts';
import { passRange, startWatermark, type Watermark } from './watermark.ts';

/** The raw results of one check, each counted once. */
export interface ResultTally {
  readonly watermark: Watermark;
  readonly counts: { readonly [S in ResultStatus]: number };
  readonly responseTimes: ResponseHistogram;
  /** Keyed by ISO code, ascending. Absent unless the configuration requests it. */
  readonly byCountry?: readonly CountryTally[];
}

export function startResultTally(
  startSeconds: number,
  boundsSeconds: readonly number[],
): ResultTally {
  return {
    watermark: startWatermark(startSeconds),
    counts: { up: 0, down: 0, unconfirmed_down: 0, unknown: 0 },
    responseTimes: emptyHistogram(boundsSeconds),
  };
}

/**
 * Counts the results of a range of which every page was read. A result is identified by its time
 * and its probe. Without `countryOf`, the counts by country are removed, because a gap in them
 * could not be filled.
 */
export function countResults(
  tally: ResultTally,
  range: TimeRange,
  results: readonly Result[],
  countryOf?: CountryOf,
): ResultTally {
  const entries = results.map((result) => ({
    atSeconds: result.atSeconds,
    key: String(result.probeId),
    result,
  }));
  const passed = passRange(tally.watermark, range, entries);
  const fresh = passed.fresh.map(({ result }) => result);
  const counts = { ...tally.counts };
  for (const { status } of fresh) counts[status] += 1;
  const times = fresh.flatMap(({ responseTimeSeconds }) => responseTimeSeconds ?? []);
  return {
    watermark: passed.watermark,
    counts,
    responseTimes: observe(tally.responseTimes, times),
    ...(countryOf !== undefined && {
      byCountry: countByCountry(tally.byCountry ?? [], fresh, countryOf),
    }),
  };
}
