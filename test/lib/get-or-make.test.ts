import { expect, test } from 'vitest';
import { getOrMake } from '../../src/lib/get-or-make.ts';

test('a value is made when its key is first asked for, and kept', () => {
  const map = new Map<string, string[]>();
  getOrMake(map, 'a', () => []).push('first');
  getOrMake(map, 'a', () => ['never made']).push('second');
  expect([...map]).toEqual([['a', ['first', 'second']]]);
});
