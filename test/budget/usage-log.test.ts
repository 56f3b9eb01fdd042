import { expect, test } from 'vitest';
import { UsageLog } from '../../src/budget/usage-log.ts';

/** A window with this many remaining requests, which ends at a time. */
const until = (endSeconds: number) => (remaining: number, atSeconds: number) =>
  [
    {
      windows: {
        short: { limit: 400, remaining, reserve: 80, resetSeconds: endSeconds - atSeconds },
      },
    },
    atSeconds,
  ] as const;

test('keeps the first and the last, and no more than a page can draw', () => {
  const history = new UsageLog();
  for (let spent = 0; spent < 390; spent++) {
    history.record(...until(4_600)(400 - spent, 1_000 + spent));
  }
  const { short, long } = history.read();

  expect(short.length).toBeLessThanOrEqual(120);
  expect(short.at(0)).toEqual({ atSeconds: 1_000, remaining: 400 });
  expect(short.at(-1)).toEqual({ atSeconds: 1_389, remaining: 11 });
  expect(short.toSorted((a, b) => a.atSeconds - b.atSeconds)).toEqual(short);
  expect(long).toEqual([]);
});

test('keeps the last sample of a second', () => {
  const history = new UsageLog();
  const window = until(4_600);
  history.record(...window(400, 1_000));
  history.record(...window(100, 1_060));
  history.record(...window(99, 1_060));
  expect(history.read().short.map(({ remaining }) => remaining)).toEqual([400, 99]);
});

test.each([
  ['more than half', 100, 399],
  ['less than half', 390, 399],
  ['none', 400, 400],
  ['less than others spent since', 390, 300],
])('begins again with the next window, when of the last one %s was spent', (_, last, first) => {
  const history = new UsageLog();
  history.record(...until(4_600)(400, 1_000));
  history.record(...until(4_600)(last, 4_590));
  history.record(...until(8_200)(first, 4_605));
  expect(history.read().short).toEqual([{ atSeconds: 4_605, remaining: first }]);
});

test('does not begin again within a window, however late its responses arrive and whatever requests in flight give back', () => {
  const history = new UsageLog();
  history.record(...until(4_600)(200, 1_000));
  history.record(...until(4_631)(190, 1_030));
  history.record(...until(4_600)(260, 1_040));
  expect(history.read().short.map(({ remaining }) => remaining)).toEqual([200, 190, 260]);
});
