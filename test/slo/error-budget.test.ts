import { describe, expect, test } from 'vitest';
import { plainEqual } from '../../src/lib/plain-equal.ts';
import { errorBudget, hasNoRatio } from '../../src/slo/error-budget.ts';
import type { Objective } from '../../src/slo/objectives.ts';
import { rangeEnd, secondsByRange } from '../../src/slo/range-seconds.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog, type KnownStates } from '../../src/slo/state-log.ts';

const start = 1_767_225_600;
const [minute, hour, day] = [60, 3_600, 86_400];
const objective: Objective = { ratio: 0.99, reason: 'default' };

describe('the burn rate of an hour', () => {
  test.each([
    ['with half of the hour down', { up: 1_800, down: 1_800 }, 50],
    ['with half an hour monitored, all of it down', { up: 0, down: 1_800 }, 100],
    ['with a minute monitored, all of it down', { up: 0, down: 60 }, 60 / 1_800 / 0.01],
  ])('%s', (_, seconds, expected) => {
    const rate = errorBudget({ '1h': seconds, '30d': seconds }, objective).burnRates['1h'];
    expect(rate).toBeCloseTo(expected, 9);
  });

  test('is absent with nothing down, like all others', () => {
    const seconds = { up: 3_600, down: 0 };
    const budget = errorBudget({ '1h': seconds, '30d': seconds }, objective);
    expect([budget.burnRates, budget.errorRatios]).toEqual([{}, { '30d': 0 }]);
  });

  test('of a group has the least monitored time of each of its checks', () => {
    const seconds = { up: 0, down: 60 };
    const { burnRates } = errorBudget({ '1h': seconds, '30d': seconds }, objective, 10);
    expect(burnRates['1h']).toBeCloseTo(60 / 18_000 / 0.01, 9);
  });
});

test.each([0.9, 0.95, 0.97, 0.99, 0.995, 0.999, 0.9995])(
  'an error budget that is exactly spent is not overspent, with the objective %d',
  (ratio) => {
    const seconds = { up: 30 * day * ratio, down: Math.round(30 * day * (1 - ratio)) };
    const { remainingRatio, burnRates } = errorBudget({ '30d': seconds }, { ...objective, ratio });
    expect([remainingRatio, burnRates['30d']]).toEqual([0, 1]);
  },
);

describe('an error budget', () => {
  test.each([
    ['is whole without an outage', { up: 30 * day, down: 0 }, 1],
    ['is spent by as much downtime as the objective allows', { up: 99, down: 1 }, 0],
    ['is negative after more', { up: 97, down: 3 }, -2],
    ['is unknown when nothing was monitored', { up: 0, down: 0 }, undefined],
  ])('%s', (_, seconds, expected) => {
    const { remainingRatio } = errorBudget({ '30d': seconds }, objective);
    if (expected === undefined) expect(remainingRatio).toBeUndefined();
    else expect(remainingRatio).toBeCloseTo(expected, 9);
  });
});

/** Up, and down from 30 to 10 minutes before `start`, which is the horizon. */
const known: KnownStates = {
  states: {
    startSeconds: start - day,
    horizonSeconds: start,
    state: 'up',
    resolutionSeconds: minute,
  },
  log: {
    ...emptyLog(start - day),
    changes: StateChanges.of([
      { state: 'up', fromSeconds: start - day },
      { state: 'down', fromSeconds: start - 30 * minute },
      { state: 'up', fromSeconds: start - 10 * minute },
    ]),
  },
};

describe('a budget without a ratio', () => {
  const minutes = { '5m': { up: 300, down: 0 }, '30m': { up: 1_800, down: 0 } };

  test.each([
    ['nothing is known', {}, true],
    ['half an hour without an outage is known', minutes, true],
    ['something was down', { ...minutes, '30m': { up: 1_740, down: 60 } }, false],
    ['30 days are known', { ...minutes, '30d': { up: 2_592_000, down: 0 } }, false],
  ])('when %s: %j is %s', (_, seconds, isEmpty) => {
    const unknown = { objective, errorRatios: {}, burnRates: {} };

    expect(hasNoRatio(seconds)).toBe(isEmpty);
    expect(plainEqual(errorBudget(seconds, objective), unknown)).toBe(isEmpty);
  });
});

describe('the seconds of an hour', () => {
  test.each([
    ['without maintenance', [], { up: 40 * minute, down: 20 * minute }],
    ['with maintenance of the outage', [[-30, -10]], { up: 40 * minute, down: 0 }],
    [
      'with overlapping maintenance of half of the outage',
      [
        [-40, -25],
        [-30, -20],
      ],
      { up: 30 * minute, down: 10 * minute },
    ],
    ['with maintenance before it', [[-90, -60]], { up: 40 * minute, down: 20 * minute }],
  ])('%s', (_, minutes, expected) => {
    const occurrences = minutes.map(([from = 0, to = 0]) => ({
      fromSeconds: start + from * minute,
      toSeconds: start + to * minute,
    }));
    expect(secondsByRange(known, { occurrences }, start)['1h']).toEqual(expected);
  });

  test('are absent when the hour began before the known states', () => {
    const log = emptyLog(start - hour + 1);
    const ranges = secondsByRange({ ...known, log }, { occurrences: [] }, start);
    expect(Object.keys(ranges)).toEqual(['5m', '30m']);
  });
});

describe('the end of the windows', () => {
  const testing = { resolutionSeconds: minute, isTested: true };

  test.each([
    ['is when the next test is due', {}, testing, 10 * minute, minute],
    ['is no later than this moment', {}, testing, 20, 20],
    ['is the horizon of a paused check', {}, { ...testing, isTested: false }, 10 * minute, 0],
    ['is the horizon of an unknown state', { state: 'unknown' }, testing, 10 * minute, 0],
    [
      'is the horizon while a report is awaited',
      { reportUntilSeconds: start + 1 },
      testing,
      10 * minute,
      0,
    ],
    [
      'is the horizon after a change of the resolution',
      { resolutionSeconds: hour },
      testing,
      90,
      0,
    ],
  ] as const)('%s', (_, states, seen, now, expected) => {
    const item = { ...known, states: { ...known.states, ...states } };
    expect(rangeEnd(item, seen, start + now)).toBe(start + expected);
  });
});
