import { expect, test } from 'vitest';
import { orUndefined, succeeds } from '../../src/lib/or-undefined.ts';

test('an error becomes undefined', () => {
  expect(orUndefined(() => JSON.parse('{"a":1}'))).toEqual({ a: 1 });
  expect(orUndefined(() => JSON.parse('{"a":'))).toBeUndefined();
});

test('a function without a result succeeds unless it throws', () => {
  expect(succeeds(() => undefined)).toBe(true);
  expect(
    succeeds(() => {
      throw new Error('no');
    }),
  ).toBe(false);
});
