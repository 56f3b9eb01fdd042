import type { WindowName } from '../domain/window.ts';

/** Lengths of the windows in seconds: an hour and 30 days, as accounts of this service show them. */
export const assumedWindowSeconds: { readonly [W in WindowName]: number } = {
  short: 3_600,
  long: 30 * 86_400,
};

export type WindowLimits = { readonly [W in WindowName]: number };

export interface NaiveFate {
  /** After this the long window is used up, and stays so until it resets; absent when it lasts. */
  readonly longLastsSeconds?: number;
  /** After this in each short window every request is refused; absent when it lasts. */
  readonly shortLastsSeconds?: number;
}

/** What becomes of an exporter that sends requests at a fixed rate and knows nothing of limits. */
export function naiveFate(requestsPerSecond: number, limits: WindowLimits): NaiveFate {
  const { short, long } = assumedWindowSeconds;
  const shortLasts = limits.short / requestsPerSecond;
  const spent = Math.min(requestsPerSecond, limits.short / short);
  const longLasts = limits.long / spent;
  return {
    ...(longLasts < long && { longLastsSeconds: longLasts }),
    ...(shortLasts < short && { shortLastsSeconds: shortLasts }),
  };
}

/** The list and one request per check at each scrape, once a minute. */
export function requestPerCheckEachMinute(checks: number): number {
  return (1 + checks) / 60;
}
