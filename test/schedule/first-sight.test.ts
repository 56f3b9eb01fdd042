import { describe, expect, test } from 'vitest';
import type { DatasetName } from '../../src/domain/dataset.ts';
import { firstSightOrder, secondsToRead } from '../../src/schedule/first-sight.ts';

const hour = 3_600;

describe('the order of first sight', () => {
  const check = (id: number, isOpen: boolean, lastFailedAtSeconds: number) => ({
    id,
    isOpen,
    lastFailedAtSeconds,
    lacks: new Set<DatasetName>(isOpen ? ['history', 'analyses', 'results'] : ['history']),
  });

  test('is the reports of what is open, their analyses, their results, then pasts, the last failures first', () => {
    const checks = [
      check(1, false, 900),
      check(2, true, 500),
      check(3, false, 950),
      check(4, true, 700),
    ];
    const order = firstSightOrder(checks, 0);
    expect(order.map(({ dataset, id }) => `${dataset} ${id}`)).toEqual([
      ...['history 4', 'history 2', 'analyses 4', 'analyses 2', 'results 4', 'results 2'],
      ...['history 3', 'history 1'],
    ]);
  });

  test.each([
    ['nothing', 6, [7, 6, 8, 5]],
    ['one past', 7, [7, 6, 8, 5]],
    ['three pasts', 9.5, [6, 7, 8, 5]],
    ['everything', 1_000, [5, 6, 7, 8]],
  ])(
    'has the latest failures by their ids as far as the credit pays %s at once',
    (_, credit, ids) => {
      const open = [check(1, true, 500), check(2, true, 600)];
      const pasts = [check(5, false, 100), check(6, false, 300), check(7, false, 400)];
      const order = firstSightOrder([...open, ...pasts, check(8, false, 200)], credit);
      expect(order.slice(0, 6).map(({ id }) => id)).toEqual([2, 1, 2, 1, 2, 1]);
      expect(order.slice(6).map(({ id }) => id)).toEqual(ids);
    },
  );

  test('has nothing that is known', () => {
    const known = { ...check(1, true, 900), lacks: new Set<DatasetName>(['results']) };
    expect(firstSightOrder([known], 0)).toEqual([{ dataset: 'results', id: 1 }]);
  });
});

test('the forecast is the credit at once and the rate from then on', () => {
  const allowance = { credit: 240, requestsPerSecond: 16 / hour };
  expect(secondsToRead(240, allowance)).toBe(0);
  expect(secondsToRead(256, allowance)).toBeCloseTo(hour);
  expect(secondsToRead(256, { credit: 240, requestsPerSecond: 0 })).toBe(Number.POSITIVE_INFINITY);
});

test('the forecast has the rate of now for an hour only, in which the short window is full again', () => {
  const lasting = { credit: 0, lastingRequestsPerSecond: 16 / hour };
  expect(secondsToRead(1_600, { ...lasting, requestsPerSecond: 0 })).toBeCloseTo(101 * hour);
  expect(secondsToRead(1_600, { ...lasting, requestsPerSecond: 32 / hour })).toBeCloseTo(99 * hour);
  expect(secondsToRead(16, { ...lasting, requestsPerSecond: 32 / hour })).toBeCloseTo(hour / 2);
});
