import type { Result, ResultStatus } from '../domain/result.ts';
import { emptyHistogram, observe, type ResponseHistogram } from './response-histogram.ts';
import { pass, startWatermark, type TimeRange, type Watermark } from './watermark.ts';

/** The raw results of one check, each counted once. */
export interface ResultTally {
  readonly watermark: Watermark;
  readonly counts: { readonly [S in ResultStatus]: number };
  readonly responseTimes: ResponseHistogram;
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

/** Counts the results of a range of which every page was read. A result is known by its time and its probe. */
export function countResults(
  tally: ResultTally,
  range: TimeRange,
  results: readonly Result[],
  boundsSeconds: readonly number[],
): ResultTally {
  const entries = results.map((result) => ({
    atSeconds: result.atSeconds,
    key: String(result.probeId),
    result,
  }));
  const { fresh, watermark } = pass(tally.watermark, range, entries);
  const counts = { ...tally.counts };
  for (const { result } of fresh) counts[result.status] += 1;
  const times = fresh.flatMap(({ result }) => result.responseTimeSeconds ?? []);
  return { watermark, counts, responseTimes: observe(tally.responseTimes, boundsSeconds, times) };
}
