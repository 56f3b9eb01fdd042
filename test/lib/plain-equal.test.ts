import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { plainEqual } from '../../src/lib/plain-equal.ts';
import fc from '../support/fast-check.ts';

const few = fc.constantFrom(0, 1, '', 'a', null, true, undefined);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    few,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('x', 'y'), tie('value')),
  ),
}));

test('agrees with isDeepStrictEqual about plain data', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(plainEqual(a, b)).toBe(isDeepStrictEqual(plain(a), plain(b)));
      expect(plainEqual(a, structuredClone(a))).toBe(true);
    }),
  );
});

test.each([
  [[1, 2], [1]],
  [[], {}],
  [{ x: undefined }, {}],
  [{ x: undefined }, { y: undefined }],
  [{ x: 1 }, { x: '1' }],
  [null, {}],
])('%j is not %j', (a, b) => {
  expect(plainEqual(a, b)).toBe(false);
  expect(plainEqual(b, a)).toBe(false);
});

/** With prototypes as JSON.parse makes them. */
function plain(data: unknown): unknown {
  return structuredClone(data);
}
