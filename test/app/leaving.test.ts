import { expect, onTestFinished, test } from 'vitest';
import type { AccountSettings } from '../../src/config/account.ts';
import { World } from '../life/world.ts';
import { servedOnly } from '../support/served-only.ts';
import { statesOnly } from '../support/states-only.ts';

const [minute, hour, day] = [60, 3_600, 86_400];

test('whatever removes an item, listeners hear of it and why, also at a reload and a restart', async () => {
  const world = World.inMemory({
    ...{ checks: 4, transactions: 1, datasets: statesOnly, shortLimit: 60, longLimit: 43_200 },
    served: servedOnly(),
  });
  onTestFinished(() => world.stop());
  const { now, sandbox } = world;
  const { registry, transactions } = sandbox.world;
  const [deleted = 0, reloaded = 0, restarted = 0, last = 0] = registry.all.map(({ id }) => id);
  const [transaction = 0] = transactions.all.map(({ id }) => id);
  for (const checkId of [deleted, reloaded, restarted, last, transaction]) {
    sandbox.world.plant({ checkId, status: 'down', from: now - hour, to: now + 40 * day });
  }
  /** The items that have left since the last call; all were down, which has a line of the log. */
  const left = () =>
    world.log.splice(0).flatMap((line) => {
      if (!line.includes('items removed while down')) return [];
      const [, kind, why, ids] =
        /kind=(\w+) why=(\w+) count=\d+ ids="?([\d,[\]]+)/.exec(line) ?? [];
      return `${kind} ${ids?.replaceAll(/[[\]]/g, '')} ${why}`;
    });
  const excluding = (...ids: readonly number[]): Partial<AccountSettings> => ({
    filter: ({ id }) => !ids.includes(id),
  });
  await world.start();
  await world.pass(hour);
  expect(left()).toEqual([]);

  registry.remove(deleted);
  await world.pass(10 * minute);
  expect(left()).toEqual([`check ${deleted} list`]);

  await world.reload(excluding(reloaded));
  expect(left()).toEqual([`check ${reloaded} filter`]);
  await world.pass(10 * minute);
  await world.crash();
  await world.start(excluding(reloaded, restarted));
  expect(left()).toEqual([`check ${restarted} filter`]);

  const off = { ...statesOnly, transactions: { enabled: false } };
  await world.reload({ ...excluding(reloaded, restarted), datasets: off });
  expect(left()).toEqual([`transaction ${transaction} dataset`]);

  await world.reload({ ...excluding(reloaded, restarted), datasets: off, name: 'other' });
  expect(left()).toContain(`check ${last} account`);
});
