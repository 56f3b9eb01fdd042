import { expect, test } from 'vitest';
import { type ApiErrorReason, apiErrorReasons } from '../../src/api/errors.ts';
import { accountFailure } from '../../src/state/account-failure.ts';

const fine = { hasEnded: true, failure: undefined, isHeldBack: false };

test.each([
  ['the last attempt succeeded', {}, 'none'],
  ['no attempt has ended', { hasEnded: false }, 'starting'],
  [
    'no attempt has ended because the budget holds them back',
    { hasEnded: false, isHeldBack: true },
    'budget',
  ],
  ['the budget holds back the next attempt', { isHeldBack: true }, 'budget'],
  [
    'the last attempt failed, and the budget holds back the next',
    { failure: 'unauthorized', isHeldBack: true },
    'unauthorized',
  ],
] as const)('when %s the reason is given', (_, attempts, reason) => {
  expect(accountFailure({ ...fine, ...attempts })).toBe(reason);
});

test('a 429 is a matter of the budget; every other failure is its own reason', () => {
  for (const failure of Object.keys(apiErrorReasons) as ApiErrorReason[]) {
    const expected = failure === 'rate_limited' ? 'budget' : failure;
    expect(accountFailure({ ...fine, failure })).toBe(expected);
  }
});
