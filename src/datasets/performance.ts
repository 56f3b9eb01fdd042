import type { PerformanceInterval } from '../domain/averages.ts';
import { type Check, isTested } from '../domain/check.ts';
import { type ItemRefresh, noChange, result } from '../schedule/refresh.ts';
import { neighbouringTests } from '../tally/list-evidence.ts';
import { settlingLagSeconds } from '../tally/watermark.ts';
import { averagesAfter, hoursToAsk } from '../windows/hourly-averages.ts';
import type { RefreshContext } from './refresh-context.ts';

const hourSeconds = 3_600;

/**
 * Performance of one check in the last hour for which the service has every test, and in the hours of the last week
 * that are not known yet.
 */
export function refreshPerformance({ service, state, serviceTime }: RefreshContext): ItemRefresh {
  return async (id, signal) => {
    const record = state.checks.get(id);
    if (record === undefined) return noChange;
    const testedTo = testedUntil(record.entry, serviceTime.passedSeconds());
    const hour = record.details.performance?.value;
    const averages = record.details.hourlyAverages?.value;
    if (averages !== undefined && isLastHour(hour, testedTo)) {
      state.setCheckDetail(id, 'performance', hour);
      state.setCheckDetail(id, 'hourlyAverages', averages);
      return result(1);
    }
    const query = { checkId: id, ...hoursToAsk(averages, testedTo), resolution: 'hour' } as const;
    const { items, rejected } = await service.performance(query, signal);
    state.setCheckDetail(id, 'performance', lastHour(items));
    const known = averagesAfter(averages, items);
    if (known !== undefined) state.setCheckDetail(id, 'hourlyAverages', known);
    return result(items.length, rejected);
  };
}

/**
 * Up to when the service has all tests of a check: its last test, while it is being tested; of one that is
 * not, all time that is settled.
 */
function testedUntil(check: Check, passedSeconds: number): number {
  const { status, lastTestAtSeconds: lastTest, resolutionSeconds = hourSeconds } = check;
  const settled = passedSeconds - settlingLagSeconds;
  if (lastTest === undefined) return settled;
  // A check whose state has just become unknown may still be tested.
  const mayBeTested =
    status === 'unknown' && settled - lastTest <= neighbouringTests * resolutionSeconds;
  return isTested(status) || mayBeTested ? lastTest : settled;
}

export function lastHour<I extends PerformanceInterval>(intervals: readonly I[]): I | undefined {
  return intervals.findLast(({ complete }) => complete);
}

/** No later hour has ended by then. */
export function isLastHour(known: PerformanceInterval | undefined, untilSeconds: number): boolean {
  return known !== undefined && untilSeconds < known.startAtSeconds + 2 * hourSeconds;
}
