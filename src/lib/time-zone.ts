import { succeeds } from './or-undefined.ts';

/** Whether this is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  return succeeds(() => monthFormat(zone));
}

/** Formats the year and the month in a time zone. Throws a `RangeError` for an unknown one. */
export function monthFormat(timeZone: string) {
  // biome-ignore lint/style/noRestrictedGlobals: nothing else in Node.js knows time zones; UTC, the default, does not call this.
  return new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit' });
}
