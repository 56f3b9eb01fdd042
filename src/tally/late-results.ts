import type { TimeRange } from '../domain/interval.ts';
import type { Result } from '../domain/results.ts';
import { neighbouringTests } from './list-evidence.ts';
import { longestLagSeconds } from './list-times.ts';
import type { Watermark } from './watermark.ts';

/** In seconds. No check is tested more often. */
const shortestResolutionSeconds = 60;

/** In seconds. A result that comes sooner after a first failed test repeats it. */
const shortestStepSeconds = shortestResolutionSeconds / neighbouringTests;

/** What the list that was read at this time (UNIX seconds) has of a check. */
interface Listed {
  readonly listedAtSeconds: number;
  readonly resolutionSeconds: number;
  readonly lastErrorAtSeconds?: number;
}

/**
 * The part of a range whose results are complete. The others wait until no result can lag so long
 * (`longestLagSeconds`) where one may be missing:
 * - A test was due and has no result. The range ends right after the test before it, because an edit of
 *   the check can make the next test come early.
 * - A test comes early and is younger than the list: the check was edited, and its new resolution is not
 *   known yet.
 * - No other probe has repeated a first failed test within seconds, or a failed test has no first one
 *   before it: the documents do not say whether failures are repeated.
 * - The list has an error without a result.
 *
 * `results` include the last one before the watermark, because the next test is due one resolution after
 * it (`withTestBefore`).
 */
export function withoutLateResults(
  { atSeconds }: Watermark,
  { fromSeconds, toSeconds }: TimeRange,
  results: readonly Result[],
  { listedAtSeconds, resolutionSeconds, lastErrorAtSeconds = 0 }: Listed,
  nowSeconds: number,
): TimeRange {
  const inOrder = results.toSorted((a, b) => a.atSeconds - b.atSeconds);
  const stepSeconds = shortestStep(inOrder, resolutionSeconds);
  // Without an earlier result, one that comes a whole resolution later is not the first.
  let dueSeconds = atSeconds - stepSeconds / 2;
  const lacksError =
    lastErrorAtSeconds >= atSeconds && results.every((one) => one.atSeconds !== lastErrorAtSeconds);
  let previous: Result | undefined;
  let complete: number = atSeconds;
  for (const result of inOrder) {
    const time = result.atSeconds;
    const isRepeated = repeats(previous, result);
    if (time >= atSeconds && time !== previous?.atSeconds) {
      const step = time - dueSeconds;
      if (step > stepSeconds * neighbouringTests) break;
      if (lacksError && time > lastErrorAtSeconds) break;
      if (!isRepeated && time > listedAtSeconds && isEarly(step, resolutionSeconds)) break;
      if (!isRepeated && lacksFailure(previous, result)) break;
      complete = time + 1;
    }
    if (!isRepeated) dueSeconds = time;
    previous = result;
  }
  const settled = Math.min(toSeconds, nowSeconds - longestLagSeconds);
  return {
    fromSeconds,
    toSeconds: Math.max(atSeconds, settled, Math.min(toSeconds, complete)),
  };
}

/** Whether another probe has repeated a first failed test. */
function repeats(previous: Result | undefined, { atSeconds }: Result): boolean {
  if (previous?.status !== 'unconfirmed_down') return false;
  return atSeconds - previous.atSeconds < shortestStepSeconds;
}

/** Whether the repetition of a failed test may be missing, or the first failed one before this. */
function lacksFailure(previous: Result | undefined, { status }: Result): boolean {
  if (previous === undefined) return false;
  if (previous.status === 'unconfirmed_down') return true;
  return status === 'down' && previous.status !== 'down';
}

/** Whether a test comes before one is due. */
function isEarly(step: number, resolutionSeconds: number): boolean {
  return step >= shortestStepSeconds && step < resolutionSeconds / neighbouringTests;
}

/** The range to request, which begins before the last test that the watermark has passed. */
export function withTestBefore(
  { atSeconds }: Watermark,
  { fromSeconds, toSeconds }: TimeRange,
  resolutionSeconds: number,
): TimeRange {
  const longestStep = Math.ceil(resolutionSeconds * neighbouringTests);
  return { fromSeconds: Math.min(fromSeconds, atSeconds - longestStep), toSeconds };
}

/** The shortest time between due tests. A lagging list may have the previous, longer one. */
function shortestStep(inOrder: readonly Result[], resolutionSeconds: number): number {
  let shortest = resolutionSeconds;
  let dueSeconds = Number.NEGATIVE_INFINITY;
  for (const [place, result] of inOrder.entries()) {
    if (repeats(inOrder[place - 1], result)) continue;
    const step = result.atSeconds - dueSeconds;
    if (step >= shortestStepSeconds) shortest = Math.min(shortest, step);
    dueSeconds = result.atSeconds;
  }
  return Math.max(shortest, shortestResolutionSeconds);
}
