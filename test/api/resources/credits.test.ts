import { describe, expect, test } from 'vitest';
import { decodeCredits } from '../../../src/api/resources/account.ts';

describe('decodeCredits', () => {
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
