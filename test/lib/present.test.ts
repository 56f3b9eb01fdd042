import { expect, test } from 'vitest';
import { pick, present } from '../../src/lib/present.ts';

test('leaves out what is undefined, and keeps everything else', () => {
  const copy = present({ a: 0, b: '', c: false, d: undefined, e: null });
  expect(Object.keys(copy)).toEqual(['a', 'b', 'c', 'e']);
});

test('picked fields are those with the names, without undefined ones', () => {
  const value: { a: number; b?: number | undefined; c?: number; d: string } = {
    a: 1,
    b: undefined,
    d: 'd',
  };
  expect(pick(value, ['a', 'b', 'c'])).toStrictEqual({ a: 1 });
});
