import { formatInstant } from '../../lib/instant.ts';
import { HttpError } from '../../server/http-error.ts';
import { type Inputs, textParameter } from '../../server/parameters.ts';

const rfc3339 =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/**
 * UNIX seconds of a date and time of RFC 3339, without fractions; `undefined` for any other text.
 */
export function parseDateTime(text: string): number | undefined {
  const [, date, time, sign = '+', hours = '0', minutes = '0'] = rfc3339.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const local = Date.parse(`${date}T${time}Z`) / 1000;
  // Date carries days that a month does not have over into the next month; such a date is invalid.
  if (!Number.isFinite(local) || formatInstant(local) !== `${date}T${time}Z`) return undefined;
  const offset = 3600 * Number(hours) + 60 * Number(minutes);
  return sign === '-' ? local + offset : local - offset;
}

/** [from, to) in UNIX seconds. */
export interface ReportPeriod {
  readonly from: number;
  readonly to: number;
}

/**
 * The requested period of a report. Without `to` it ends now; without `from` it begins
 * `defaultSeconds` before its end.
 */
export function reportPeriod(inputs: Inputs, now: number, defaultSeconds: number): ReportPeriod {
  const to = dateTimeParameter(inputs, 'to') ?? now;
  const from = dateTimeParameter(inputs, 'from') ?? to - defaultSeconds;
  if (from > to) throw new HttpError(400, 'Parameter from must not be later than parameter to');
  return { from, to };
}

function dateTimeParameter(inputs: Inputs, name: string): number | undefined {
  const text = textParameter(inputs, name);
  if (text === undefined) return undefined;
  const time = parseDateTime(text);
  if (time === undefined) {
    throw new HttpError(
      400,
      `Parameter ${name} must be a date and time of RFC 3339, such as 2021-04-22T06:34:41Z, not "${text}"`,
    );
  }
  // A report has an entry for every interval, so a start before the epoch would make it needlessly
  // long.
  return Math.max(0, time);
}
