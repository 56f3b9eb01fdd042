import { expect, test } from 'vitest';
import { budgetDocuments, restoreBudget } from '../../src/app/stored-budget.ts';
import { Budget } from '../../src/budget/budget.ts';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import { agendaWith, checks, plenty, results } from '../schedule/support/agenda-with.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** The budget and the agenda of an account whose process starts now. */
function startedAt(seconds: number) {
  const clock = new VirtualClock(seconds * 1000);
  const budget = new Budget({ clock, random: () => 1 });
  const agenda = agendaWith([checks, results], plenty, 7_200);
  return { clock, budget, agenda, credentials: 'one' };
}

const start = 1_767_225_600;

/** What is stored of a budget whose windows a response has just reported. */
function storedBudget() {
  const before = startedAt(start);
  const short = { remaining: 300, resetSeconds: 1_000 };
  const long = { remaining: 70_000, resetSeconds: 100_000 };
  before.budget.admit()?.release({ statusCode: 200, limits: { short, long } });
  const stored = budgetDocuments(before).get('budget') ?? undefined;
  if (stored === undefined) throw new Error('the budget is not stored');
  return stored;
}

test('a budget goes on after a restart, less the time that has passed', () => {
  const stored = storedBudget();
  const after = startedAt(start + 400);
  restoreBudget(after, new DocumentSet().set('budget', stored));

  const { windows } = after.budget.view();
  expect([windows.short?.remaining, windows.long?.remaining]).toEqual([300, 70_000]);
  expect(windows.short?.resetSeconds).toBeCloseTo(600, -1);
  expect(windows.long?.resetSeconds).toBeCloseTo(99_600, -1);
  expect(stored.atSeconds).toBe(start);
});

test('a budget that is stored without a mark of its credentials goes on', () => {
  const { credentials: _, ...stored } = storedBudget();
  const after = startedAt(start + 400);
  restoreBudget(after, new DocumentSet().set('budget', stored));
  expect(after.budget.view().windows.short?.remaining).toBe(300);
});

test.each([
  ['a restart, a wait for missing limits goes on', false, 500_000],
  ['a change of settings, a wait for missing limits is over', true, 0],
] as const)('after %s', (_, isAfterChange, milliseconds) => {
  const { snapshot, ...stored } = storedBudget();
  const owing = { ...stored, snapshot: { ...snapshot, windows: {}, owedSeconds: 600 } };
  const after = startedAt(start + 100);
  restoreBudget(after, new DocumentSet().set('budget', owing), isAfterChange);
  expect(after.budget.msUntilAdmission()).toBe(milliseconds);
});
