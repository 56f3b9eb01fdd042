import { expect, it } from 'vitest';
import { RecentMap } from '../../src/lib/recent-map.ts';

it('forgets the oldest entry beyond its limit', () => {
  const map = new RecentMap<string, number>(2);

  map.set('a', 1).set('b', 2).set('c', 3);

  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
});

it('keeps an entry that is set again', () => {
  const map = new RecentMap<string, number>(2);

  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);

  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

it('keeps an entry that is got', () => {
  const map = new RecentMap<string, number>(2).set('a', 1).set('b', 2);

  expect(map.get('a')).toBe(1);
  expect(map.get('x')).toBeUndefined();
  map.set('c', 3);

  expect([...map.keys()]).toEqual(['a', 'c']);
});
