import { expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { excluding, lived } from './leaving-world.ts';

const hour = 3_600;
const day = 24 * hour;
/** Totals are kept for seven days. */
const kept = 7 * day;

/** What becomes of an item. The service omits an absent one from its lists for a time. */
const cohorts = ['staying', 'deleted', 'absent', 'excluded', 'included', 'restarted'] as const;
type Cohort = (typeof cohorts)[number];

/** Checks and transactions of each cohort. */
function cohort(name: Cohort, ids: readonly number[]): readonly number[] {
  return ids.filter((_id, place) => cohorts[place % cohorts.length] === name);
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
