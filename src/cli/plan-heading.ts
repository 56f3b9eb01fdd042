import type { Reserves } from '../budget/reserve.ts';
import { type WindowName, windowNames } from '../domain/window.ts';
import { durationWords } from '../lib/duration-words.ts';
import type { AccountSize } from '../schedule/demand.ts';
import { limitFlags, type PlanWindows, partialWindows, reservedOf } from './plan-window.ts';

/** What a plan rests on: the account, and what is known of its windows. */
export function planHeading(size: AccountSize, windows: PlanWindows, reserves: Reserves): string {
  const partial = partialWindows(windows);
  const whole = windowNames.filter((name) => !partial.includes(name));
  return [
    `API ${size.version}: ${size.checks} checks, ${size.transactions} transactions`,
    ...windowLine('Limits', 'in', whole, windows, reserves),
    ...windowLine('Left now', 'in the next', partial, windows, reserves),
    ...caveat(partial),
  ].join('\n');
}

function windowLine(
  title: string,
  preposition: string,
  names: readonly WindowName[],
  windows: PlanWindows,
  reserves: Reserves,
): string[] {
  if (names.length === 0) return [];
  const words = names.map((name) => {
    const { requests, seconds } = windows[name];
    return `${requests} requests ${preposition} ${durationWords(seconds)}`;
  });
  const reserved = names.map((name) => reservedOf(name, windows, reserves)).join(' and ');
  return [`${title}: ${words.join(', ')}; ${reserved} of them are left to others`];
}

function caveat(partial: readonly WindowName[]): string[] {
  if (partial.length === 0) return [];
  return [
    'The service tells what is left, but not its limits: this plan holds only until the windows reset.',
    `For one that holds for longer, ask right after a reset, or give the limits with ${limitFlags(partial)}.`,
  ];
}
