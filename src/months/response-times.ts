import type { ResponseMonth } from '../slo/response-months.ts';

/** Of fewer hours, an average says more about the hours than about the item. */
const leastHours = 24;

/** The average response time in a month, in seconds; undefined if less than a day of it is known. */
export function responseSeconds(times: ResponseMonth | undefined): number | undefined {
  if (times === undefined || times.hours < leastHours) return undefined;
  return Math.round(times.milliseconds / times.tests) / 1000;
}
