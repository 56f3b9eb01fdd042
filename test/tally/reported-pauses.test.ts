import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import type { MonitoredState, StateSpan } from '../../src/domain/interval.ts';
import { isInListedPause, withoutPresentPause } from '../../src/tally/reported-pauses.ts';
import type { StateTally } from '../../src/tally/state-tally.ts';

const tested = 1_767_225_600;

/** Tested each minute until then. */
const paused: Check = {
  id: 7,
  name: 'shop',
  type: 'http',
  tags: [],
  status: 'paused',
  resolutionSeconds: 60,
  lastTestAtSeconds: tested,
};

const span = (state: MonitoredState, from: number, to: number): StateSpan<MonitoredState> => ({
  state,
  fromSeconds: tested + from,
  toSeconds: tested + to,
});

describe('the states of a check that is paused now', () => {
  test.each([
    ['begins after the last test, is the pause', span('unknown', 1, 900), []],
    ['has the last test, lasts until the next one was due', span('unknown', -60, 900), [-60, 60]],
    [
      'begins with the last test, lasts until the next one was due',
      span('unknown', 0, 61),
      [0, 60],
    ],
    ['ends when the next test was due, is not the pause', span('unknown', 1, 60), [1, 60]],
  ])('unknown time that %s', (_, reported, [from, to]) => {
    const left = from === undefined || to === undefined ? [] : [span('unknown', from, to)];
    expect(withoutPresentPause([reported], paused)).toEqual(left);
  });

  test('another state is kept, also if the list is older than the report', () => {
    const states = [span('down', -60, 900), span('up', 900, 1_800)];
    expect(withoutPresentPause(states, paused)).toEqual(states);
  });

  test('all states are kept if it is not paused', () => {
    const states = [span('unknown', 1, 900)];
    expect(withoutPresentPause(states, { ...paused, status: 'unknown' })).toEqual(states);
  });
});

test.each([
  ['an absence does not end', 'absence', true],
  ['an unknown test ends', 'unknown', false],
] as const)('%s a listed pause', (_, kind, isPaused) => {
  const tally: StateTally = {
    startSeconds: tested,
    horizonSeconds: tested,
    state: 'up',
    facts: [
      { kind: 'paused', fromSeconds: tested, toSeconds: tested + 60 },
      { kind, fromSeconds: tested + 60, toSeconds: tested + 900 },
    ],
  };
  expect(isInListedPause(tally, tested + 1_000)).toBe(isPaused);
});
