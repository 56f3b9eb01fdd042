import { describe, expect, test } from 'vitest';
import { formatInstant, parseInstant } from '../../src/lib/instant.ts';

const noon = 1_767_614_400;

describe('an instant', () => {
  test.each([
    ['2026-01-05', noon - 43_200],
    ['2026-01-05T12:00', noon],
    ['2026-01-05T12:00:00', noon],
    ['2026-01-05T12:00:00Z', noon],
    ['2026-01-05t12:00:00.5z', noon + 0.5],
    ['2026-01-05T13:00:00+01:00', noon],
    [`${noon}`, noon],
    [`${noon}.25`, noon + 0.25],
    [`${noon}500`, noon + 0.5],
  ])('is %s', (text, seconds) => expect(parseInstant(text)).toBe(seconds));

  test.each([
    ...['', 'yesterday', '-5', '2025-02-30', '2026-13-01', '2026-01-05T25:00:00Z'],
    ...['2026-01-05 12:00:00Z', '05.01.2026', '1e9', '12345678901234567'],
  ])('is not %j', (text) => expect(parseInstant(text)).toBeUndefined());

  test('is shown as RFC 3339', () => {
    expect(formatInstant(noon)).toBe('2026-01-05T12:00:00Z');
    // API 3.1, section 4.6: the form of the transaction reports.
    expect(formatInstant(1_619_073_281)).toBe('2021-04-22T06:34:41Z');
    expect(formatInstant(noon + 0.5)).toBe('2026-01-05T12:00:00.500Z');
  });
});
