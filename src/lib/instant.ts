const number = /^\d{1,16}(\.\d+)?$/;
/** Greater numbers are milliseconds (after March 1973); as seconds they are after 5138. */
const mostSeconds = 1e11;
const date = /^\d{4}-\d\d-\d\d$/;
const dateAndTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;
const zone = /(Z|[+-]\d\d:\d\d)$/;

/** The forms of `parseInstant`, for messages. */
export const instantForms =
  'a date such as 2025-11-01, a time such as 2025-11-01T12:00:00Z, or UNIX seconds or milliseconds';

/**
 * Parses a text in one of the `instantForms` to UNIX seconds, with fractions. A date or time
 * without a zone is in UTC. Returns undefined for other text.
 */
export function parseInstant(text: string): number | undefined {
  if (number.test(text)) {
    const value = Number(text);
    return value < mostSeconds ? value : value / 1000;
  }
  const upper = text.toUpperCase();
  if (!(date.test(upper) || dateAndTime.test(upper)) || !isDay(upper.slice(0, 10)))
    return undefined;
  const hasZone = date.test(upper) || zone.test(upper);
  const milliseconds = Date.parse(hasZone ? upper : `${upper}Z`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

/** Returns whether the day exists. `Date` accepts February 30 and returns a day in March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Formats UNIX seconds as `2025-11-01T06:00:00Z`. */
export function formatInstant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
