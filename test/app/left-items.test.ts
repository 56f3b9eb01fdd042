import { expect, test } from 'vitest';
import { LeftItems } from '../../src/app/left-items.ts';
import type { ListedItem } from '../../src/state/leaving.ts';

const at = 1_700_000_000;
const day = 86_400;

/** Of a record only the entry is read. */
const check = (id: number, status: 'up' | 'down' | 'unconfirmed_down') =>
  ({ entry: { id, name: `check ${id}`, type: 'http', status, tags: [] } }) as unknown as ListedItem;

test('an item that has left is known for a day, with whether it was down', () => {
  const items = new LeftItems();
  items.left('check', [check(1, 'down'), check(2, 'unconfirmed_down')], {
    atSeconds: at,
    why: 'list',
  });

  expect(items.of('check', 1, at + day - 1)).toEqual({
    name: 'check 1',
    atSeconds: at,
    why: 'list',
    wasDown: true,
  });
  expect(items.of('check', 2, at)).toMatchObject({ wasDown: false });
  expect(items.of('transaction', 1, at)).toBeUndefined();
  expect(items.of('check', 1, at + day)).toBeUndefined();
});

test('an item that returns has not left', () => {
  const items = new LeftItems();
  items.left('check', [check(1, 'down')], { atSeconds: at, why: 'filter' });
  items.arrived('check', [1]);

  expect(items.of('check', 1, at)).toBeUndefined();
});

test('of many items that leave, the last thousand are known', () => {
  const items = new LeftItems();
  const many = Array.from({ length: 1_500 }, (_, id) => check(id, 'up'));
  items.left('check', many, { atSeconds: at, why: 'filter' });

  expect(items.of('check', 499, at)).toBeUndefined();
  expect(items.of('check', 500, at)).toMatchObject({ name: 'check 500' });
});
