import { type Check, isTested } from '../domain/check.ts';
import { alreadyKnown, type ItemRefresh, nothingLeft, result } from '../schedule/refresh.ts';
import { averagesAfter, hoursToAsk } from '../slo/hourly-averages.ts';
import { responseMonthsAfter } from '../slo/response-months.ts';
import { isLastHour, lastHour, settledHours } from '../slo/settled-hours.ts';
import { longestLagSeconds } from '../tally/list-times.ts';
import { settlingLagSeconds } from '../tally/watermark.ts';
import { type RefreshContext, requireComplete } from './refresh-context.ts';

const hourSeconds = 3_600;

/** Reads a check's last complete hour, and the unknown hours of the last week. */
export function refreshPerformance({
  service,
  state,
  serviceTime,
  calendar,
}: RefreshContext): ItemRefresh {
  return async (id, signal) => {
    const record = state.checks.get(id);
    if (record === undefined) return nothingLeft;
    const passedSeconds = serviceTime.passedSeconds();
    const testedTo = testedUntil(record.entry, passedSeconds);
    const hour = record.details.performance?.value;
    const averages = record.details.hourlyAverages?.value;
    if (averages !== undefined && isLastHour(hour, testedTo)) {
      state.setDetail('check', id, 'performance', hour);
      state.setDetail('check', id, 'hourlyAverages', averages);
      return alreadyKnown(1);
    }
    const query = { checkId: id, ...hoursToAsk(averages, testedTo), resolution: 'hour' } as const;
    const { items, rejected } = await service.performance(query, signal);
    if (items.length === 0) requireComplete('get_performance', rejected);
    const { entry, totals } = record;
    // After a change of the resolution, tests up to the horizon may be further apart.
    const resolutionSeconds = Math.max(
      entry.resolutionSeconds ?? hourSeconds,
      totals.states.resolutionSeconds ?? 0,
    );
    const hours = settledHours(items, totals, passedSeconds, resolutionSeconds);
    state.setDetail('check', id, 'performance', lastHour(hours));
    const renewed = averagesAfter(averages, hours);
    if (renewed !== undefined) state.setDetail('check', id, 'hourlyAverages', renewed);
    const months = responseMonthsAfter(
      record.details.responseMonths?.value,
      hours,
      calendar,
      resolutionSeconds,
    );
    if (months !== undefined) state.setDetail('check', id, 'responseMonths', months);
    return result(items.length, rejected);
  };
}

/**
 * Returns the time up to which the service has all tests of a check. For a check that is tested,
 * this is its last test; for a paused check, the end of its settled time. A check in state unknown
 * may have just been resumed: until its first test, which comes within an hour, a report may lack
 * hours before the pause.
 */
function testedUntil(
  { status, lastTestAtSeconds: lastTest }: Check,
  passedSeconds: number,
): number {
  if (lastTest === undefined || status === 'paused') return passedSeconds - settlingLagSeconds;
  return isTested(status)
    ? lastTest
    : Math.max(lastTest, passedSeconds - hourSeconds - longestLagSeconds);
}
