import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { StoreChanges, StoredAccount } from '../../src/store/store.ts';
import { World } from '../life/world.ts';
import { checkStates } from '../support/service-truth.ts';
import { countersOnly } from '../support/states-only.ts';
import { StoreAround } from '../support/store-around.ts';

const [minute, hour] = [60, 3_600];

/** A store that reports to be a copy until totals begin again. */
class CopiedStore extends StoreAround {
  readonly store = new MemoryStore();
  isCopy = false;

  override async load(account: string): Promise<StoredAccount> {
    const stored = await super.load(account);
    return this.isCopy ? { ...stored, past: 'it is a copy' } : stored;
  }

  override async commit(changes: StoreChanges): Promise<void> {
    await super.commit(changes);
    if (changes.beginsAgain === true) this.isCopy = false;
  }
}

/** An exporter that was restored after an hour, on a machine whose clock is wrong. */
async function restored(wrongSeconds: number) {
  const store = new CopiedStore();
  const world = World.inMemory({
    checks: 3,
    transactions: 1,
    datasets: countersOnly,
    store,
    wire: { stray401: 0, stray403: 0, omittedChecks: 0, reportLagSeconds: { min: 0, max: 0 } },
  });
  for (const { id } of world.sandbox.world.checks) {
    world.sandbox.world.plant({
      checkId: id,
      status: 'up',
      from: world.now - hour,
      to: world.now + 40 * hour,
    });
    for (const start of [20, 100]) {
      const from = world.now + start * minute;
      const to = from + 15 * minute;
      world.sandbox.world.plant({ checkId: id, status: 'down', from, to });
    }
  }
  await world.start();
  await world.pass(hour);
  await world.stop();
  store.isCopy = true;
  world.machineClock.stepWall(wrongSeconds * 1000);
  const from = world.now;
  await world.start();
  return { world, store, from };
}

async function expectCountedSince({ world, from }: Awaited<ReturnType<typeof restored>>) {
  const samples = [...(await world.scrape())];
  for (const { id } of world.sandbox.world.checks) {
    const of = (state: string) =>
      samples.find(
        ([sample]) =>
          sample.startsWith('uptime_check_state_seconds_total{') &&
          sample.includes(`check_id="${id}"`) &&
          sample.includes(`state="${state}"`),
      )?.[1];
    const range = { fromSeconds: from, toSeconds: world.now };
    const truth = checkStates(world.sandbox, id, range, world.now);
    expect(of('down')).toBe(truth.seconds.down);
    expect(Math.abs((of('up') ?? Number.NaN) - truth.seconds.up)).toBeLessThan(5 * minute);
  }
}

describe('counters of a copy begin again when it was restored, by the time of the service', () => {
  test.each([
    ['a day fast', 24 * hour],
    ['two hours slow', -2 * hour],
  ])('on a machine whose clock is %s', async (_, wrongSeconds) => {
    const life = await restored(wrongSeconds);
    const { world, store } = life;
    await world.pass(90 * minute);
    expect(store.isCopy).toBe(false);

    await expectCountedSince(life);
    await world.stop();
    await world.start();
    await expectCountedSince(life);
    await world.stop();
  });
});
