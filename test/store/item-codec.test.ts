import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeItem, encodeItem } from '../../src/store/item-codec.ts';
import type { StoredItem } from '../../src/store/store.ts';
import { fullItem, plainItem } from './support/stored-items.ts';

/** What a file gives back. */
function reread(item: StoredItem): unknown {
  return JSON.parse(JSON.stringify(encodeItem(item)));
}

test.each([
  ['everything', fullItem],
  ['only what every item has', plainItem(3)],
])('an item with %s comes back as it was', (_, item) => {
  expect(decodeItem(reread(item))).toEqual(item);
});

test('results without countries come back without them', () => {
  const { byCountry: _, ...results } = fullItem.results ?? {};
  const item = { ...plainItem(1), results } as StoredItem;

  expect(decodeItem(reread(item)).results).not.toHaveProperty('byCountry');
});

test('any countries and any buckets come back as they were', () => {
  const amount = fc.nat();
  const countries = fc.array(
    fc.record({
      countryIso: fc.string({ unit: 'binary' }),
      results: amount,
      responseTimes: amount,
      sumMilliseconds: amount,
    }),
  );
  const buckets = fc.array(fc.tuple(fc.double({ min: 0, max: 60, noNaN: true }), amount));
  fc.assert(
    fc.property(countries, buckets, amount, (byCountry, pairs, above) => {
      const results = {
        watermark: { startSeconds: 5, atSeconds: 10, recent: [] },
        counts: { up: 1, down: 2, unconfirmed_down: 3, unknown: 4 },
        responseTimes: {
          // JSON knows no negative zero, and no bound is one.
          boundsSeconds: pairs.map(([bound]) => bound + 0),
          counts: [...pairs.map(([, count]) => count), above],
          sumMilliseconds: 7,
        },
        byCountry,
      };

      expect(decodeItem(reread({ ...plainItem(1), results })).results).toEqual(results);
    }),
  );
});

test.each([
  ['nonsense', 'nonsense'],
  ['a state that there is not', [['asleep', 5]]],
  ['a time that is none', [['up', 'noon']]],
  [
    'times in no order',
    [
      ['up', 5],
      ['down', 4],
    ],
  ],
])('recent changes that are %s are forgotten, and the rest is kept', (_, nonsense) => {
  const { recent: _recent, ...rest } = fullItem;
  const [states, extras] = reread(rest) as [unknown, unknown[]];

  expect(decodeItem([states, [...extras, nonsense]])).toEqual(rest);
});

test('buckets that do not fit their bounds are refused', () => {
  const { results } = fullItem;
  if (results === undefined) throw new Error('the full item has no results');
  const responseTimes = { ...results.responseTimes, boundsSeconds: [0.1] };

  expect(() =>
    decodeItem(reread({ ...fullItem, results: { ...results, responseTimes } })),
  ).toThrow();
});
