import { expect, test } from 'vitest';
import { budgetVerdict } from '../../../src/http/budget/budget-verdict.ts';
import type { AccountStatus } from '../../../src/http/ports.ts';
import { budgetWith, noon } from '../../support/snapshots.ts';

type WindowViews = AccountStatus['budget']['windows'];

const plan = { requestsPerSecond: 0.02 };
const shortfall = {
  datasets: ['results'],
  missingPerHour: 119.2,
  switchOff: ['results', 'average'],
  enough: true,
} as const;

function verdictOf(plan: AccountStatus['plan'], resetSeconds = 2_520) {
  const short = { limit: 400, remaining: 116, reserve: 80, resetSeconds };
  const list = { ageSeconds: 400, nextInSeconds: 320, outageDelaySeconds: 720 };
  const budget = budgetWith({ windows: { short } });
  return budgetVerdict({ ...(plan && { plan }), budget, list }, noon);
}

test('there is no verdict while the limits sustain everything', () => {
  expect(verdictOf(undefined)).toBeUndefined();
  expect(verdictOf(plan)).toBeUndefined();
});

test('while the limits are enough for states operators are told what they would lose, and nobody to monitor less', () => {
  const verdict = verdictOf({ ...plan, shortfall });
  expect(verdict).toEqual({
    level: 'slow',
    title: 'The limits are enough for states and outages, but not for all slower data.',
    sentences: [
      'About 120 more requests an hour would keep results fresh.',
      "If they matter to you: ask for a higher request limit, or switch off results (you would lose histograms, quantiles and causes), average (you would lose the service's own averages and uptime; error budgets stay).",
    ],
  });
  expect(JSON.stringify(verdict)).not.toMatch(/fewer checks|too small/);
});

test('a reserve that leaves nothing of its window is named, whatever else is late', () => {
  const isStatusLate = true as const;
  const late = {
    ...plan,
    shortfall: { ...shortfall, datasets: ['checks'], isStatusLate },
  } as const;
  const short = { limit: 399, remaining: 398, reserve: 400, resetSeconds: 3_500 };
  const verdict = (windows: WindowViews) =>
    budgetVerdict({ plan: late, budget: budgetWith({ windows }) }, noon);

  expect(verdict({ short })).toEqual({
    level: 'late',
    title:
      'The reserve of the short window (400 requests) leaves nothing of its 400 requests: at most one request an hour is sent.',
    sentences: [
      'What to do: lower budget.reserve.short. If others had spent the window before the exporter saw it, this ends with the reset.',
    ],
  });
  expect(verdict({ long: short })?.sentences[0]).toContain('lower budget.reserve.long.');
  expect(verdict({ short: { ...short, reserve: 399 } })?.title).toMatch(/too small/);
});

test('one request is not many', () => {
  const verdict = verdictOf({ ...plan, shortfall: { ...shortfall, missingPerHour: 0.4 } });
  expect(verdict?.sentences[0]).toBe('About 1 more request an hour would keep results fresh.');
});

test.each([
  [['checks', 'results'], 'checks'],
  [['transactions', 'maintenance'], 'transactions'],
  [['checks', 'transactions'], 'checks and transactions'],
] as const)(
  'when %j are late, everybody is told of which outages, and what to do',
  (datasets, items) => {
    const late = { ...shortfall, datasets, isStatusLate: true } as const;
    const verdict = verdictOf({ ...plan, shortfall: late });
    expect(verdict).toMatchObject({
      level: 'late',
      title: `The request budget is too small: outages of ${items} are seen late.`,
    });
    expect(verdict?.sentences.at(-1)).toBe(
      `What to do: ask for a higher request limit, lower the reserve, or monitor fewer ${items}.`,
    );
  },
);

test('when others have spent the short window, everybody is told how late outages are seen, and until when', () => {
  const verdict = verdictOf({ ...plan, shortfall, isLateNow: true });

  expect(verdict?.level).toBe('late');
  expect(verdict?.title).toBe(
    'Outages are seen up to 12 min late now, until the short window resets at 12:42 UTC.',
  );
  expect(JSON.stringify(verdict)).not.toMatch(/on time|too small|fewer/);
});

test('a check list that is slower than usual is told to everybody, before outages are seen late', () => {
  const slow = (intervalSeconds: number, lastingIntervalSeconds: number) =>
    verdictOf({
      ...plan,
      datasets: [
        { name: 'checks', requestsPerSecond: 0.01, intervalSeconds, lastingIntervalSeconds },
      ],
    });
  expect(slow(286, 60)).toMatchObject({
    level: 'late',
    title:
      'The check list is read every 4 min 46 s now, usually every 1 min, until the short window resets at 12:42 UTC.',
  });
  expect(slow(60, 60)).toBeUndefined();
  expect(slow(110, 40)).toBeUndefined();
  expect(slow(290, 200)).toBeUndefined();
});
