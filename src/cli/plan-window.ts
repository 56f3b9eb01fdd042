import type { WindowView } from '../budget/budget-view.ts';
import { defaultReserve, type Reserves, reservedRequests } from '../budget/reserve.ts';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';

/** Lengths of the windows in seconds: an hour and 30 days, as accounts of this service show them. */
const assumedWindowSeconds: { readonly [W in WindowName]: number } = {
  short: 3_600,
  long: 30 * 86_400,
};

export type WindowLimits = { readonly [W in WindowName]: number };

interface NaiveOutcome {
  /** After this the long window is used up, and stays so until it resets; absent when it lasts. */
  readonly longLastsSeconds?: number;
  /** After this in each short window every request is refused; absent when it lasts. */
  readonly shortLastsSeconds?: number;
}

/** What becomes of an exporter that sends requests at a fixed rate and knows nothing of limits. */
export function naiveOutcome(requestsPerSecond: number, limits: WindowLimits): NaiveOutcome {
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

/** What can be spent in one window of the service. */
interface PlanWindow {
  readonly requests: number;
  readonly seconds: number;
  /** False for what is left until the reset: the service tells no more, so the limit is at least that. */
  readonly isComplete: boolean;
}

export type PlanWindows = { readonly [W in WindowName]: PlanWindow };

/** A window whose limit is known. */
export function completeWindow(name: WindowName, limit: number): PlanWindow {
  return { requests: limit, seconds: assumedWindowSeconds[name], isComplete: true };
}

/** What a response said of a window. */
export function remainingWindow({
  remaining,
  resetSeconds,
}: Pick<WindowView, 'remaining' | 'resetSeconds'>): PlanWindow {
  return { requests: remaining, seconds: Math.max(1, resetSeconds), isComplete: false };
}

/** The flags that tell the limits of these windows. */
export function limitFlags(names: readonly WindowName[]): string {
  return names.map((name) => `--${name}`).join(' and ');
}

/** Those of which the limit is not known. */
export function incompleteWindows(windows: PlanWindows): WindowName[] {
  return windowNames.filter((name) => !windows[name].isComplete);
}

/** What of a window is left to the account's other users. */
export function reservedIn(name: WindowName, windows: PlanWindows, reserves: Reserves): number {
  return reservedRequests(reserves[name] ?? defaultReserve, windows[name].requests);
}
