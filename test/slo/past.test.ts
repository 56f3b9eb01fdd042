import { describe, expect, test } from 'vitest';
import { historyAtFirstSight, missingPast } from '../../src/slo/past.ts';
import {
  historyAfter,
  historySeconds,
  isBeginning,
  openSince,
  withPast,
} from '../../src/slo/state-history.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';

const hour = 3_600;
const start = 1_767_225_600;
const states = {
  ...{ startSeconds: start, horizonSeconds: start, seconds: noSeconds, outages: 0 },
  ...({ state: 'down', inOutage: true } as const),
};
const listed = {
  createdAtSeconds: start - 100 * 86_400,
  lastDownStartAtSeconds: start - hour,
  lastErrorAtSeconds: start - 60,
};
const { lastDownStartAtSeconds: _, ...untold } = listed;

function historyOf(entry: typeof untold) {
  const history = historyAtFirstSight(entry, 'down', start);
  if (history === undefined) throw new Error('a check that is down has a history');
  return history;
}

describe('a check that is down at first sight', () => {
  test('is known to be down since the list says, and nothing more', () => {
    const history = historyOf(listed);
    expect(history.changes).toEqual([{ state: 'down', fromSeconds: start - hour }]);
    expect(history.knownFromSeconds).toBe(start);
    expect(openSince({ states, history })).toBe(start - hour);
    expect(missingPast({ states, history }, listed)).toEqual({
      fromSeconds: start - historySeconds,
      toSeconds: start - hour,
    });
  });

  test('keeps that beginning with what is recorded and with the past that is read', () => {
    const recorded = [{ state: 'down', fromSeconds: start, toSeconds: start + 60 }] as const;
    const later = { states: { ...states, horizonSeconds: start + 60 } };
    const after = historyAfter({ states, history: historyOf(listed) }, recorded);
    if (after === undefined) throw new Error('the history is gone');
    expect(openSince({ ...later, history: after })).toBe(start - hour);
    const past = [
      { state: 'up', fromSeconds: start - historySeconds, toSeconds: start - hour },
    ] as const;
    const whole = withPast(after, past, start + 60);
    expect(whole.changes.map(({ state }) => state)).toEqual(['up', 'down']);
    expect(openSince({ ...later, history: whole })).toBe(start - hour);
    expect(missingPast({ ...later, history: whole }, listed)).toBeUndefined();
  });

  test('may have begun before the end of a tail, which the report of the past did not reach', () => {
    const changes = [
      { state: 'up', fromSeconds: start - historySeconds },
      { state: 'unknown', fromSeconds: start - 600 },
      { state: 'down', fromSeconds: start },
    ] as const;
    const known = { knownFromSeconds: start - historySeconds, hours: [], changes };
    const tail = { fromSeconds: start - 600, toSeconds: start };
    expect(isBeginning(known, start)).toBe(true);
    expect(isBeginning({ ...known, tail }, start)).toBe(false);
  });

  test('without a start in the list began before, until its report is read', () => {
    const history = historyOf(untold);
    expect(openSince({ states, history })).toBeUndefined();
    const recorded = [{ state: 'down', fromSeconds: start, toSeconds: start + 60 }] as const;
    const after = historyAfter({ states, history }, recorded);
    if (after === undefined) throw new Error('the history is gone');
    const later = { ...states, horizonSeconds: start + 60 };
    expect(isBeginning(after, start)).toBe(false);
    expect(openSince({ states: later, history: after })).toBeUndefined();
    const past = [
      { state: 'up', fromSeconds: start - historySeconds, toSeconds: start - 2 * hour },
      { state: 'down', fromSeconds: start - 2 * hour, toSeconds: start },
    ] as const;
    const whole = withPast(after, past, start + 60);
    expect(openSince({ states: later, history: whole })).toBe(start - 2 * hour);
  });

  test('for longer than the report reaches has no beginning that is known', () => {
    const past = [
      { state: 'down', fromSeconds: start - historySeconds, toSeconds: start },
    ] as const;
    const whole = withPast(historyOf(untold), past, start);
    expect(openSince({ states, history: whole })).toBeUndefined();
  });

  test('for longer than states are stored needs no report if the list has the start', () => {
    const long = { ...listed, lastDownStartAtSeconds: start - 40 * 86_400 };
    const history = historyOf(long);
    expect(openSince({ states, history })).toBe(start - 40 * 86_400);
    expect(missingPast({ states, history }, long)).toBeUndefined();
    expect(history.knownFromSeconds).toBe(start - historySeconds);
  });
});
