import type { WindowView } from '../budget/budget-view.ts';
import { defaultReserve, type Reserves, reservedRequests } from '../budget/reserve.ts';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';

/** Lengths of the windows in seconds, as observed: an hour and 30 days. */
const assumedWindowSeconds: { readonly [W in WindowName]: number } = {
  short: 3_600,
  long: 30 * 86_400,
};

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
