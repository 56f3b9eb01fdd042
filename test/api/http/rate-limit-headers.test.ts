import { describe, expect, test } from 'vitest';
import { readRateLimits } from '../../../src/api/http/rate-limit-headers.ts';
import fc from '../../support/fast-check.ts';

describe('readRateLimits', () => {
  // The first sample is from the documentation, the others were recorded.
  test.each([
    [394, 71_994],
    [11_591, 2_087_990],
    [33_994, 6_119_845],
  ])('reads the form of the documentation (%i and %i)', (short, long) => {
    const limits = readRateLimits({
      'req-limit-short': `Remaining: ${short} Time until reset: 3589`,
      'req-limit-long': `Remaining: ${long} Time until reset: 2591989`,
    });

    expect(limits).toEqual({
      short: { remaining: short, resetSeconds: 3589 },
      long: { remaining: long, resetSeconds: 2_591_989 },
    });
  });

  test.each(['Req-Limit-Long', 'REQ-LIMIT-LONG', 'req-limit.long', 'Req-Limit.Long'])(
    'takes the name %s',
    (name) => {
      expect(readRateLimits({ [name]: 'Remaining: 1 Time until reset: 2' })).toEqual({
        long: { remaining: 1, resetSeconds: 2 },
      });
    },
  );

  test.each([
    '  Remaining:  7   Time until reset:  8  ',
    'remaining:7 time until reset:8',
    'Remaining : 7\tTime  until  reset : 8',
  ])('is tolerant of spaces and case in "%s"', (value) => {
    expect(readRateLimits({ 'req-limit-short': value })).toEqual({
      short: { remaining: 7, resetSeconds: 8 },
    });
  });

  test('knows an exhausted window', () => {
    const limits = readRateLimits({ 'req-limit-short': 'Remaining: 0 Time until reset: 0' });
    expect(limits).toEqual({ short: { remaining: 0, resetSeconds: 0 } });
  });

  test.each([
    '',
    '394',
    'Remaining: Time until reset: 3589',
    'Remaining: 394',
    'Remaining: 394 Time until reset: -5',
    'Remaining: 1e3 Time until reset: 5',
    'Remaining: 3.5 Time until reset: 5',
    'Remaining: 0x10 Time until reset: 5',
    'Remaining: 394 Time until reset: 3589 or so',
    `Remaining: ${'9'.repeat(400)} Time until reset: 5`,
  ])('reads "%s" as absent', (value) => {
    expect(readRateLimits({ 'req-limit-short': value })).toEqual({});
  });

  test('reads an overdrawn window as one without requests', () => {
    expect(readRateLimits({ 'req-limit-short': 'Remaining: -3 Time until reset: 3000' })).toEqual({
      short: { remaining: 0, resetSeconds: 3000 },
    });
  });

  test('reads a header that is repeated, and as absent one that contradicts itself', () => {
    const value = 'Remaining: 1 Time until reset: 2';
    const other = 'Remaining: 2 Time until reset: 2';
    expect(
      readRateLimits({ 'req-limit-short': [value, other], 'req-limit-long': [value, value] }),
    ).toEqual({ long: { remaining: 1, resetSeconds: 2 } });
  });

  test('keeps one window when the other is malformed', () => {
    const limits = readRateLimits({
      'req-limit-short': 'garbage',
      'req-limit-long': 'Remaining: 1 Time until reset: 2',
    });
    expect(Object.keys(limits)).toEqual(['long']);
  });

  test('never makes up a number', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, value) => {
        expect(readRateLimits({ [name]: value })).toEqual({});
        expect(readRateLimits({ 'req-limit-short': value })).toEqual({});
      }),
    );
  });
});
