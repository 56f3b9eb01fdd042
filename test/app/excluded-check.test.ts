import { expect, onTestFinished, test } from 'vitest';
import { World } from '../life/world.ts';
import { statesOnly } from '../support/states-only.ts';

const [minute, day] = [60, 86_400];

test('the outage of a check that a reload excludes is over at once, and open again when the check returns', async () => {
  const world = World.inMemory({ checks: 2, transactions: 0, datasets: statesOnly });
  onTestFinished(() => world.stop());
  const { now, sandbox } = world;
  const [check] = sandbox.world.checks;
  const checkId = check?.id ?? 0;
  sandbox.world.plant({ checkId, status: 'up', from: now - 40 * day, to: now });
  sandbox.world.plant({ checkId, status: 'down', from: now, to: now + day });
  const shown = async () => {
    const page = await world.page();
    const isOfCheck = new RegExp(
      `^uptime_check_outage_open\\{.*check_id="${checkId}".* (\\d)$`,
      'gm',
    );
    return {
      open: [...page.matchAll(isOfCheck)].map(([, value]) => Number(value)),
      count: Number(/^uptime_outages_open\{.*kind="check"\} (\d+)$/m.exec(page)?.[1]),
    };
  };
  const withoutIt = { filter: ({ id }: { readonly id: number }) => id !== checkId };
  await world.start();
  await world.pass(10 * minute);
  const before = await shown();
  expect(before.open).toEqual([1]);

  const asked = sandbox.journal.total;
  await world.reload(withoutIt);
  const excluded = { open: [0], count: before.count - 1 };
  expect(await shown()).toEqual(excluded);
  // No list has been read since the reload.
  expect(sandbox.journal.total).toBe(asked);

  await world.crash();
  await world.start(withoutIt);
  expect((await shown()).open).toEqual([0]);
  await world.reload({});
  await world.pass(5 * minute);
  expect((await shown()).open).toEqual([1]);
});
