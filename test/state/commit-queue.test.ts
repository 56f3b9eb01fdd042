import { describe, expect, test } from 'vitest';
import { CommitQueue, type TotalsChange } from '../../src/state/commit-queue.ts';
import { type EventTally, startEventTally } from '../../src/tally/event-tally.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

function counting(keep: (change: TotalsChange) => Promise<void>) {
  let shown: EventTally = startEventTally(0);
  const ledger = new CommitQueue({
    storeTotals: keep,
    notStored: () => {},
    clock: new VirtualClock(0),
    apply: ({ alerts }) => {
      shown = alerts ?? shown;
    },
  });
  const addOne = () =>
    ledger.commit(() => ({ alerts: { ...shown, counts: { a: (shown.counts.a ?? 0) + 1 } } }));
  return { addOne, count: () => shown.counts.a ?? 0 };
}

/** A queue of changes of checks, by name. Each is durable when `release` is called. */
function ofChecks(clock?: VirtualClock) {
  const persisted: number[][] = [];
  const releases: ((error?: Error) => void)[] = [];
  const queue = new CommitQueue({
    storeTotals: ({ checks }) =>
      new Promise((resolve, reject) => {
        persisted.push([...(checks?.keys() ?? [])]);
        releases.push((error) => (error === undefined ? resolve() : reject(error)));
      }),
    apply: () => {},
    notStored: () => {},
    clock: clock ?? new VirtualClock(0),
  });
  queue.gathers = clock !== undefined;
  const change = (id: number) => queue.commit(() => ({ checks: new Map([[id, null]]) }), id);
  const release = async (error?: Error) => {
    await new Promise(setImmediate);
    releases.shift()?.(error);
  };
  return { queue, change, persisted, release };
}

test('nothing is shown before it is kept', async () => {
  let release = () => {};
  const kept = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { addOne, count } = counting(() => kept);

  const booking = addOne();
  await new Promise(setImmediate);
  expect(count()).toBe(0);

  release();
  await booking;
  expect(count()).toBe(1);
});

test('changes that are booked at once are computed one after the other', async () => {
  const { addOne, count } = counting(() => new Promise((resolve) => setImmediate(resolve)));
  await Promise.all([addOne(), addOne(), addOne()]);
  expect(count()).toBe(3);
});

test('a change that cannot be kept is not shown, and the next one goes on', async () => {
  const outcomes = [() => Promise.reject(new Error('disk full')), () => Promise.resolve()];
  const { addOne, count } = counting(() => outcomes.shift()?.() ?? Promise.resolve());

  await expect(addOne()).rejects.toThrow('disk full');
  expect(count()).toBe(0);
  await addOne();
  expect(count()).toBe(1);
});

test('changes of several checks that wait are made durable together, and those of one check one after the other', async () => {
  const { change, persisted, release } = ofChecks();
  const ended = Promise.all([1, 2, 3, 2, 4].map(change));
  await release();
  await release();
  await release();
  await ended;

  expect(persisted).toEqual([[1], [2, 3, 4], [2]]);
});

test.each([1, 2])(
  'a change of more than one check, as a list makes it, goes alone and before those of single checks: as waiting change %d',
  async (place) => {
    const { queue, change, persisted, release } = ofChecks();
    const whole = () =>
      queue.commit(() => ({ checks: new Map([7, 8, 9].map((id) => [id, null])) }));
    const single = [1, 2, 3, 4].map((id) => () => change(id));
    const ended = Promise.all(single.toSpliced(place, 0, whole).map((begin) => begin()));
    for (let commit = 0; commit < 3; commit++) await release();
    await ended;

    expect(persisted).toEqual([[1], [7, 8, 9], [2, 3, 4]]);
  },
);

test('a change that cannot be computed fails alone, and all that cannot be kept together fail', async () => {
  const { queue, change, persisted, release } = ofChecks();
  const first = change(1);
  const broken = queue.commit(() => {
    throw new Error('no such total');
  }, 2);
  const others = [change(3), change(4)];
  const outcomes = Promise.allSettled([first, broken, ...others, change(3)]);
  await release();
  await release(new Error('disk full'));
  await release();

  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    ...['rejected', 'rejected', 'rejected'],
    'fulfilled',
  ]);
  await expect(broken).rejects.toThrow('no such total');
  await expect(others[0]).rejects.toThrow('disk full');
  expect(persisted).toEqual([[1], [3, 4], [3]]);
});

describe('changes that arrive in one moment', () => {
  test('are made durable together, and what arrives later in another commit', async () => {
    const clock = new VirtualClock(0);
    const { change, persisted, release } = ofChecks(clock);
    const first = change(1);
    await clock.advance(60);
    const second = change(2);
    await clock.advance(189);
    expect(persisted).toEqual([]);
    await clock.advance(1);
    expect(persisted).toEqual([[1, 2]]);
    const third = change(3);
    await release();
    await Promise.all([first, second]);
    await clock.advance(250);
    await release();
    await third;
    expect(persisted).toEqual([[1, 2], [3]]);
  });

  test('are tried again by their callers if they cannot be stored', async () => {
    const clock = new VirtualClock(0);
    const { change, persisted, release } = ofChecks(clock);
    const failed = Promise.allSettled([change(1), change(2)]);
    await clock.advance(250);
    await release(new Error('disk full'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = change(1);
    await clock.advance(250);
    await release();
    await again;
    expect(persisted).toEqual([[1, 2], [1]]);
  });

  test('let the change of a list go first, at once', async () => {
    const clock = new VirtualClock(0);
    const { queue, change, persisted, release } = ofChecks(clock);
    const one = change(1);
    await clock.advance(50);
    const list = queue.commit(() => ({ checks: new Map([7, 8].map((id) => [id, null])) }));
    await release();
    await list;
    expect(persisted).toEqual([[7, 8]]);
    await clock.advance(250);
    await release();
    await one;
    expect(persisted).toEqual([[7, 8], [1]]);
  });
});

test('at a stop, what is gathered is committed at once, and what follows does not wait', async () => {
  const { queue, change, persisted, release } = ofChecks(new VirtualClock(0));
  const first = change(1);
  await new Promise(setImmediate);
  expect(persisted).toEqual([]);

  queue.gathers = false;
  await release();
  await first;
  const second = change(2);
  await release();
  await second;
  expect(persisted).toEqual([[1], [2]]);
});
