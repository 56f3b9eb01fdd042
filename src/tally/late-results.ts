import type { TimeRange } from '../domain/interval.ts';
import type { Result } from '../domain/results.ts';
import { longestLagSeconds } from './list-times.ts';
import type { Watermark } from './watermark.ts';

/** Tests are not on the second: this share of the time between two of them is tolerated. */
const jitter = 0.1;
/** No check is tested more often; results that are closer to each other confirm a failure. */
const shortestResolutionSeconds = 60;

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
  const stepSeconds = shortestStep(times, resolutionSeconds);
  let complete = atSeconds;
  let latest = stepSeconds * (1 + jitter);
  for (const time of times) {
    if (time < atSeconds) continue;
    if (time > complete + latest) break;
    complete = time + stepSeconds / 2;
    latest = stepSeconds * (0.5 + jitter);
  }
  const settled = Math.min(toSeconds, nowSeconds - longestLagSeconds);
  return {
    fromSeconds,
    toSeconds: Math.max(atSeconds, settled, Math.min(toSeconds, Math.floor(complete))),
  };
}

/** The time between two tests: a list that lags may still have the longer resolution of before. */
function shortestStep(times: readonly number[], resolutionSeconds: number): number {
  let shortest = resolutionSeconds;
  for (const [place, time] of times.entries()) {
    const step = time - (times[place - 1] ?? Number.NEGATIVE_INFINITY);
    if (step >= shortestResolutionSeconds * (1 - jitter)) shortest = Math.min(shortest, step);
  }
  return shortest;
}
