import { expect, test } from 'vitest';
import { RequestLimits } from '../../sandbox/src/server/rate-limit.ts';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { Secret } from '../../src/lib/secret.ts';
import { World } from '../life/world.ts';
import { servedOnly } from '../support/served-only.ts';
import { statesOnly } from '../support/states-only.ts';

const minute = 60;
const second = 'second-token';

/**
 * An account of the service with 11,600 requests an hour, of which others have spent 9,000, and the
 * limits of a small one, whose windows began later.
 */
async function startWorld() {
  const world = World.inMemory({
    ...{ checks: 5, transactions: 0, readOnlyToken: second },
    ...{ shortLimit: 11_600, longLimit: 180 * 11_600 },
    ...{ datasets: statesOnly, served: servedOnly() },
  });
  await world.start();
  await world.pass(20 * minute);
  world.sandbox.limits.otherClientSpends(9_000);
  const small = new RequestLimits({ clock: world.clock, shortLimit: 400, longLimit: 72_000 });
  small.otherClientSpends(5);
  await world.pass(20 * minute);
  const limits = async () => {
    const { accounts } = JSON.parse(await world.get('/status.json'));
    return accounts[0].budget.windows;
  };
  return { world, small, limits };
}

const other = { authentication: bearerToken(new Secret(second)) };
const changes: readonly [string, (world: World) => Promise<void>][] = [
  ['reload', (world) => world.reload(other)],
  [
    'restart',
    async (world) => {
      await world.stop();
      await world.start(other);
    },
  ],
];

test.each(changes)(
  'after a %s, a token of a smaller account of the service is used with the limits of that account',
  async (_, change) => {
    const { world, small, limits } = await startWorld();
    const { journal } = world.sandbox;
    world.sandbox.limits.spend = () => small.spend();
    world.sandbox.limits.headers = () => small.headers();
    await change(world);
    const before = journal.total;
    await world.pass(10 * minute);

    expect(journal.total - before).toBeGreaterThan(7);
    expect(journal.countOfStatus(429)).toBe(0);
    expect((await limits()).short.limit).toBeLessThan(400);
  },
);

test.each(changes)(
  'after a %s with another token of the same account, its limits and reserve stay known',
  async (_, change) => {
    const { world, limits } = await startWorld();
    const { short, long } = await limits();
    await change(world);
    await world.pass(5 * minute);

    expect(await limits()).toMatchObject({
      short: { limit: short.limit, reserve: short.reserve },
      long: { limit: long.limit, reserve: long.reserve },
    });
  },
);

test('a token of a smaller account is used with its limits after two restarts, of which the first gets no response of the service', async () => {
  const { world, small, limits } = await startWorld();
  await world.stop();
  world.sandbox.faults.inject({ kind: 'html-502' });
  await world.start(other);
  await world.pass(minute);
  await world.stop();
  world.sandbox.faults.clear();
  world.sandbox.limits.spend = () => small.spend();
  world.sandbox.limits.headers = () => small.headers();
  await world.start(other);
  await world.pass(10 * minute);

  expect((await limits()).short.limit).toBeLessThan(400);
});

test('after a token with a mistake, and its correction, the limits and the reserve are those of before', async () => {
  const { world, limits } = await startWorld();
  const { short, long } = await limits();
  const token = (text: string) => ({ authentication: bearerToken(new Secret(text)) });
  await world.reload(token('mistaken-token'));
  await world.pass(minute);
  await world.reload(token(second));
  await world.pass(5 * minute);

  expect(await limits()).toMatchObject({
    short: { limit: short.limit, reserve: short.reserve },
    long: { limit: long.limit, reserve: long.reserve },
  });
});
