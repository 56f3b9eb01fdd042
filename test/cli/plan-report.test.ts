import { describe, expect, test } from 'vitest';
import { planReport } from '../../src/cli/plan-report.ts';
import { completeWindow, reportedWindow } from '../../src/cli/plan-window.ts';

const smallPlan = { short: completeWindow('short', 400), long: completeWindow('long', 72_000) };
const largePlan = {
  short: completeWindow('short', 11_600),
  long: completeWindow('long', 2_088_000),
};
const account = (checks: number, transactions = 0) =>
  ({ version: '3.1', checks, transactions }) as const;

test('names the account, its limits and every dataset with its interval', () => {
  const report = planReport(account(20), smallPlan);

  expect(report).toContain('API 3.1: 20 checks, 0 transactions');
  expect(report).toContain('400 requests in 1 h, 72000 requests in 30 d');
  expect(report).toMatch(/^Dataset +Items +Requests\/h +Interval +Min interval$/m);
  expect(report).toMatch(/^checks +1 +48 +1 min 14 s +1 min$/m);
  expect(report).toMatch(/^results +20 +\d/m);
});

test('plans 80 requests an hour on 400 and 72,000: four fifths of the long window', () => {
  expect(planReport(account(20), smallPlan)).toContain(
    'Planned: 80 of 80 requests per hour that the limits sustain.',
  );
});

describe('what is too slow', () => {
  test('is named with what is missing and what to switch off', () => {
    const report = planReport(account(2_000), smallPlan);
    expect(report).toMatch(/^results .*too slow, \d+ requests\/h missing$/m);
    expect(report).toMatch(
      /^Too slow to be useful: .*results.*; \d+ requests per hour are missing\.$/m,
    );
    expect(report).toMatch(/^Disable .*results.*, and the rest is fresh enough\.$/m);
  });

  test('is not spoken of when the budget is large', () => {
    const report = planReport(account(20), largePlan);
    expect(report).toContain('Every dataset is fresh enough to be useful.');
    expect(report).not.toContain('too slow');
  });
});

describe('of what is left, while the limits are not known', () => {
  const short = reportedWindow('short', { remaining: 98, resetSeconds: 3_540 });
  const long = reportedWindow('long', { remaining: 36_000, resetSeconds: 15 * 86_400 });

  test('shows what is left and until when, and how to get a plan that holds for longer', () => {
    const report = planReport(account(20), { short, long });

    expect(report).toContain(
      'Left now: 98 requests in the next 59 min, 36000 requests in the next 15 d; 20 and 7200 of them are left to others\n',
    );
    expect(report).not.toContain('Limits');
    expect(report).toMatch(
      /only until the windows reset\..* right after a reset.* --short and --long\.$/ms,
    );
  });

  test('spreads it until the reset, as the exporter does', () => {
    expect(planReport(account(20), { short, long })).toContain(
      // 78 in 59 minutes; 28,800 in 15 days are 80 an hour.
      'Planned: 79 of 79 requests per hour that what is left sustains until it resets.',
    );
  });

  test('of one window names the flag for that one', () => {
    const report = planReport(account(20), { short: smallPlan.short, long });

    expect(report).toContain(
      'Limits: 400 requests in 1 h; 80 of them are left to others\nLeft now: 36000 requests in the next 15 d; 7200 of them are left to others\n',
    );
    expect(report).toMatch(/ with --long\.$/m);
  });
});

test('while at least nine tenths of a window are ahead, the plan is that of the limits', () => {
  const short = reportedWindow('short', { remaining: 398, resetSeconds: 0.9 * 3_600 });
  const long = reportedWindow('long', { remaining: 71_990, resetSeconds: 27 * 86_400 });

  expect(planReport(account(20), { short, long })).toBe(planReport(account(20), smallPlan));
});

test('late in a window, what is left is not taken for the limit, however round it is', () => {
  const short = reportedWindow('short', { remaining: 398, resetSeconds: 3_000 });
  const long = reportedWindow('long', { remaining: 35_990, resetSeconds: 15 * 86_400 });

  expect(planReport(account(20), { short, long })).toContain(
    'Left now: 398 requests in the next 50 min, 35990 requests in the next 15 d',
  );
});

test('shows how late an outage can be seen', () => {
  expect(planReport(account(20), smallPlan)).toContain(
    'An outage of a check is seen at most 1 min 14 s after the service shows it.',
  );
  expect(planReport(account(20, 5), largePlan)).toMatch(
    /An outage of a check is seen at most 1 min after the service shows it, one of a transaction is seen at most 5 min after/,
  );
});

test('calls an interval of years never', () => {
  const report = planReport(account(25_000), smallPlan);
  expect(report).toMatch(/^average .* never /m);
  expect(report).not.toMatch(/\b(?:36[5-9]|3[7-9]\d|[4-9]\d\d|\d{4,}) d/);
});

describe('the verdict', () => {
  test('is calm while the limits are enough for states and outages', () => {
    const report = planReport(account(2_000), smallPlan);
    expect(report).toContain('The limits are enough for states and outages');
    expect(report).not.toContain('too small');
  });

  test('is calm while only maintenance and slower data are late', () => {
    const report = planReport(account(2_000, 200), smallPlan);
    expect(report).toMatch(/^maintenance .* too slow/m);
    expect(report).toContain('An outage of a check is seen at most 1 min 57 s after');
    expect(report).toContain('The limits are enough for states and outages');
    expect(report).not.toContain('too small');
  });

  test('says that outages are seen late when they are', () => {
    const tiny = { short: completeWindow('short', 10), long: completeWindow('long', 1_800) };
    expect(planReport(account(20), tiny)).toContain(
      'The request budget is too small: outages are seen late.',
    );
  });
});
