import { expect, test } from 'vitest';
import { formatDecimal, plural } from '../../src/lib/format-number.ts';

test('thousands are grouped', () => {
  expect(formatDecimal(72_000)).toBe('72,000');
  expect(formatDecimal(99.96)).toBe('100');
});

test('numbers are formatted as by Intl', () => {
  const { format } = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  const values = [0, 0.04, 0.3, 12.34, 999, 999.96, 1_000, 1_234_567.8, -0.3, -1_234.5];
  expect(values.map(formatDecimal)).toEqual(values.map(format));
});

test('one is not many', () => {
  expect([plural(1, 'check'), plural(1_200, 'check')]).toEqual(['1 check', '1,200 checks']);
});
