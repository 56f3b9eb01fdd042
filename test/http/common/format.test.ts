import { describe, expect, test } from 'vitest';
import { formatRatio, formatResponse, formatShareLeft } from '../../../src/http/common/format.tsx';

describe('words', () => {
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
});
