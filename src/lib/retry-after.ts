/** A longer wait is not believed. */
const longestSeconds = 3600;

export type HeaderValue = string | readonly string[] | null | undefined;

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
    : ((dateOf(text) ?? Number.NaN) - (dateOf(date) ?? now)) / 1000;
  return seconds > 0 ? Math.min(seconds, longestSeconds) : undefined;
}

/** UNIX milliseconds of an HTTP date (RFC 9110, section 5.6.7). Each of its forms names a weekday. */
function dateOf(value: HeaderValue): number | undefined {
  if (typeof value !== 'string' || !/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  const time = Date.parse(/\bGMT$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
