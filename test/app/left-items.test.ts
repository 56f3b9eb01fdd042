import { expect, test } from 'vitest';
import { LeftItems } from '../../src/app/left-items.ts';
import type { ListedItem } from '../../src/state/leaving.ts';

const at = 1_700_000_000;
const day = 86_400;

/** Of a record only the entry is read. */
const check = (id: number, status: 'up' | 'down' | 'unconfirmed_down') =>
  ({ entry: { id, name: `check ${id}`, type: 'http', status, tags: [] } }) as unknown as ListedItem;

function leftItems() {
  const clock = { nowSeconds: at };
  return { clock, items: new LeftItems(() => clock.nowSeconds) };
}

test('an item that has left is known for a day, with whether it was down', () => {
  const { clock, items } = leftItems();
  items.left('check', [check(1, 'down'), check(2, 'unconfirmed_down')], {
    atSeconds: at,
    why: 'list',
  });

  clock.nowSeconds = at + day - 1;
  items.refreshed();
  expect(items.of('check', 1)).toEqual({
    name: 'check 1',
    atSeconds: at,
    why: 'list',
    wasDown: true,
  });
  expect(items.of('check', 2)).toMatchObject({ wasDown: false });
  expect(items.of('transaction', 1)).toBeUndefined();
  clock.nowSeconds = at + day;
  expect(items.of('check', 1)).toBeUndefined();
});

test('an item that returns has not left', () => {
  const { items } = leftItems();
  items.left('check', [check(1, 'down')], { atSeconds: at, why: 'filter' });
  items.arrived('check', [1]);

  expect(items.of('check', 1)).toBeUndefined();
});

test('of many items that leave, the last thousand are known', () => {
  const { items } = leftItems();
  const many = Array.from({ length: 1_500 }, (_, id) => check(id, 'up'));
  items.left('check', many, { atSeconds: at, why: 'filter' });

  expect(items.of('check', 499)).toBeUndefined();
  expect(items.of('check', 500)).toMatchObject({ name: 'check 500' });
});
