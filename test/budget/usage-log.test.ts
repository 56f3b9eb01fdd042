import { expect, test } from 'vitest';
import { UsageLog } from '../../src/budget/usage-log.ts';

const view = (remaining: number) => ({
  windows: { short: { limit: 400, remaining, reserve: 80, resetSeconds: 60 } },
});

test('keeps the first and the last, and no more than a page can draw', () => {
  const history = new UsageLog();
  for (let spent = 0; spent < 390; spent++) history.record(view(400 - spent), 1_000 + spent);
  const { short, long } = history.read();

  expect(short.length).toBeLessThanOrEqual(120);
  expect(short.at(0)).toEqual({ atSeconds: 1_000, remaining: 400 });
  expect(short.at(-1)).toEqual({ atSeconds: 1_389, remaining: 11 });
  expect(short.toSorted((a, b) => a.atSeconds - b.atSeconds)).toEqual(short);
  expect(long).toEqual([]);
});

test('begins anew with a window, and keeps the last of a second', () => {
  const history = new UsageLog();
  history.record(view(400), 1_000);
  history.record(view(100), 1_060);
  history.record(view(99), 1_060);
  expect(history.read().short.map(({ remaining }) => remaining)).toEqual([400, 99]);
  history.record(view(399), 1_100);
  expect(history.read().short).toEqual([{ atSeconds: 1_100, remaining: 399 }]);
});
