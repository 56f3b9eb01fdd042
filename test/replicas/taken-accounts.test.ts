import { expect, onTestFinished, test } from 'vitest';
import { StoreError } from '../../src/store/store-error.ts';
import { World } from '../life/world.ts';
import { servedOnly } from '../support/served-only.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
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

test('an account that cannot be read is tried with each renewal, and logged once for each reason', async () => {
  const clock = new VirtualClock();
  const { sharing } = new SharedMemory().connect('one', clock);
  const reasons = ['unknown format', 'unknown format', 'no rights', 'no rights', 'unknown format'];
  const tries: string[] = [];
  const logged: unknown[] = [];
  const owner = sharing.owner({
    accounts: {
      ...{ names: ['shop'], wanted: [], expedite: () => {} },
      ...{ handOver: async () => {}, drop: async () => {} },
      acquire: async () => {
        const reason = reasons[tries.length] ?? 'unknown format';
        tries.push(reason);
        throw new StoreError('refused', reason);
      },
    },
    clock,
    log: {
      ...{ debug: () => {}, info: () => {}, error: () => {} },
      warn: (fields) => void logged.push(fields),
    },
    ...{ show: async () => {}, onGone: () => {}, onBeat: () => {} },
  });
  onTestFinished(() => owner.stop());
  await owner.start();

  await clock.advance(minute * 1_000);

  expect(tries.length).toBeGreaterThan(reasons.length);
  expect(logged).toEqual(
    ['unknown format', 'no rights', 'unknown format'].map((reason) => ({
      account: 'shop',
      reason,
    })),
  );
});
