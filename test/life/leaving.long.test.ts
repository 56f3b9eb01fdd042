import { expect, onTestFinished, test } from 'vitest';
import type { AccountSettings } from '../../src/config/account.ts';
import { extent } from '../support/extent.ts';
import { Holders } from '../support/holders.ts';
import { World } from './world.ts';

const [minute, hour, day] = [60, 3_600, 86_400];
/** Totals are kept for seven days. */
const kept = 7 * day;

/** A list may come two hours after the one before. */
const lists = { checks: { floorSeconds: 2 * hour }, transactions: { floorSeconds: 2 * hour } };

type Account = Partial<AccountSettings>;

/** What becomes of an item. The service omits an absent one from its lists for a time. */
const cohorts = ['staying', 'deleted', 'absent', 'excluded', 'included', 'restarted'] as const;
type Cohort = (typeof cohorts)[number];

function lived(items: number, hourlyRequests: number) {
  const holders = new Holders();
  const world = World.inMemory({
    checks: Math.round(0.8 * items),
    transactions: Math.round(0.2 * items),
    shortLimit: hourlyRequests,
    longLimit: 720 * hourlyRequests,
    batchIntervalMilliseconds: hour * 1000,
    datasets: lists,
  });
  onTestFinished(async () => {
    await world.stop();
    holders.end();
  });
  const { registry, transactions } = world.sandbox.world;
  const all = [...registry.all, ...transactions.all].map(({ id }) => id);
  return { holders, world, registry, transactions, all };
}

/** Checks and transactions of each cohort. */
function cohort(name: Cohort, ids: readonly number[]): readonly number[] {
  return ids.filter((_id, place) => cohorts[place % cohorts.length] === name);
}

function excluding(ids: readonly number[]): Account {
  const excluded = new Set(ids);
  return { filter: ({ id }) => !excluded.has(id) };
}

test('an item that has left for eight days is in no map, and one that came back is where all are', async () => {
  // So few requests that the past of some items is not read yet when they leave.
  const { holders, world, registry, transactions, all } = lived(extent(20, 1_000), extent(6, 12));
  const of = (...names: readonly Cohort[]) => names.flatMap((name) => cohort(name, all));
  await world.start();
  await world.pass(5 * hour);
  await world.reload(excluding(of('included')));
  await world.pass(3 * hour);
  await world.crash();
  await world.start(excluding(of('included', 'restarted')));
  await world.pass(3 * hour);
  await world.reload(excluding(of('excluded')));
  await world.pass(3 * hour);

  const absent = cohort('absent', all);
  const checks = absent.flatMap((id) => registry.find(id) ?? []);
  const others = absent.flatMap((id) => transactions.find(id) ?? []);
  for (const id of of('deleted', 'absent')) registry.remove(id) || transactions.remove(id);
  await world.pass(5 * hour);
  for (const check of checks) registry.put(check);
  for (const transaction of others) transactions.put(transaction);
  await world.pass(kept + day);

  const left = await holders.sitesOf(of('deleted', 'excluded'));
  expect(Object.fromEntries(left)).toEqual({});
  // Other maps have an item only for a time, such as an outage.
  const isCheck = (id: number) => registry.find(id) !== undefined;
  const sitesOfAll = async (ids: readonly number[]) =>
    [...(await holders.sitesOf(ids))].flatMap(([site, count]) => (count < ids.length ? [] : site));
  const ofStaying = await sitesOfAll(of('staying').filter(isCheck));
  const ofReturned = await sitesOfAll(of('absent', 'included', 'restarted').filter(isCheck));
  expect(ofStaying.join()).toContain('state/items/item-store.ts');
  expect(ofStaying.filter((site) => !ofReturned.includes(site))).toEqual([]);
});

test('a dataset that is switched off for eight days leaves nothing of its items', async () => {
  const { holders, world, transactions } = lived(extent(10, 400), 4);
  const ids = transactions.all.map(({ id }) => id);
  await world.start();
  await world.pass(5 * hour);
  const off = { datasets: { ...lists, transactions: { enabled: false } } };
  await world.reload(off);
  await world.pass(kept + day);
  expect(Object.fromEntries(await holders.sitesOf(ids))).toEqual({});

  await world.reload({});
  await world.pass(5 * hour);
  const back = await holders.sitesOf(ids);
  expect([...back.keys()].join()).toContain('state/items/item-store.ts');
});

test('an account that is removed for eight days leaves nothing of its items', async () => {
  const { holders, world, all } = lived(extent(10, 400), 4);
  await world.start();
  await world.pass(5 * hour);
  const before = await holders.sitesOf(all);
  expect([...before.keys()].join()).toContain('state/items/item-store.ts');
  await world.reload({ name: 'other', ...excluding(all) });
  await world.pass(kept + day + 2 * minute);
  expect(Object.fromEntries(await holders.sitesOf(all))).toEqual({});
});
