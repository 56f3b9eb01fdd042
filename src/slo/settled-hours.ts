import type { PerformanceInterval } from '../domain/averages.ts';
import { longestLagSeconds } from '../tally/list-times.ts';
import { type KnownStates, spansSince } from './state-log.ts';

const hourSeconds = 3_600;

/**
 * Marks hours as incomplete if the report may lack tests of them, or the confirmation of a failure.
 * An hour is final if every second of it is up or down and the counters, which have passed it, know
 * of no more downtime, or once every report must include the first test after it.
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
    const isFinal = nowSeconds >= settledAtSeconds || isConfirmed(hour, known);
    return isFinal ? hour : { ...hour, complete: false };
  });
}

function isConfirmed(hour: PerformanceInterval, known: KnownStates): boolean {
  const { startAtSeconds, downSeconds = 0, unmonitoredSeconds } = hour;
  const endSeconds = startAtSeconds + hourSeconds;
  const isWhole = addsUp(hour) === true && unmonitoredSeconds === 0;
  if (!isWhole || known.states.horizonSeconds < endSeconds) return false;
  let countedDown = 0;
  for (const { state, fromSeconds, toSeconds } of spansSince(known, startAtSeconds)) {
    if (state === 'down') countedDown += Math.max(0, Math.min(toSeconds, endSeconds) - fromSeconds);
  }
  return countedDown <= downSeconds;
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
