import { expect, test } from 'vitest';
import { present } from '../../src/lib/present.ts';

test('leaves out what is undefined, and keeps everything else', () => {
  const copy = present({ a: 0, b: '', c: false, d: undefined, e: null });
  expect(Object.keys(copy)).toEqual(['a', 'b', 'c', 'e']);
});
