import type { WindowView } from '../budget/budget-view.ts';
import { defaultReserve, type Reserves, reservedRequests } from '../budget/reserve.ts';
import { type WindowName, windowNames } from '../domain/window.ts';
import { assumedWindowSeconds } from '../schedule/naive-exporter.ts';

/** What can be spent in one window of the service. */
export interface PlanWindow {
  readonly requests: number;
  readonly seconds: number;
  /** False for what is left until the reset: the service tells no more, so the limit is at least that. */
  readonly whole: boolean;
}

export type PlanWindows = { readonly [W in WindowName]: PlanWindow };

/** A window whose limit is known. */
export function wholeWindow(name: WindowName, limit: number): PlanWindow {
  return { requests: limit, seconds: assumedWindowSeconds[name], whole: true };
}

/** What a response said of a window. */
export function leftWindow({
  remaining,
  resetSeconds,
}: Pick<WindowView, 'remaining' | 'resetSeconds'>): PlanWindow {
  return { requests: remaining, seconds: Math.max(1, resetSeconds), whole: false };
}

/** The flags that tell the limits of these windows. */
export function limitFlags(names: readonly WindowName[]): string {
  return names.map((name) => `--${name}`).join(' and ');
}

/** Those of which the limit is not known. */
export function partialWindows(windows: PlanWindows): WindowName[] {
  return windowNames.filter((name) => !windows[name].whole);
}

/** What of a window is left to the account's other users. */
export function reservedOf(name: WindowName, windows: PlanWindows, reserves: Reserves): number {
  return reservedRequests(reserves[name] ?? defaultReserve, windows[name].requests);
}
