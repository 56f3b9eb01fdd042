import { expect, test } from 'vitest';
import { CommitQueue, type TotalsChange } from '../../src/state/commit-queue.ts';
import { type EventTally, startEventTally } from '../../src/tally/event-tally.ts';

function counting(keep: (change: TotalsChange) => Promise<void>) {
  let shown: EventTally = startEventTally(0);
  const ledger = new CommitQueue({
    persist: keep,
    apply: ({ alerts }) => {
      shown = alerts ?? shown;
    },
  });
  const addOne = () =>
    ledger.commit(() => ({ alerts: { ...shown, counts: { a: (shown.counts.a ?? 0) + 1 } } }));
  return { addOne, count: () => shown.counts.a ?? 0 };
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
