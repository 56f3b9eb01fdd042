import { type HeaderValue, httpDate } from './http-date.ts';

/** A longer wait is not believed. */
const longestSeconds = 3600;

/**
 * Seconds that a `Retry-After` header (RFC 9110, section 10.2.3) asks to wait, at most an hour;
 * undefined without a header that can be read. A date is compared with the `Date` of the response, or with
 * `now` (UNIX milliseconds) if the response has none.
 */
export function retryAfterSeconds(
  value: HeaderValue,
  date: HeaderValue,
  now: number,
): number | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  const seconds = /^\d+(\.\d+)?$/.test(text)
    ? Number(text)
    : ((httpDate(text) ?? Number.NaN) - (httpDate(date) ?? now)) / 1000;
  return seconds > 0 ? Math.min(seconds, longestSeconds) : undefined;
}
