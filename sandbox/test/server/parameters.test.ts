import { expect, test } from 'vitest';
import {
  booleanParameter,
  enumListParameter,
  enumParameter,
  integerListParameter,
  integerParameter,
  listParameter,
  optionalBoolean,
  requiredParameter,
  requireKnown,
  textParameter,
} from '../../src/server/parameters.ts';

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  ['a, b,,c', ['a', 'b', 'c']],
  [
    [1, '2', true],
    ['1', '2', 'true'],
  ],
  [7, ['7']],
  ['', []],
  [[], []],
  [null, []],
  [undefined, []],
])('a list of %o is %o', (given, words) => {
  expect(listParameter({ x: given }, 'x')).toEqual(words);
});

test.each([[{ a: 1 }], [['a', { b: 1 }]], [[['a']]], [[null]]])(
  'a list of %o is refused',
  (given) => {
    expect(() => listParameter({ x: given }, 'x')).toThrow(
      `Parameter x must be a list of words or numbers, not ${JSON.stringify(given)}`,
    );
  },
);

test.each([
  [5, 5],
  ['5', 5],
  ['-3', -3],
])('a whole number given as %o is read', (given, value) => {
  expect(integerParameter({ x: given }, 'x', { min: -5 })).toBe(value);
});

test.each([[1.5], ['1e3'], ['0x10'], [true], [[5]], [{}], [null], [''], ['9'.repeat(16)]])(
  'a whole number given as %o is refused',
  (given) => {
    expect(() => integerParameter({ x: given }, 'x', { min: 0 })).toThrow(
      `Parameter x must be a whole number of 0 or more, not ${JSON.stringify(given)}`,
    );
  },
);

test.each([
  [true, true],
  [false, false],
  ['TRUE', true],
  ['0', false],
  [1, true],
])('a boolean given as %o is %o', (given, value) => {
  expect(optionalBoolean({ x: given }, 'x')).toBe(value);
});

test('what is absent is undefined, false, or what is said to stand for it', () => {
  expect(optionalBoolean({}, 'x')).toBeUndefined();
  expect(booleanParameter({}, 'x')).toBe(false);
  expect(booleanParameter({}, 'x', true)).toBe(true);
  expect(textParameter({}, 'x')).toBeUndefined();
  expect(enumParameter({}, 'x', ['a'])).toBeUndefined();
});

test('words are those there are', () => {
  expect(enumParameter({ x: 'b' }, 'x', ['a', 'b'])).toBe('b');
  expect(enumListParameter({ x: 'b,a' }, 'x', ['a', 'b'])).toEqual(['b', 'a']);
  expect(() => enumListParameter({ x: 'b,c' }, 'x', ['a', 'b'])).toThrow(
    'Parameter x must be one of a, b, not "c"',
  );
  expect(() => integerListParameter({ x: '1,b' }, 'x')).toThrow('Parameter x must be');
});

test('a name may stand for many with a number', () => {
  expect(() => requireKnown({ header1: '', header27: '' }, ['header{X}'])).not.toThrow();
  expect(() => requireKnown({ header: '' }, ['header{X}'])).toThrow(
    'Unknown parameter header; allowed are: header{X}',
  );
});

test('what is required is neither absent nor empty', () => {
  expect(requiredParameter('x', 0)).toBe(0);
  for (const value of [undefined, '', []]) {
    expect(() => requiredParameter('x', value)).toThrow('Parameter x is required');
  }
});
