import type { PerformanceInterval } from '../domain/averages.ts';
import { longestLagSeconds } from '../tally/list-times.ts';

const hourSeconds = 3_600;

/**
 * Marks hours as incomplete if the report may lack tests of them. A report that lags ends within an
 * hour, or counts everything after its last test as unmonitored. An hour is final once every report
 * must include the first test after it.
 */
export function settledHours<I extends PerformanceInterval>(
  hours: readonly I[],
  nowSeconds: number,
  resolutionSeconds: number = hourSeconds,
): readonly I[] {
  return hours.map((hour) => {
    const settledAtSeconds =
      hour.startAtSeconds + hourSeconds + resolutionSeconds + longestLagSeconds;
    const isOld = nowSeconds >= settledAtSeconds;
    const isWhole = addsUp(hour) === true && hour.unmonitoredSeconds === 0;
    return isOld || isWhole ? hour : { ...hour, complete: false };
  });
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
