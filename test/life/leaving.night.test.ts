import { expect, test } from 'vitest';
import { excluding, lists, lived } from './leaving-world.ts';

const hour = 3_600;
/** Totals are kept for seven days. */
const eightDays = 8 * 24 * hour;

test('a dataset that is switched off for eight days leaves nothing of its items', async () => {
  const { holders, world, transactions } = lived(400, 4);
  const ids = transactions.all.map(({ id }) => id);
  await world.start();
  await world.pass(5 * hour);
  const off = { datasets: { ...lists, transactions: { enabled: false } } };
  await world.reload(off);
  await world.pass(eightDays);
  expect(Object.fromEntries(await holders.sitesOf(ids))).toEqual({});

  await world.reload({});
  await world.pass(5 * hour);
  const back = await holders.sitesOf(ids);
  expect([...back.keys()].join()).toContain('state/items/item-store.ts');
});

test('an account that is removed for eight days leaves nothing of its items', async () => {
  const { holders, world, all } = lived(400, 4);
  await world.start();
  await world.pass(5 * hour);
  const before = await holders.sitesOf(all);
  expect([...before.keys()].join()).toContain('state/items/item-store.ts');
  await world.reload({ name: 'other', ...excluding(all) });
  await world.pass(eightDays + 120);
  expect(Object.fromEntries(await holders.sitesOf(all))).toEqual({});
});
