import { expect, test } from 'vitest';
import type { StateSpan } from '../../../src/domain/interval.ts';
import { longestDownFirst, summarizeDay } from '../../../src/http/home/day-summary.ts';
import { statesBy } from '../../support/snapshots.ts';

const day = 86_400;
const now = 10 * day;
const summaryOf = (spans: readonly StateSpan[]) => summarizeDay(statesBy({ 1: spans })(1), now);

test('a day is cut to the last 24 hours and summed by state', () => {
  const summary = summaryOf([
    { state: 'down', fromSeconds: now - 2 * day, toSeconds: now - day + 100 },
    { state: 'up', fromSeconds: now - day + 100, toSeconds: now - 500 },
    { state: 'unknown', fromSeconds: now - 500, toSeconds: now - 300 },
    { state: 'down', fromSeconds: now - 300, toSeconds: now },
  ]);

  expect(summary.spans[0]).toEqual({
    state: 'down',
    fromSeconds: now - day,
    toSeconds: now - day + 100,
  });
  expect(summary.seconds).toEqual({ up: 85_800, down: 400, unknown: 200, unmonitored: 0 });
});

test('what is older than a day is no part of it', () => {
  const old = [{ state: 'down', fromSeconds: now - 3 * day, toSeconds: now - 2 * day }] as const;

  expect(summaryOf(old)).toMatchObject({ spans: [], seconds: { down: 0 } });
});

test('those that were down longest come first, then the unknown, then the others in their order', () => {
  const last = (state: 'up' | 'down' | 'unknown', seconds: number) => [
    { state, fromSeconds: now - seconds, toSeconds: now },
  ];
  const states = statesBy({
    1: last('up', 1_000),
    2: last('down', 60),
    3: last('unknown', 600),
    4: last('down', 600),
  });
  const items = [1, 2, 3, 4, 5].map((id) => ({ id }));

  expect(longestDownFirst(items, ({ id }) => states(id), now).map(({ item }) => item.id)).toEqual([
    4, 2, 3, 1, 5,
  ]);
});
