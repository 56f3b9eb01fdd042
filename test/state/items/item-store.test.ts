import { describe, expect, test } from 'vitest';
import { ItemStore, missingSeconds } from '../../../src/state/items/item-store.ts';

interface Item {
  readonly id: number;
  readonly name: string;
}
interface Totals {
  readonly count: number;
  readonly goneAtSeconds?: number;
}
interface Found {
  readonly color: string;
}
type Row = Item & { readonly total: number; readonly color?: string };

const everything = { freshSince: () => 0, now: 0 };

function setUp() {
  /** Names of the items whose rows were built. */
  const built: string[] = [];
  const items = new ItemStore<Item, Totals, Found, Row>({
    detailDatasets: { color: 'detail' },
    build: ({ entry, totals, details }) => {
      built.push(entry.name);
      return { ...entry, total: totals.count, ...details };
    },
  });
  let nowSeconds = 0;
  const zero = () => ({ count: 0 });
  /** Applies a list. Returns the ids of the items that leave. */
  const apply = (listed: Parameters<typeof items.list>[0]) => {
    const { gone, excluded } = items.list(listed, zero);
    items.leave([...gone, ...excluded], { atSeconds: listed.nowSeconds, why: 'list' });
    return [...gone, ...excluded];
  };
  /** A complete list, a minute after the one before. */
  const list = (...entries: Item[]) => {
    nowSeconds += 60;
    return apply({ entries, isComplete: true, nowSeconds });
  };
  /** Lists that lack what leaves, until it leaves. */
  const lists = (entries: readonly Item[], removedAt: number) => {
    apply({ entries, isComplete: true, nowSeconds: removedAt - missingSeconds });
    return apply({ entries, isComplete: true, nowSeconds: removedAt });
  };
  const rows = () => items.rows(everything);
  return { items, built, apply, list, lists, rows };
}

/** The ids of the items whose totals wait to be stored. */
function unstored(items: ReturnType<typeof setUp>['items']): readonly number[] {
  return [...items.unstored()].map(({ entry }) => entry.id);
}

const a = { id: 1, name: 'a' };
const b = { id: 2, name: 'b' };

describe('a list', () => {
  test('gives each item a slot, which another may have later with another generation', () => {
    const { items, list, lists } = setUp();
    list(a, b);
    expect([items.slotOf(1)?.slot, items.slotOf(2)?.slot].sort()).toEqual([0, 1]);
    const of2 = { ...items.slotOf(2) };
    lists([a], 1_000);
    expect(items.slotOf(2)).toBeUndefined();

    list(a, { id: 3, name: 'c' }, b);

    expect(items.slotOf(3)?.slot).toBe(of2.slot);
    expect(items.slotOf(2)?.slot).toBe(2);
    const generations = [1, 2, 3].map((id) => items.slotOf(id)?.generation);
    expect(new Set([...generations, of2.generation, 0]).size).toBe(5);
  });

  test('leaves totals and details as they are', () => {
    const { items, list, rows } = setUp();
    list(a);
    items.apply(1, { count: 7 });
    items.setDetail(1, 'color', 'red', 0);
    list({ ...a, name: 'renamed' });
    expect(rows()).toEqual([{ id: 1, name: 'renamed', total: 7, color: 'red' }]);
  });
});

describe('rows that are built ahead', () => {
  const c = { id: 3, name: 'c' };

  test('are so many at a time, and are not built again', () => {
    const { items, built, list, rows } = setUp();
    list(a, b, c);

    expect(items.prepareRows(everything, 2)).toBe(true);
    expect(built).toEqual(['a', 'b']);
    expect(items.prepareRows(everything, 2)).toBe(false);

    expect(rows()).toEqual([a, b, c].map((item) => ({ ...item, total: 0 })));
    expect(built).toEqual(['a', 'b', 'c']);
    expect(items.prepareRows(everything, 2)).toBe(false);
  });

  test('show what changed after they were built, and not what has removed', () => {
    const { items, built, list, rows } = setUp();
    list(a, b, c);
    items.prepareRows(everything, 1);

    list(a, c);
    list(a, c);
    items.apply(1, { count: 7 });

    expect(items.prepareRows(everything, 9)).toBe(false);
    expect(rows()).toEqual([
      { ...a, total: 7 },
      { ...c, total: 0 },
    ]);
    expect(built).toEqual(['a', 'c', 'a']);
  });
});

describe('a row', () => {
  test('that shows the same is the same object, whatever else changes', () => {
    const { items, list, rows } = setUp();
    list(a, b);
    const [first, second] = rows();
    list({ ...a }, { ...b });
    items.apply(2, { count: 1 });
    const [firstAgain, secondAgain] = rows();
    expect(firstAgain).toBe(first);
    expect(secondAgain).not.toBe(second);
  });
});

test('totals wait to be committed from the list that brings an item, until they are', () => {
  const { items, list } = setUp();
  list(a, b);
  list(a, b);
  expect(unstored(items)).toEqual([1, 2]);

  items.apply(a.id, { count: 0 });
  list(a, b);
  expect(unstored(items)).toEqual([2]);

  const restored = setUp();
  restored.items.restore({
    entries: [a],
    totals: new Map([
      [a.id, { count: 1 }],
      [b.id, { count: 1 }],
    ]),
    details: new Map(),
  });
  restored.list(a, b);
  expect(unstored(restored.items)).toEqual([]);
});

