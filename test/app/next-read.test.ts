import { expect, test } from 'vitest';
import { World } from '../life/world.ts';
import { servedOnly } from '../support/served-only.ts';

const minute = 60;

test('nothing is read before the window resets whose requests are used up', async () => {
  const world = World.inMemory({
    ...{ checks: 3, transactions: 0, shortLimit: 400, longLimit: 72_000 },
    served: servedOnly(),
  });
  const { limits, world: account } = world.sandbox;
  await world.start();
  await world.pass(10 * minute);
  while (limits.reading('short').remaining > 0) limits.spend();
  await world.pass(2 * minute);
  const { resetSeconds } = limits.reading('short');
  const [id] = account.checks.map((check) => check.id);
  const words = (await world.get(`/accounts/shop/checks/${id}`)).replace(/<[^>]*>/g, ' ');
  await world.stop();

  // They are due before.
  const [, waitMinutes] = /results +\d+ min.*? latest in (\d+) min/.exec(words) ?? [];
  expect(Number(waitMinutes)).toBe(Math.floor(resetSeconds / minute));
});
