import type { PerformanceInterval } from '../domain/averages.ts';
import { longestLagSeconds } from '../tally/list-times.ts';
import { type KnownStates, spansSince } from './state-log.ts';

const hourSeconds = 3_600;

/**
 * Marks hours as incomplete if the report may lack tests of them, or the confirmation of a failure.
 * An hour is final if its seconds are those that the counters have of it, or once every report must
 * include the first test after it.
 */
export function settledHours<I extends PerformanceInterval>(
  hours: readonly I[],
  known: KnownStates,
  nowSeconds: number,
  resolutionSeconds: number = hourSeconds,
): readonly I[] {
  return hours.map((hour) => {
    const settledAtSeconds =
      hour.startAtSeconds + hourSeconds + resolutionSeconds + longestLagSeconds;
    const isFinal = nowSeconds >= settledAtSeconds || isCounted(hour, known);
    return isFinal ? hour : { ...hour, complete: false };
  });
}

/** Whether the item was up and down in the hour for as long as the report has it. */
function isCounted(hour: PerformanceInterval, known: KnownStates): boolean {
  const { startAtSeconds, upSeconds, downSeconds } = hour;
  const endSeconds = startAtSeconds + hourSeconds;
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  for (const { state, fromSeconds, toSeconds } of spansSince(known, startAtSeconds)) {
    seconds[state] += Math.max(0, Math.min(toSeconds, endSeconds) - fromSeconds);
  }
  const { up, down } = seconds;
  return up + down === hourSeconds && up === upSeconds && down === downSeconds;
}

/** The last complete hour whose seconds, if reported, add up to an hour. */
export function lastHour<I extends PerformanceInterval>(hours: readonly I[]): I | undefined {
  return hours.findLast((hour) => hour.complete && addsUp(hour) !== false);
}

/** Returns whether the hour after the known one has not ended at `untilSeconds`. */
export function isLastHour(known: PerformanceInterval | undefined, untilSeconds: number): boolean {
  return known !== undefined && untilSeconds < known.startAtSeconds + 2 * hourSeconds;
}

/** Whether the seconds add up to an hour; undefined if some are not reported. */
function addsUp({
  upSeconds,
  downSeconds,
  unmonitoredSeconds,
}: PerformanceInterval): boolean | undefined {
  if (upSeconds === undefined || downSeconds === undefined || unmonitoredSeconds === undefined) {
    return undefined;
  }
  return upSeconds + downSeconds + unmonitoredSeconds === hourSeconds;
}
