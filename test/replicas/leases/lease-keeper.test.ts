import { describe, expect, onTestFinished, test } from 'vitest';
import { extent } from '../../support/extent.ts';
import fc from '../../support/fast-check.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { LeaseRows, TestReplica, times, ttlSeconds } from './support/shared-world.ts';

const accounts = ['a', 'b', 'c', 'd', 'e', 'f'];
const second = 1_000;
/** The longest time without an owner: one ttl, one margin, and some beats. */
const untilTaken = times.ttlMilliseconds + times.marginMilliseconds + 10 * second;

/** Replicas that share rows and a clock; further ones may have their own clock. */
async function world(count: number) {
  const clock = new VirtualClock();
  const rows = new LeaseRows();
  const replicas: TestReplica[] = [];
  const add = async (own: VirtualClock = clock) => {
    const replica = new TestReplica(`replica ${replicas.length + 1}`, rows, own);
    replicas.push(replica);
    onTestFinished(() => replica.keeper.stop());
    const started = replica.keeper.start(accounts, () => []);
    await own.advance(0);
    await started;
    return replica;
  };
  for (let index = 0; index < count; index++) await add();
  return { clock, rows, replicas, add };
}

const served = (replicas: readonly TestReplica[]) =>
  replicas.flatMap(({ serves }) => serves).sort();

const expiredTakes = (replica: TestReplica | undefined) =>
  replica?.keeper.views().map((view) => view.expiredTakes);

