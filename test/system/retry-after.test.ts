import { expect, test } from 'vitest';
import { World } from '../life/world.ts';

const waitSeconds = 600;
/** Every refusal must come from the fault. */
const wire = { stray401: 0, stray403: 0, omittedChecks: 0, missingLimits: 0 };

/** An exporter that has run for half an hour, and the requests that reach the service after that. */
async function running() {
  const world = World.inMemory({ checks: 3, transactions: 0, wire });
  await world.start();
  await world.pass(1_800);
  const { journal, faults } = world.sandbox;
  const before = journal.total;
  const since = () => journal.recent.slice(before - journal.total || Infinity);
  const lists = () => since().filter(({ operation }) => operation === 'list_checks');
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await world.pass(1);
  };
  return { world, faults, since, lists, until };
}

test('after a 429 with Retry-After nothing is requested for that time, then one request', async () => {
  const { world, faults, since, until } = await running();
  faults.inject({ kind: 'limit-exceeded-at-edge' });
  await until(() => since().length > 0);

  await world.pass(waitSeconds - 5);
  expect(since()).toHaveLength(1);
  await world.pass(15);
  expect(since()).toHaveLength(2);

  faults.clear();
  await world.pass(waitSeconds);
  expect(since().length).toBeGreaterThan(5);
  await world.stop();
});

test('a restart does not shorten the wait after a 429 with Retry-After', async () => {
  const { world, faults, since, until } = await running();
  faults.inject({ kind: 'limit-exceeded-at-edge' });
  await until(() => since().length > 0);

  await world.stop();
  await world.pass(60);
  await world.start();
  await world.pass(waitSeconds - 65);

  expect(since()).toHaveLength(1);
  await world.stop();
});

test('after a 503 with the date of its end each dataset is requested once, until that date', async () => {
  const { world, faults, since, lists, until } = await running();
  faults.inject({ kind: 'unavailable-until' });
  await until(() => lists().length > 0);

  await world.pass(waitSeconds - 5);
  expect(lists()).toHaveLength(1);
  // The list, and those that failed until the whole account was held.
  expect(since().length).toBeLessThanOrEqual(4);
  await world.pass(15);
  expect(lists()).toHaveLength(2);
  await world.stop();
});

test('a 503 of one operation delays no other', async () => {
  const { world, faults, since, lists } = await running();
  faults.inject({ kind: 'unavailable-until', operation: 'list_actions' });

  await world.pass(waitSeconds);

  const actions = since().filter(({ operation }) => operation === 'list_actions');
  expect(actions.length).toBeLessThanOrEqual(2);
  expect(lists().length).toBeGreaterThan(5);
  await world.stop();
});

test('a list that is told when to come back waits, although other requests succeed', async () => {
  const { world, faults, since, lists, until } = await running();
  faults.inject({ kind: 'unavailable-until', operation: 'list_checks', times: 1 });
  await until(() => lists().length > 0);

  await world.pass(waitSeconds - 5);
  expect(lists()).toHaveLength(1);
  expect(since().length).toBeGreaterThan(1);
  await world.pass(15);
  expect(lists().length).toBeGreaterThan(1);
  await world.stop();
});
