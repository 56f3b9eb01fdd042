import type { TimeRange } from '../domain/interval.ts';
import type { Result } from '../domain/results.ts';
import { longestLagSeconds } from './list-reading.ts';
import type { Watermark } from './watermark.ts';

/** Tests are not on the second: this share of the time between two of them is tolerated. */
const jitter = 0.1;

/**
 * The part of a range whose results are all there. Where a test was due and has no result, the result may come later
 * than its neighbours; the range ends before it, until no result can lag so far any more.
 */
export function withoutLateResults(
  { atSeconds }: Watermark,
  { fromSeconds, toSeconds }: TimeRange,
  results: readonly Result[],
  resolutionSeconds: number,
  nowSeconds: number,
): TimeRange {
  const times = results.map((result) => result.atSeconds).sort((a, b) => a - b);
  let complete = atSeconds;
  let latest = resolutionSeconds * (1 + jitter);
  for (const time of times) {
    if (time < atSeconds) continue;
    if (time > complete + latest) break;
    complete = time + resolutionSeconds / 2;
    latest = resolutionSeconds * (0.5 + jitter);
  }
  const settled = Math.min(toSeconds, nowSeconds - longestLagSeconds);
  return {
    fromSeconds,
    toSeconds: Math.max(atSeconds, settled, Math.min(toSeconds, Math.floor(complete))),
  };
}
