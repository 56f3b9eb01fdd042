import { describe, expect, test } from 'vitest';
import { planReport } from '../../src/cli/plan-report.ts';

const smallPlan = { short: 400, long: 72_000 };
const account = (checks: number, transactions = 0) =>
  ({ version: '3.1', checks, transactions }) as const;

test('names the account, its limits and every dataset with its interval', () => {
  const report = planReport(account(20), smallPlan);

  expect(report).toContain('API 3.1: 20 checks, 0 transactions');
  expect(report).toContain('400 requests in 1 h, 72000 requests in 30 d');
  expect(report).toMatch(/^Dataset +Items +Requests\/h +Every +At best$/m);
  expect(report).toMatch(/^checks +1 +60 +1 min +1 min$/m);
  expect(report).toMatch(/^results +20 +\d/m);
});

test('plans 80 requests an hour on 400 and 72,000: four fifths of the long window', () => {
  expect(planReport(account(20), smallPlan)).toContain(
    'Planned: 80 of 80 requests an hour that the limits sustain.',
  );
});

describe('what is too slow', () => {
  test('is named with what is missing and what to switch off', () => {
    const report = planReport(account(2_000), smallPlan);
    expect(report).toMatch(/^results .*too slow, \d+ requests\/h missing$/m);
    expect(report).toMatch(
      /^Too slow to be useful: .*results.*; \d+ requests an hour are missing\.$/m,
    );
    expect(report).toMatch(/^Switch off .*results.*, and the rest is fresh enough\.$/m);
  });

  test('is not spoken of when the budget is large', () => {
    const report = planReport(account(20), { short: 11_600, long: 2_088_000 });
    expect(report).toContain('Every dataset is fresh enough to be useful.');
    expect(report).not.toContain('too slow');
  });
});

describe('an exporter that knows nothing of limits', () => {
  // 1 + 20 requests a minute use up 400 after 400 / 0.35 s; at 400 an hour 72,000 last 180 hours.
  test('that asks once per check each minute', () => {
    expect(planReport(account(20), smallPlan)).toContain(
      'asks once per check each minute is refused after 19 min 2 s of each hour and has used up the 30 days after 7 d 12 h.',
    );
  });

  // 72,000 requests at one in ten seconds are 720,000 seconds.
  test('that asks for the list every ten seconds', () => {
    expect(planReport(account(20), smallPlan)).toContain(
      'asks for the list every 10 s has used up the 30 days after 8 d 8 h.',
    );
  });

  test('would last on a large budget with few checks', () => {
    const report = planReport(account(3), { short: 11_600, long: 2_088_000 });
    expect(report).toContain('asks once per check each minute would last.');
  });
});
