import type { PerformanceInterval } from '../domain/averages.ts';
import { longestLagSeconds } from '../tally/list-times.ts';

const hourSeconds = 3_600;

/**
 * The hours of a report, marked as incomplete where the report may lack tests: a report that lags ends within an hour, or
 * counts everything after its last test as unmonitored. Once every report has the first test after an hour, the hour is
 * what the report says.
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

/** The last hour of which all is known, and the seconds add up. */
export function lastHour<I extends PerformanceInterval>(hours: readonly I[]): I | undefined {
  return hours.findLast((hour) => hour.complete && addsUp(hour) !== false);
}

/** No later hour has ended by then. */
export function isLastHour(known: PerformanceInterval | undefined, untilSeconds: number): boolean {
  return known !== undefined && untilSeconds < known.startAtSeconds + 2 * hourSeconds;
}

/** Whether the seconds of an hour are those of an hour; undefined where the report does not have all of them. */
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
