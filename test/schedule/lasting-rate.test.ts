import { expect, test } from 'vitest';
import type { BudgetView } from '../../src/budget/budget-view.ts';
import { demandsOf } from '../../src/schedule/demand.ts';
import { lastingRate } from '../../src/schedule/lasting-rate.ts';
import { plan } from '../../src/schedule/plan.ts';

const hour = 3_600;
const month = 30 * 24 * hour;

/** A new account of 400 requests an hour and 72,000 in 30 days. */
function budget(change: { short?: number; long?: number; perHour?: number } = {}): BudgetView {
  const { short = 400, long = 72_000, perHour = 80 } = change;
  return {
    mode: 'headers',
    windows: {
      short: { limit: 400, remaining: short, reserve: 80, resetSeconds: hour / 2 },
      long: { limit: 72_000, remaining: long, reserve: 14_400, resetSeconds: month },
    },
    requestsPerSecond: perHour / hour,
    paused: false,
    inFlight: 0,
  };
}

const perHour = (view: BudgetView) => lastingRate(view) * hour;

test('the limits sustain what the long window holds above its reserve', () => {
  expect(perHour(budget())).toBeCloseTo(80);
});

test('a burst of another client in the short window changes nothing', () => {
  expect(perHour(budget({ short: 90, long: 71_700, perHour: 10 }))).toBeCloseTo(79.6, 1);
});

test('a client that goes on spending shows in the long window', () => {
  expect(perHour(budget({ long: 36_000 }))).toBeCloseTo(30);
});

test('without limits it is the rate of the moment', () => {
  expect(perHour({ ...budget({ perHour: 100 }), windows: {} })).toBeCloseTo(100);
});

test('30 new checks of which all failed have no shortfall while a client spends all that may be spent', () => {
  const size = { version: '3.1', checks: 30, transactions: 0, checksWithUnknownPast: 32 } as const;
  const view = budget({ short: 90, long: 71_450, perHour: 10 });
  const demands = demandsOf(size);
  const rate = view.requestsPerSecond;
  const planned = plan({ rate, eventRate: rate, lastingRate: lastingRate(view), demands });
  expect(planned.shortfall).toBeUndefined();
  expect(planned.datasets.every(({ missingPerHour }) => missingPerHour === 0)).toBe(true);
  // Spending still follows the present rate.
  expect(planned.requestsPerSecond).toBeLessThanOrEqual(rate);
});
