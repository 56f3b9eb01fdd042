export type HeaderValue = string | readonly string[] | null | undefined;

/**
 * UNIX milliseconds of an HTTP date (RFC 9110, section 5.6.7). Each of its forms names a weekday, and
 * the one of asctime, which has no zone, is in GMT.
 */
export function httpDate(value: HeaderValue): number | undefined {
  if (typeof value !== 'string' || !/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  const time = Date.parse(/\bGMT$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
