import type { WindowView } from '../budget/budget-view.ts';
import { defaultReserve, type Reserves, reservedRequests } from '../budget/reserve.ts';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';

/** Lengths of the windows in seconds, as observed: an hour and 30 days. */
const assumedWindowSeconds: { readonly [W in WindowName]: number } = {
  short: 3_600,
  long: 30 * 86_400,
};

export type WindowLimits = { readonly [W in WindowName]: number };

interface NaiveOutcome {
  /** When the long window is exhausted until its reset; absent if that does not happen. */
  readonly longLastsSeconds?: number;
  /** The time after which each short window is exhausted; absent if that does not happen. */
  readonly shortLastsSeconds?: number;
}

/** Returns the outcome for an exporter that sends requests at a fixed rate and ignores limits. */
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

/** Returns the requests per second for the list and one request per check, once a minute. */
export function requestPerCheckEachMinute(checks: number): number {
  return (1 + checks) / 60;
}

/** The requests that one window allows. */
interface PlanWindow {
  readonly requests: number;
  readonly seconds: number;
  /** False when only the remaining requests are known; the limit may then be higher. */
  readonly isComplete: boolean;
}

export type PlanWindows = { readonly [W in WindowName]: PlanWindow };

/** Returns a window whose limit is known. */
export function completeWindow(name: WindowName, limit: number): PlanWindow {
  return { requests: limit, seconds: assumedWindowSeconds[name], isComplete: true };
}

/** Returns a window as a response reported it. */
export function remainingWindow({
  remaining,
  resetSeconds,
}: Pick<WindowView, 'remaining' | 'resetSeconds'>): PlanWindow {
  return { requests: remaining, seconds: Math.max(1, resetSeconds), isComplete: false };
}

export function limitFlags(names: readonly WindowName[]): string {
  return names.map((name) => `--${name}`).join(' and ');
}

/** Returns the windows without a known limit. */
export function incompleteWindows(windows: PlanWindows): WindowName[] {
  return windowNames.filter((name) => !windows[name].isComplete);
}

/** Requests of a window that are left to the account's other users. */
export function reservedIn(name: WindowName, windows: PlanWindows, reserves: Reserves): number {
  return reservedRequests(reserves[name] ?? defaultReserve, windows[name].requests);
}
