import { describe, expect, test } from 'vitest';
import { dateTime } from '../../../src/api/decoding/fields.ts';
import { formatInstant } from '../../../src/lib/instant.ts';
import fc from '../../support/fast-check.ts';

// The seconds were computed with GNU date.
describe('dateTime', () => {
  test.each([
    ['2021-04-22T06:34:41Z', 1_619_073_281],
    ['2021-04-22t06:34:41z', 1_619_073_281],
    ['2021-04-22T06:34:41.999999999Z', 1_619_073_281],
    ['2021-04-22T08:34:41+02:00', 1_619_073_281],
    ['2021-04-21T20:34:41.5-10:00', 1_619_073_281],
    ['2024-02-29T00:00:00Z', 1_709_164_800],
  ])('reads %s', (text, expected) => {
    expect(dateTime.parse(text)).toBe(expected);
  });

  test.each([
    '',
    'yesterday',
    '2021-04-22',
    '2021-04-22T06:34:41',
    '2021-04-22T06:34:41+0200',
    '2021-02-29T00:00:00Z',
    '2021-13-01T00:00:00Z',
    '2021-04-22T25:00:00Z',
    '1619073281',
    '1969-12-31T23:59:59Z',
    1_619_073_281,
    null,
  ])('refuses %s', (value) => {
    expect(dateTime.safeParse(value).success).toBe(false);
  });

  test('reads what is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4_102_444_799 }), (seconds) => {
        expect(dateTime.parse(formatInstant(seconds))).toBe(seconds);
      }),
    );
  });
});
