import { expect, onTestFinished, test } from 'vitest';
import { World } from '../../life/world.ts';

const minute = 60;

test('the page of a check that a list lost, or a reload excluded, says so until it returns', async () => {
  const world = World.inMemory({ checks: 3, transactions: 0 });
  onTestFinished(() => world.stop());
  const { registry } = world.sandbox.world;
  const [lost, excluded] = registry.all;
  if (lost === undefined || excluded === undefined) throw new Error('there are too few checks');
  await world.start();
  await world.pass(5 * minute);
  const pageOf = ({ id }: { readonly id: number }) => world.read(`/accounts/shop/checks/${id}`);

  registry.remove(lost.id);
  await world.pass(3 * minute);
  expect((await pageOf(excluded)).status).toBe(200);
  const said = { status: 410, text: expect.stringContaining('The service no longer lists it') };
  expect(await pageOf(lost)).toMatchObject(said);

  await world.reload({ filter: ({ id }) => id !== excluded.id });
  await world.pass(2 * minute);
  expect(await pageOf(excluded)).toMatchObject({
    status: 410,
    text: expect.stringContaining('The configuration excludes it.'),
  });

  await world.reload({});
  await world.pass(2 * minute);
  expect((await pageOf(excluded)).status).toBe(200);
});
