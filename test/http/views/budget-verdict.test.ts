import { expect, test } from 'vitest';
import { budgetVerdict } from '../../../src/http/views/budget-verdict.ts';

const plan = { requestsPerSecond: 0.02 };
const shortfall = {
  datasets: ['results'],
  missingPerHour: 119.2,
  switchOff: ['results', 'average'],
  enough: true,
} as const;

test('there is no verdict while the limits sustain everything', () => {
  expect(budgetVerdict(undefined)).toBeUndefined();
  expect(budgetVerdict(plan)).toBeUndefined();
});

test('while states are on time operators are told what they would lose, and nobody to monitor less', () => {
  const verdict = budgetVerdict({ ...plan, shortfall });
  expect(verdict).toEqual({
    level: 'slow',
    title: 'States and outages are on time; slower data are older than they could be.',
    sentences: [
      'About 120 more requests an hour would keep results fresh.',
      "If they matter to you: ask for a higher request limit, or switch off results (you would lose histograms, quantiles and causes), average (you would lose the service's own averages and uptime; error budgets stay).",
    ],
  });
  expect(JSON.stringify(verdict)).not.toMatch(/fewer checks|too small/);
});

test('when outages are seen late, everybody is told what to do', () => {
  const late = { ...shortfall, datasets: ['checks'], isStatusLate: true } as const;
  expect(budgetVerdict({ ...plan, shortfall: late })).toMatchObject({
    level: 'late',
    title: 'The request budget is too small: outages are seen late.',
  });
});
