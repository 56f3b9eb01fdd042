import { expect, test } from 'vitest';
import { accountBadge, accountCondition } from '../../../src/http/common/account-badge.ts';
import { accountsByState, budgetWith } from '../../support/snapshots.ts';

test.each(Object.entries(accountsByState))('tells %s apart', (state, account) => {
  expect(accountCondition(account)).toBe(state);
});

test('a list that is too old is no failure before the first attempt since the start has ended', () => {
  const { snapshot, ...account } = accountsByState.stale;
  const { failure: _, ...checks } = snapshot.datasets.checks;
  const old = { ...account, snapshot: { ...snapshot, datasets: { checks } } };

  const started = { ...old, failure: 'starting' } as const;
  expect(accountCondition(started)).toBe('starting');
  expect(accountBadge(started)).toMatchObject({
    word: 'Starting',
    meaning:
      'The first check list since the start is on its way. The last one is too old: of its checks, only those that were down are shown.',
  });
  expect(accountCondition({ ...old, failure: 'none' })).toBe('stale');
});

test('credentials that are not accepted come before a spent budget', () => {
  const account = { ...accountsByState.unauthorized, budget: budgetWith({ paused: true }) };

  expect(accountCondition(account)).toBe('unauthorized');
});

test('credentials that may not read the checks are no better than wrong ones', () => {
  const { snapshot, ...account } = accountsByState.unauthorized;
  const failure = { ...snapshot.datasets.checks.failure, reason: 'forbidden' as const };
  const checks = { ...snapshot.datasets.checks, failure };

  const state = accountCondition({
    snapshot: { ...snapshot, datasets: { ...snapshot.datasets, checks } },
    ...account,
  });

  expect(state).toBe('unauthorized');
});

test('a failing account shows what was read before only if something was', () => {
  expect(accountBadge(accountsByState.failing).meaning).toContain('read before is still shown');

  const { snapshot, ...account } = accountsByState.failing;
  const { lastSuccessAtSeconds: _, ...checks } = snapshot.datasets.checks;
  const unread = { ...snapshot, datasets: { checks: { ...checks, stale: true } } };
  expect(accountBadge({ ...account, snapshot: unread }).meaning).toBe(
    'The check list could not be read yet.',
  );
});

test.each([
  { isLateNow: true },
  {
    shortfall: {
      isStatusLate: true,
      datasets: [],
      missingPerHour: 1,
      switchOff: [],
      enough: false,
    },
  },
] as const)('an account whose outages are seen late is not simply readable: %j', (late) => {
  const account = { ...accountsByState.ok, plan: { requestsPerSecond: 0.01, ...late } };

  expect(accountCondition(account)).toBe('late');
  expect(accountBadge(account).tone).toBe('warn');
});