test('what is said of an item that is not there is not kept', () => {
  const { items, list, rows } = setUp();
  list(a);
  items.apply(9, { count: 1 });
  items.setDetail(9, 'color', 'red', 0);
  expect(rows()).toEqual([{ ...a, total: 0 }]);
});

describe('a list that lacks items', () => {
  const day = 86_400;
  const at = (entries: readonly Item[], nowSeconds: number, isComplete = true) => ({
    entries,
    nowSeconds,
    isComplete,
  });

  test('removes them when another list, at least 45 seconds later, lacks them too', () => {
    const { items, apply, rows } = setUp();
    apply(at([a, b], 0));
    expect(apply(at([b], 60))).toEqual([]);
    expect(items.isMissing(a.id)).toBe(true);
    expect(apply(at([b], 104))).toEqual([]);
    expect(rows()).toHaveLength(2);
    expect(apply(at([b], 105))).toEqual([a.id]);
    expect(rows()).toHaveLength(1);
    expect(items.isRemovalPending).toBe(false);
  });

  test('removes all of them if it is empty, and the next one adds what is new', () => {
    const { items, list, lists } = setUp();
    list(a, b);
    for (const { id } of [a, b]) items.apply(id, { count: 7 });
    expect(lists([], 300)).toEqual([a.id, b.id]);
    expect(items.size).toBe(0);
    expect([...items.removed.keys()]).toEqual([a.id, b.id]);
    list({ id: 3, name: 'c' });
    expect([...items.ids()]).toEqual([3]);
  });

  test('removes none that is in every second list', () => {
    const { apply, rows } = setUp();
    for (let minute = 0; minute < 20; minute++) {
      apply(at(minute % 2 === 0 ? [a, b] : [b], 60 * minute));
      expect(rows()).toHaveLength(2);
    }
  });

  test('removes nothing, and is not the first that lacks them, when it is not complete', () => {
    const { apply } = setUp();
    apply(at([a, b], 0));
    expect(apply(at([], 60, false))).toEqual([]);
    expect(apply(at([a], 120, false))).toEqual([]);
    expect(apply(at([a], 180))).toEqual([]);
    expect(apply(at([a], 240, false))).toEqual([]);
    expect(apply(at([a], 300))).toEqual([b.id]);
  });

  test('keeps the totals for seven days, for the item to go on with', () => {
    const { items, apply, list, lists } = setUp();
    list(a, b);
    items.apply(a.id, { count: 7 });

    lists([b], 10 * day);
    expect(items.removed).toEqual(new Map([[a.id, { count: 7, goneAtSeconds: 10 * day }]]));
    expect(items.isKept(a.id)).toBe(true);
    const [removed] = items.removed.values();
    items.apply(a.id, removed ?? null);
    expect(items.removed.size).toBe(0);

    apply(at([a, b], 16 * day));
    expect(items.get(a.id)?.totals).toEqual({ count: 7 });
    expect(unstored(items)).toContain(a.id);
  });

  test('does not take the totals of a removed item that are stored while it returns', () => {
    const { items, apply, list, lists } = setUp();
    list(a, b);
    items.apply(a.id, { count: 7 });
    lists([b], 10 * day);
    const [removed] = items.removed.values();
    apply(at([a, b], 11 * day));
    items.apply(a.id, removed ?? null);
    expect(items.get(a.id)?.totals).toEqual({ count: 7 });
    expect(unstored(items)).toContain(a.id);
  });

  test('keeps the totals of an item that leaves again before its return could be stored', () => {
    const { items, apply, list, lists } = setUp();
    list(a, b);
    items.apply(a.id, { count: 7 });
    lists([b], 10 * day);
    apply(at([a, b], 11 * day));
    lists([b], 12 * day);

    apply(at([a, b], 13 * day));

    expect(items.get(a.id)?.totals).toEqual({ count: 7 });
  });

  test('forgets the totals after seven days, after a restart too', () => {
    const { items, apply, list, rows } = setUp();
    items.restore({
      entries: [],
      totals: new Map([[a.id, { count: 7, goneAtSeconds: 10 * day }]]),
      details: new Map(),
    });
    expect(rows()).toEqual([]);
    apply(at([], 17 * day));
    expect(items.expire(17 * day)).toEqual([]);
    expect(items.removed.size).toBe(0);

    expect(items.expire(17 * day + 1)).toEqual([a.id]);
    expect(items.removed).toEqual(new Map([[a.id, null]]));
    list(a);
    expect(items.get(a.id)?.totals).toEqual({ count: 0 });
  });

  test('leaves again after a restart if its totals alone were stored when it left', () => {
    const { items, rows } = setUp();
    items.restore({
      entries: [a, b],
      totals: new Map([
        [a.id, { count: 7, goneAtSeconds: 10 * day }],
        [b.id, { count: 8 }],
      ]),
      details: new Map(),
    });
    expect(unstored(items)).toEqual([a.id]);
    items.leave([a.id], { atSeconds: 10 * day + 60, why: 'list' });
    expect(rows()).toMatchObject([b]);
    expect(items.removed).toEqual(new Map([[a.id, { count: 7, goneAtSeconds: 10 * day + 60 }]]));
  });
});
