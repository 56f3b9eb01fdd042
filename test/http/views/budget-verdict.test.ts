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

test.each([
  [['checks', 'results'], 'checks'],
  [['transactions', 'maintenance'], 'transactions'],
  [['checks', 'transactions'], 'checks and transactions'],
] as const)(
  'when %j are late, everybody is told of which outages, and what to do',
  (datasets, items) => {
    const late = { ...shortfall, datasets, isStatusLate: true } as const;
    const verdict = budgetVerdict({ ...plan, shortfall: late });
    expect(verdict).toMatchObject({
      level: 'late',
      title: `The request budget is too small: outages of ${items} are seen late.`,
    });
    expect(verdict?.sentences.at(-1)).toBe(
      `What to do: ask for a higher request limit, lower the reserve, or monitor fewer ${items}.`,
    );
  },
);
