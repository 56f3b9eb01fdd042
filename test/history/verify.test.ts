import { describe, expect, test } from 'vitest';
import type { StateSpan } from '../../src/domain/interval.ts';
import { differenceAtSeam, differenceInPast, type StoredSeries } from '../../src/history/verify.ts';

/** Up for an hour, down for 10 minutes, and up for 50 minutes; then first seen. */
const spans: StateSpan[] = [
  { state: 'up', fromSeconds: 0, toSeconds: 3_600 },
  { state: 'down', fromSeconds: 3_600, toSeconds: 4_200 },
  { state: 'up', fromSeconds: 4_200, toSeconds: 7_200 },
];
const down = (...samples: [number, number][]): StoredSeries[] => [{ labels: {}, samples }];
const past: [number, number][] = [
  [3_600, 0],
  [3_900, 300],
  [4_200, 600],
  [7_199.999, 600],
];

describe('what a server has of a past', () => {
  const within = { fromSeconds: 1_800, toSeconds: 7_199.999 };

  test('is as the service reported it, at steps of up to an hour', () => {
    expect(differenceInPast(down(...past), spans, 'down', within)).toBeUndefined();
  });

  test('differs where a sample has another value, or where samples are missing', () => {
    const wrong = down([3_600, 0], [3_900, 299], ...past.slice(2));
    expect(differenceInPast(wrong, spans, 'down', within)).toEqual({
      ...{ kind: 'wrong', atSeconds: 3_900, value: 299, expected: 300 },
    });
    const hole = { kind: 'missing', within: { fromSeconds: 3_600, toSeconds: 7_199.999 } };
    expect(differenceInPast(down([3_600, 0], [7_205, 600]), spans, 'down', within)).toMatchObject({
      kind: 'missing',
    });
    expect(differenceInPast(down([3_500, 0]), spans, 'down', within)).toMatchObject({
      ...hole,
      within: { fromSeconds: 3_500 },
    });
    expect(differenceInPast([], spans, 'down', within)).toMatchObject({ kind: 'missing' });
  });
});

describe('what a server has across the first sight', () => {
  const seam = { fromSeconds: 3_600, firstSeenSeconds: 7_200 };
  const across = (...live: [number, number][]) =>
    differenceAtSeam(down(...past, ...live), spans, 'down', seam);

  test('is the past, a 0, and counters that count from there', () => {
    expect(across([7_200, 0], [7_260, 0], [7_320, 60])).toBeUndefined();
  });

  test('differs without the 0, and where a counter is larger than the time since', () => {
    expect(across([7_260, 0])).toEqual({
      ...{ kind: 'missing', within: { fromSeconds: 7_200, toSeconds: 7_200 } },
    });
    expect(across([7_200, 0], [7_260, 61])).toMatchObject({ kind: 'wrong', expected: 60 });
  });
});
