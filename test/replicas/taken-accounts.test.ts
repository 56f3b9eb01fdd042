import { expect, test } from 'vitest';
import { World } from '../life/world.ts';
import { servedOnly } from '../support/served-only.ts';
import { SharedMemory } from './support/shared-memory.ts';

const minute = 60;

test('the log names each account that is taken, lost or released, and not what belongs to none', async () => {
  const world = World.inMemory({
    ...{ checks: 2, transactions: 0 },
    ...{ shared: new SharedMemory(), served: servedOnly() },
  });
  await world.start({ name: 'shop' }, { name: 'lab' });
  await world.pass(minute);
  world.connection?.cut();
  await world.pass(minute);
  world.connection?.mend();
  await world.pass(minute);
  await world.stop();

  for (const event of ['taken', 'lost', 'released']) {
    const lines = world.log.filter((line) => line.includes(`msg="account ${event}"`));
    const named = lines.map((line) => / account=(\S*)/.exec(line)?.[1]);
    expect([...new Set(named)].sort()).toEqual(['lab', 'shop']);
  }
});
