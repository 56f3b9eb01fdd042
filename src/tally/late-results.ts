import type { TimeRange } from '../domain/interval.ts';
import type { Result } from '../domain/results.ts';
import { longestLagSeconds } from './list-times.ts';
import type { Watermark } from './watermark.ts';

/** Tests run slightly early or late. This share of the time between two tests is tolerated. */
const jitter = 0.1;
/** In seconds. No check is tested more often; results closer to each other confirm a failure. */
const shortestResolutionSeconds = 60;

/** The shortest time between two tests, in seconds. */
const shortestStepSeconds = shortestResolutionSeconds * (1 - jitter);

/** The resolution of a check in the list that was read at this time (UNIX seconds). */
interface ListedResolution {
  readonly resolutionSeconds: number;
  readonly listedAtSeconds: number;
}

/**
 * The part of a range whose results are complete. If a test was due but has no result, the result
 * may still arrive after later ones. The range ends right after the test before it, because an edit
 * of the check can make the next test come early, until no result can lag that long
 * (`longestLagSeconds`). A test that comes early after the list was read shows such an edit, and
 * the new resolution is not known yet: the range ends before it. `results` include the last one
 * before the watermark, because the next test is due one resolution after it (`withTestBefore`).
 */
export function withoutLateResults(
  { atSeconds }: Watermark,
  { fromSeconds, toSeconds }: TimeRange,
  results: readonly Result[],
  { resolutionSeconds, listedAtSeconds }: ListedResolution,
  nowSeconds: number,
): TimeRange {
  const times = results.map((result) => result.atSeconds).sort((a, b) => a - b);
  const stepSeconds = shortestStep(times, resolutionSeconds);
  // Without an earlier result, one that comes a whole resolution later is not the first.
  let previous = times.findLast((time) => time < atSeconds) ?? atSeconds - 2 * jitter * stepSeconds;
  let complete: number = atSeconds;
  for (const time of times) {
    if (time < atSeconds) continue;
    if (time > previous + stepSeconds * (1 + jitter)) break;
    if (time > listedAtSeconds && isEarly(time - previous, resolutionSeconds)) break;
    previous = time;
    complete = time + 1;
  }
  const settled = Math.min(toSeconds, nowSeconds - longestLagSeconds);
  return {
    fromSeconds,
    toSeconds: Math.max(atSeconds, settled, Math.min(toSeconds, complete)),
  };
}

/** Whether a test comes before one is due; two results that are closer confirm a failure. */
function isEarly(step: number, resolutionSeconds: number): boolean {
  return step >= shortestStepSeconds && step < resolutionSeconds * (1 - jitter);
}

/** The range to request, which begins before the last test that the watermark has passed. */
export function withTestBefore(
  { atSeconds }: Watermark,
  { fromSeconds, toSeconds }: TimeRange,
  resolutionSeconds: number,
): TimeRange {
  const longestStep = Math.ceil(resolutionSeconds * (1 + jitter));
  return { fromSeconds: Math.min(fromSeconds, atSeconds - longestStep), toSeconds };
}

/** The shortest time between results. A lagging list may have the previous, longer one. */
function shortestStep(times: readonly number[], resolutionSeconds: number): number {
  let shortest = resolutionSeconds;
  for (const [place, time] of times.entries()) {
    const step = time - (times[place - 1] ?? Number.NEGATIVE_INFINITY);
    if (step >= shortestStepSeconds) shortest = Math.min(shortest, step);
  }
  return shortest;
}
