import { expect, test } from 'vitest';
import { emptyLog } from '../../../src/slo/state-log.ts';
import { EncodedStore } from '../../../src/store/encoded-store.ts';
import { isItemChanged } from '../../../src/store/format/items.ts';
import { MemoryBackend, MemoryRows } from '../../../src/store/memory-store.ts';
import type { StoredItem } from '../../../src/store/store.ts';
import { counterStarts } from '../../../src/tally/check-counters.ts';
import { countResults } from '../../../src/tally/result-tally.ts';
import { noSeconds } from '../../../src/tally/state-tally.ts';
import { fullItem, plainItem } from '../support/stored-items.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The parts of an item, each with those fields that it always has. `fullItem` has all others. */
const parts: readonly (readonly [path: readonly string[], always: readonly string[]])[] = [
  [[], Object.keys(plainItem(1))],
  [['states'], Object.keys(plainItem(1).states)],
  [['log'], Object.keys(emptyLog(0))],
  [
    ['log', 'tail'],
    ['fromSeconds', 'toSeconds', 'askFromSeconds'],
  ],
  [
    ['results'],
    Object.keys(fullItem.results).filter((name) => name !== ('byCountry' satisfies keyof Results)),
  ],
];
type Results = NonNullable<StoredItem['results']>;

const optionalFields = parts.flatMap(([path, always]) =>
  Object.keys(valueAt(fullItem, path) as Fields)
    .filter((name) => !always.includes(name))
    .map((name) => [[...path, name].join('.')] as const),
);

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => (at as Fields)[name], value);
}

/** A copy in which only this field is another one, or absent. Everything else is the same object. */
function withField(of: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  if (rest.length > 0) return { ...of, [name]: withField(of[name] as Fields, rest, value) };
  const { [name]: _, ...others } = of;
  return value === undefined ? others : { ...of, [name]: value };
}

/** The same value with other numbers. */
function shifted(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return value.map(shifted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shifted(field)]));
}

test('there are optional fields in each part of an item', () => {
  const some = ['analyses', 'log', 'states.facts', 'log.givenUp', 'log.tail.isEndListed'];
  expect(optionalFields.flat()).toEqual(expect.arrayContaining([...some, 'results.byCountry']));
});

test.each(optionalFields)('%s is stored when it alone changes', async (name) => {
  const path = name.split('.');
  const value = valueAt(fullItem, path);
  // A log has an invariant that other numbers break; it appears and disappears.
  const values = [undefined, value, ...(name === 'log' ? [] : [shifted(value)])];
  for (const before of values) {
    for (const after of values) {
      const rows = new MemoryRows();
      const store = new EncodedStore(new MemoryBackend(rows, 'this process'));
      const begun = withField(fullItem, path, before);
      const changed = withField(begun, path, after);
      for (const item of [begun, changed]) {
        const check = new Map([[1, item as unknown as StoredItem]]);
        await store.commit({ account: 'shop', items: { check } });
      }

      const reader = new EncodedStore(new MemoryBackend(rows, 'this process'));
      const { items, lost } = await reader.load('shop');

      expect(lost).toEqual([]);
      expect(items.check.get(1)).toEqual(changed);
    }
  }
});

test('counters are stored once they have counted', async () => {
  const rows = new MemoryRows();
  const store = new EncodedStore(new MemoryBackend(rows, 'this process'));
  const start = plainItem(1).states.startSeconds;
  const range = { fromSeconds: start, toSeconds: start + 60 };
  const counters = counterStarts([0.1, 1])(start);
  const results = countResults(counters.results, range, []);
  const stored = async (item: StoredItem) => {
    await store.commit({ account: 'shop', items: { check: new Map([[1, item]]) } });
    const reader = new EncodedStore(new MemoryBackend(rows, 'this process'));
    const { items } = await reader.load('shop');
    return items.check.get(1);
  };

  expect(await stored({ ...plainItem(1), ...counters })).toEqual(plainItem(1));
  expect(await stored({ ...plainItem(2), ...counters, results })).toEqual({
    ...plainItem(2),
    results,
  });
  expect(await stored({ ...plainItem(2), ...counters })).toEqual(plainItem(2));
});

test('a check whose counters have counted nothing is not written again after a start', () => {
  const item = plainItem(1);
  const counters = counterStarts([0.1, 1])(item.states.startSeconds);

  expect(isItemChanged(item, { ...item, ...counters })).toBe(false);
  expect(isItemChanged(item, { ...item, ...counters, maintenance: noSeconds })).toBe(true);
});
