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

it('keeps an entry that is set again where it is', () => {
  const map = new RecentMap<string, number>(2);

  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);

  expect([...map.keys()]).toEqual(['b', 'c']);
});
