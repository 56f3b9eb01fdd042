import { describe, expect, test } from 'vitest';
import { inUnit, plausibleTimes, unitOfTimes } from '../../src/datasets/transaction-performance.ts';
import type { TransactionPerformanceInterval } from '../../src/domain/transaction.ts';

const tenMinutes = 600;

/** An hour as decoded from a response: all times as milliseconds. */
function hour(average: number | undefined, ...steps: number[]): TransactionPerformanceInterval {
  return {
    startAtSeconds: 1_767_225_600,
    complete: true,
    ...(average !== undefined && { averageResponseTimeSeconds: average / 1000 }),
    steps: steps.map((step) => ({ fn: 'click', averageResponseTimeSeconds: step / 1000 })),
  };
}

describe('the unit of response times', () => {
  test.each([
    ['a run of 2.5 s', hour(2_507, 1_200, 1_307), 'milliseconds'],
    ['a recorded run of 2.5 s', hour(2_507_177, 2_507_177), 'microseconds'],
    ['a run longer than the time between two', hour(700_000), 'microseconds'],
    [
      'a run of two minutes in steps of ten seconds',
      hour(120_000, ...Array(12).fill(10_000)),
      'milliseconds',
    ],
    ['a run of 0.3 s in steps of 0.1 s', hour(300_000, 100_000, 100_000, 100_000), 'microseconds'],
    ['a run of 30 s without steps', hour(30_000), 'milliseconds'],
    ['a run of 1 s without steps', hour(1_000_000), 'microseconds'],
    ['no run', hour(undefined), undefined],
  ] as const)('of %s', (_, interval, unit) => {
    expect(unitOfTimes([interval], tenMinutes)).toBe(unit);
  });

  test('follows from the slowest of several hours', () => {
    expect(unitOfTimes([hour(undefined), hour(2_507_177)], tenMinutes)).toBe('microseconds');
  });
});

test('microseconds are a thousandth of what was read', () => {
  expect(inUnit(hour(2_500_000, 1_000_000), 'microseconds')).toEqual(hour(2_500, 1_000));
  expect(inUnit(hour(2_500, 1_000), 'milliseconds')).toEqual(hour(2_500, 1_000));
});

test('without a unit there are no times, but every step', () => {
  const { averageResponseTimeSeconds, steps } = inUnit(hour(2_500, 1_000), undefined);

  expect(averageResponseTimeSeconds).toBeUndefined();
  expect(steps).toEqual([{ fn: 'click' }]);
});

describe('response times that cannot be', () => {
  test.each([
    ['a run longer than the time between two', hour(600_001), tenMinutes],
    ['a step longer than an hour', hour(1_000, 3_600_001), 86_400],
  ])('are withheld: %s', (_, interval, seconds) => {
    const { interval: shown, rejected } = plausibleTimes(7, interval, seconds);

    expect(shown).toMatchObject({ startAtSeconds: interval.startAtSeconds, withheld: true });
    expect(shown).not.toHaveProperty('averageResponseTimeSeconds');
    expect(shown.steps.every((step) => !('averageResponseTimeSeconds' in step))).toBe(true);
    expect(rejected.map(({ reason }) => reason)).toEqual(['transaction_response_unit']);
    expect(rejected[0]?.detail).toContain('transaction 7');
  });

  test('are no others', () => {
    const slow = hour(600_000, 599_000);

    expect(plausibleTimes(7, slow, tenMinutes)).toEqual({ interval: slow, rejected: [] });
  });
});
