import type { RateLimits, WindowName, WindowReading } from '../domain/window.ts';

export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** API 3.1, section 8. Some old servers write the long one with a dot. */
const windowOfHeader: ReadonlyMap<string, WindowName> = new Map([
  ['req-limit-short', 'short'],
  ['req-limit-long', 'long'],
  ['req-limit.short', 'short'],
  ['req-limit.long', 'long'],
]);

const form = /^remaining\s*:\s*(-?\d{1,12})\s+time\s+until\s+reset\s*:\s*(\d{1,12})$/i;

/** Windows last an hour and 30 days; a reset further away than a year is no statement about them. */
const longestResetSeconds = 366 * 24 * 3600;
/** Budgets go up to some millions of requests in 30 days. */
const largestRemaining = 1e9;

/**
 * What the headers of one response say of the account's windows. What is missing, malformed or contradicts
 * itself is absent; an overdrawn window has nothing remaining.
 */
export function readRateLimits(headers: ResponseHeaders): RateLimits {
  const limits: { [W in WindowName]?: WindowReading } = {};
  for (const [name, value] of Object.entries(headers)) {
    const window = windowOfHeader.get(name.toLowerCase());
    const reading = window === undefined ? undefined : readWindow(value);
    if (window !== undefined && reading !== undefined) limits[window] = reading;
  }
  return limits;
}

function readWindow(value: string | readonly string[] | undefined): WindowReading | undefined {
  const [said, ...others] = new Set([value ?? []].flat().map((text) => text.trim()));
  const match = said === undefined || others.length > 0 ? null : form.exec(said);
  if (match === null) return undefined;
  const remaining = Math.max(0, Number(match[1]));
  const resetSeconds = Number(match[2]);
  if (remaining > largestRemaining || resetSeconds > longestResetSeconds) return undefined;
  return { remaining, resetSeconds };
}
