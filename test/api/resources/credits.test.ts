import { describe, expect, test } from 'vitest';
import { decodeCredits } from '../../../src/api/resources/account.ts';

describe('decodeCredits', () => {
  test('reads every field of API 3.1, section 2.4', () => {
    const credits = {
      checklimit: 1,
      availablechecks: 2,
      useddefault: 3,
      usedtransaction: 4,
      availablesms: 5,
      availablesmstests: 6,
      autofillsms: true,
      autofillsms_amount: 7,
      autofillsms_when_left: 8,
      max_sms_overage: 9,
      availablerumsites: 10,
      usedrumsites: 11,
      maxrumfilters: 12,
      maxrumpageviews: 13,
    };

    expect(decodeCredits({ credits }, 'test')).toEqual({
      checkLimit: 1,
      checksAvailable: 2,
      defaultChecksUsed: 3,
      transactionChecksUsed: 4,
      smsAvailable: 5,
      smsTestsAvailable: 6,
      smsAutofillEnabled: true,
      smsAutofillAmount: 7,
      smsAutofillThreshold: 8,
      smsOverageLimit: 9,
      rumSitesAvailable: 10,
      rumSitesUsed: 11,
      rumFiltersLimit: 12,
      rumPageviewsLimit: 13,
    });
  });

  test.each([
    ['nothing', {}, {}],
    ['an overage that is off', { max_sms_overage: null }, {}],
    ['numbers that are strings', { checklimit: '10' }, { checkLimit: 10 }],
    ['more checks than allowed', { availablechecks: -2 }, { checksAvailable: -2 }],
    ['none left', { availablesms: 0 }, { smsAvailable: 0 }],
    ['a boolean that is a number', { autofillsms: 0 }, { smsAutofillEnabled: false }],
    ['a number beyond all numbers', { checklimit: JSON.parse('1e999') }, {}],
    ['odd values', { checklimit: {}, availablesms: 'many', autofillsms: [] }, {}],
    ['fields of tomorrow', { region: 'eu' }, {}],
  ])('reads %s', (_kind, credits, expected) => {
    expect(decodeCredits({ credits }, 'test')).toStrictEqual(expected);
  });

  test.each([[null], [[]], [{}], [{ credits: null }], [{ credits: [] }], [{ credits: 5 }], ['x']])(
    'refuses a response of another shape: %j',
    (reply) => {
      expect(() => decodeCredits(reply, 'test')).toThrow(
        expect.objectContaining({ reason: 'shape', operation: 'test' }),
      );
    },
  );
});
