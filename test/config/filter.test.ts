import { expect, test } from 'vitest';
import { matchesPattern } from '../../src/config/filter.ts';
import fc from '../support/fast-check.ts';

test.each([
  ['shop', 'shop', true],
  ['shop', 'shops', false],
  ['shop-*', 'shop-eu', true],
  ['shop-*', 'my shop-eu', false],
  ['*', '', true],
  ['*shop*', 'my shop-eu', true],
  ['a*a', 'a', false],
  ['a*b*b', 'ab', false],
  ['shop.eu', 'shop-eu', false],
  ['Shop', 'shop', false],
])('%s and %j: %s', (pattern, text, expected) => {
  expect(matchesPattern(pattern, text)).toBe(expected);
});

test('agrees with a regular expression', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
  const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
  fc.assert(
    fc.property(letters, texts, (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
      expect(matchesPattern(pattern, text)).toBe(expression.test(text));
    }),
    { numRuns: 2_000 },
  );
});