describe('the keeper of leases', () => {
  test('takes every free account at once', async () => {
    const { replicas } = await world(1);

    expect(replicas[0]?.serves).toEqual(accounts);
  });

  test('leaves a replica that starts later nothing, until the accounts are spread', async () => {
    const { clock, replicas } = await world(3);
    expect(replicas.map(({ serves }) => serves.length)).toEqual([6, 0, 0]);

    await clock.advance(6 * times.ttlMilliseconds);

    expect(replicas.map(({ serves }) => serves.length)).toEqual([2, 2, 2]);
    expect(served(replicas)).toEqual(accounts);
    expect(replicas.flatMap(expiredTakes).filter((takes) => takes !== 0)).toEqual([]);
  });

  test('moves surplus accounts one by one, and each within some beats', async () => {
    const { clock, replicas } = await world(2);
    let fewest = accounts.length;
    for (let beat = 0; beat < 60; beat++) {
      await clock.advance(times.ttlMilliseconds / 10);
      fewest = Math.min(fewest, served(replicas).length);
    }

    expect(replicas.map(({ serves }) => serves.length)).toEqual([3, 3]);
    expect(fewest).toBeGreaterThanOrEqual(accounts.length - 1);
  });

  test('hands everything over when it stops, which another takes with its next beat', async () => {
    const { clock, replicas } = await world(2);
    const [first, second_] = replicas;

    const stopped = first?.keeper.stop();
    await clock.advance(0);
    await stopped;
    await clock.advance(times.ttlMilliseconds / 10);

    expect(first?.serves).toEqual([]);
    expect(second_?.serves).toEqual(accounts);
    expect(expiredTakes(second_)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('takes no more than its share of what another hands over', async () => {
    const { clock, replicas } = await world(3);
    await clock.advance(6 * times.ttlMilliseconds);
    const [first, second_, third] = replicas;

    const stopped = third?.keeper.stop();
    await clock.advance(0);
    await stopped;
    await clock.advance(times.ttlMilliseconds / 10);

    expect([first, second_].map((replica) => replica?.serves.length)).toEqual([3, 3]);
  });

  test('leaves no timer behind when it has stopped, which would delay the end of the process', async () => {
    const { clock, replicas } = await world(1);
    await replicas[0]?.keeper.stop();

    expect(clock.sleepers).toBe(0);
  });

  test('takes the accounts of a replica that was cut off, after it no longer trusts them', async () => {
    const { clock, replicas } = await world(2);
    const [first, other] = replicas;
    await clock.advance(second);
    if (first !== undefined) first.failures.isCut = true;

    let both = 0;
    for (let elapsed = 0; elapsed < untilTaken; elapsed += second) {
      await clock.advance(second);
      if ((first?.serves.length ?? 0) > 0 && (other?.serves.length ?? 0) > 0) both += 1;
    }

    expect(both).toBe(0);
    expect(other?.serves).toEqual(accounts);
    expect(first?.events).toContain('lost a expired');
    expect(expiredTakes(other)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('keeps its accounts when the responses of some renewals are lost', async () => {
    const { clock, replicas } = await world(2);
    const [first] = replicas;
    if (first === undefined) throw new Error('no replica');
    first.failures.isDeaf = true;
    await clock.advance(times.ttlMilliseconds / 2);
    first.failures.isDeaf = false;
    await clock.advance(times.ttlMilliseconds);

    expect(first.events.filter((event) => event.startsWith('lost'))).toEqual([]);
    expect(served(replicas)).toEqual(accounts);
  });

  test('gives up at once what its clocks no longer allow: the wall clock jumps, the process stands still', async () => {
    const { clock, replicas } = await world(1);
    const [first] = replicas;

    clock.stepWall(ttlSeconds * second);
    expect(first?.serves).toEqual([]);
    await clock.advance(untilTaken);
    expect(first?.serves).toEqual(accounts);

    clock.suspend(times.marginMilliseconds + 1);
    expect(first?.serves).toEqual([]);
    await clock.advance(untilTaken);
    expect(first?.serves).toEqual(accounts);
  });

  test('waits for a lease that a dump shows as released, because it may have been taken since', async () => {
    const { clock, rows, replicas, add } = await world(1);
    const [first] = replicas;
    const dump = new Map(
      [...rows.leases].map(([account, lease]) => [account, { ...lease, isReleased: true }]),
    );
    rows.restore(dump);
    const other = await add();

    expect(other.serves).toEqual([]);
    await clock.advance(untilTaken);
    expect(served(replicas)).toEqual(accounts);
    expect(first?.events).toContain('lost a taken');
  });

  test('passes a webhook on to the owner of the account, once', async () => {
    const { clock, replicas } = await world(2);
    const [first, other] = replicas;
    await clock.advance(times.ttlMilliseconds / 10);

    await other?.call('b');
    await clock.advance(times.ttlMilliseconds);

    expect(first?.events.filter((event) => event.startsWith('called'))).toEqual(['called b']);
    expect(other?.events).toEqual([]);
  });

  test('takes what a lost connection prevented within five seconds, however long the ttl is', async () => {
    const clock = new VirtualClock();
    const replica = new TestReplica('replica 1', new LeaseRows(), clock, 86_400);
    onTestFinished(() => replica.keeper.stop());
    replica.failures.isCut = true;
    const started = replica.keeper.start(accounts, () => []);
    await clock.advance(0);
    await started;
    replica.failures.isCut = false;
    expect(replica.serves).toEqual([]);

    await clock.advance(5 * second);

    expect(replica.serves).toEqual(accounts);
  });

  test('takes each account once, however long that lasts', async () => {
    const clock = new VirtualClock();
    const slow = new TestReplica('replica 1', new LeaseRows(), clock);
    onTestFinished(() => slow.keeper.stop());
    slow.failures.takeMilliseconds = times.ttlMilliseconds / 4;
    const started = slow.keeper.start(accounts, () => ['removed']);

    await clock.advance(2 * times.ttlMilliseconds);
    await started;

    expect(slow.serves).toEqual([...accounts, 'removed']);
    expect(slow.events).toHaveLength(accounts.length + 1);
  });

  test('takes accounts that no other replica has in its configuration', async () => {
    const { clock, replicas } = await world(1);
    const [first] = replicas;
    first?.keeper.configure([...accounts, 'g']);
    await clock.advance(times.ttlMilliseconds);
    expect(first?.serves).toEqual([...accounts, 'g']);

    first?.keeper.configure(['a']);
    await clock.advance(times.ttlMilliseconds / 10);
    expect(first?.serves).toEqual(['a']);
  });
});

/** The faults of a replica: cut off, without responses, suspended, a step of its wall clock. */
const misfortunes = fc.record({
  replica: fc.nat(2),
  kind: fc.constantFrom('cut', 'deaf', 'stand', 'wall', 'restore' as const),
  beforeSeconds: fc.nat(60),
  seconds: fc.integer({ min: 1, max: 90 }),
});

test('two replicas never serve an account at the same time, and in the end each account is served', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(misfortunes, { maxLength: 6 }), async (events) => {
      const rows = new LeaseRows();
      // Each replica has its own clocks, which the test advances together.
      const clocks = [new VirtualClock(), new VirtualClock(), new VirtualClock()];
      const replicas = clocks.map(
        (clock, index) => new TestReplica(`replica ${index + 1}`, rows, clock),
      );
      for (const [index, { keeper }] of replicas.entries()) {
        const started = keeper.start(accounts, () => []);
        await clocks[index]?.advance(0);
        await started;
      }
      const dump = new Map(rows.leases);
      const pass = async (seconds: number, isStanding: number | undefined) => {
        for (let elapsed = 0; elapsed < seconds; elapsed++) {
          for (const [index, clock] of clocks.entries()) {
            if (index === isStanding) clock.suspend(second);
            else await clock.advance(second);
          }
          const all = served(replicas.filter((_, index) => index !== isStanding));
          expect(all).toEqual([...new Set(all)]);
        }
      };
      for (const { replica: index, kind, beforeSeconds, seconds } of events) {
        await pass(beforeSeconds, undefined);
        const replica = replicas[index];
        if (replica === undefined) continue;
        if (kind === 'wall') clocks[index]?.stepWall(seconds * second);
        if (kind === 'restore') rows.restore(dump);
        replica.failures.isCut = kind === 'cut';
        replica.failures.isDeaf = kind === 'deaf';
        await pass(seconds, kind === 'stand' ? index : undefined);
        replica.failures.isCut = false;
        replica.failures.isDeaf = false;
      }
      await pass(3 * ttlSeconds, undefined);
      expect(served(replicas)).toEqual(accounts);
      for (const { keeper } of replicas) {
        const stopped = keeper.stop();
        for (const clock of clocks) await clock.advance(0);
        await stopped;
      }
    }),
    { numRuns: extent(12, 200) },
  );
});
