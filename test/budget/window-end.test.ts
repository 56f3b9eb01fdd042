import { expect, test } from 'vitest';
import { endShift, windowEndOf } from '../../src/budget/window-end.ts';

const day = 86_400_000;

/** A request that got its response at once. */
const flight = (at: number) => ({
  ...{ admittedOrder: 1, admittedAt: at, releasedMeanwhile: 0, releasedOrder: 2, releasedAt: at },
});
const report = (resetSeconds: number) => ({ remaining: 9, resetSeconds });

test.each([0, 60 * day])(
  'a later window is told from the same one after %d ms of the process',
  (at) => {
    const latest = { end: windowEndOf(flight(at), report(60)), releasedAt: at };
    const shift = (seconds: number, reset: number) =>
      endShift(latest, flight(at + 1000 * seconds), report(reset));
    expect([shift(30, 30), shift(30, 37), shift(30, 38), shift(61, 3_600), shift(1, 40)]).toEqual([
      0, 0, 1, 1, -1,
    ]);
  },
);
