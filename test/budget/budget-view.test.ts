import { expect, test } from 'vitest';
import { type BudgetView, ownPart } from '../../src/budget/budget-view.ts';

const short = { limit: 400, remaining: 281, reserve: 80, resetSeconds: 1_800 };
const whole: BudgetView = {
  mode: 'headers',
  windows: { short },
  requestsPerSecond: 0.1,
  paused: false,
  inFlight: 0,
};

test('the budget of an account that shares it with none is its own', () => {
  expect(ownPart(whole)).toBe(whole);
});

test('a share is one of what is above the reserve, in each window that was reported', () => {
  expect(ownPart({ ...whole, share: 0.5 }).windows).toEqual({
    short: { ...short, remaining: 180 },
  });
  const spent = { ...short, remaining: 60 };
  expect(ownPart({ ...whole, windows: { long: spent }, share: 0.5 }).windows).toEqual({
    long: { ...spent, remaining: 80 },
  });
});
