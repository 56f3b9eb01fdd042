import { expect, test } from 'vitest';
import { integerBetween } from '../../src/lib/integer-between.ts';

const port = integerBetween(0, 65_535);

test.each([
  ['0', 0],
  ['65535', 65_535],
])('%s is read as a whole number of the range', (text, value) => {
  expect(port(text)).toBe(value);
});

test.each(['65536', '-1', '1e3', '80.5', ' 80', '0x50', ''])('"%s" is refused', (text) => {
  expect(() => port(text)).toThrow('must be a whole number, 0 to 65535');
});

test('a range without an end says so', () => {
  expect(() => integerBetween(1)('0')).toThrow('must be a whole number, 1 or more');
});
