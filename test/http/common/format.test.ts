import { describe, expect, test } from 'vitest';
import {
  formatDecimal,
  formatRatio,
  formatResponse,
  formatShareLeft,
  plural,
} from '../../../src/http/common/format.tsx';

describe('words', () => {
  test('thousands are grouped', () => {
    expect(formatDecimal(72_000)).toBe('72,000');
    expect(formatDecimal(99.96)).toBe('100');
  });

  test('numbers are formatted as by Intl', () => {
    const { format } = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
    const values = [0, 0.04, 0.3, 12.34, 999, 999.96, 1_000, 1_234_567.8, -0.3, -1_234.5];
    expect(values.map(formatDecimal)).toEqual(values.map(format));
  });

  test('a share that is not whole does not look so', () => {
    expect([1, 0.99999, 0.9995, 0.5, 0].map(formatRatio)).toEqual([
      '100 %',
      '99.99 %',
      '99.95 %',
      '50 %',
      '0 %',
    ]);
  });

  test('the rest of an error budget is rounded down, but not below its own value', () => {
    // 0.57 × 100 is a little less than 57.
    expect([1, 0.57, 0.579, 0, -0.01].map(formatShareLeft)).toEqual([
      '100 %',
      '57 %',
      '57 %',
      '0 %',
      'overspent',
    ]);
  });

  test('response times are in milliseconds below a second', () => {
    expect([0.0874, 0.9994, 1, 12.345].map(formatResponse)).toEqual([
      '87 ms',
      '999 ms',
      '1.00 s',
      '12.35 s',
    ]);
  });

  test('one is not many', () => {
    expect([plural(1, 'check'), plural(1_200, 'check')]).toEqual(['1 check', '1,200 checks']);
  });
});
