import type { WindowView } from '../budget/budget-view.ts';
import { defaultReserve, type Reserves, reservedRequests } from '../budget/reserve.ts';
import { windowSize } from '../budget/window-size.ts';
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

/** A window of which more of its time has passed may have lost more than its size shows. */
const freshShare = 0.9;

/**
 * Returns a window as a response reported it: the size of one that has hardly begun, of which hardly
 * anything was spent, and otherwise what is left.
 */
export function reportedWindow(
  name: WindowName,
  { remaining, resetSeconds }: Pick<WindowView, 'remaining' | 'resetSeconds'>,
): PlanWindow {
  const size = windowSize({ limit: remaining });
  const isFresh = resetSeconds >= freshShare * assumedWindowSeconds[name];
  if (isFresh && size > remaining) return completeWindow(name, size);
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
