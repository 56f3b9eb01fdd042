import { describe, expect, test } from 'vitest';
import { append } from '../../src/slo/log-append.ts';
import { withPast, withTail } from '../../src/slo/log-past.ts';
import { logAtFirstSight, missingPast } from '../../src/slo/past.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import {
  emptyLog,
  historySeconds,
  isBeginning,
  type KnownStates,
  openOutage,
} from '../../src/slo/state-log.ts';
import { dueTail } from '../../src/slo/tail.ts';

const hour = 3_600;
const start = 1_767_225_600;
const states = {
  startSeconds: start,
  horizonSeconds: start,
  state: 'down' as const,
};
const listed = {
  createdAtSeconds: start - 100 * 86_400,
  lastDownStartAtSeconds: start - hour,
  lastErrorAtSeconds: start - 60,
};
const { lastDownStartAtSeconds: _, ...untold } = listed;

function logOf(entry: typeof untold) {
  const log = logAtFirstSight(entry, 'down', start);
  if (log === undefined) throw new Error('a check that is down has a log');
  return log;
}

const openSince = (known: KnownStates) => openOutage(known)?.sinceSeconds;

test('the unknown state of a tail that is read before anything is counted leaves the log', () => {
  const up = { state: 'up', fromSeconds: start - historySeconds } as const;
  const tail = { fromSeconds: start - 600, toSeconds: start, askFromSeconds: start };
  const unread = { state: 'unknown', fromSeconds: start - 600 } as const;
  const changes = StateChanges.of([up, unread]);
  const known = { states, log: { ...emptyLog(start - historySeconds), changes, tail } };
  const log = withTail(known, [{ ...unread, state: 'up', toSeconds: start }]);
  expect([...log.changes]).toEqual([up]);
  const recorded = [{ state: 'up', fromSeconds: start, toSeconds: start + 60 }] as const;
  const after = append({ states, log }, recorded, { horizonSeconds: start + 60, state: 'up' });
  expect([...(after?.changes ?? [])]).toEqual([up]);
});

describe('a check that is down at first sight', () => {
  test('is known to be down since the list says, and nothing more', () => {
    const log = logOf(listed);
    expect([...log.changes]).toEqual([{ state: 'down', fromSeconds: start - hour }]);
    expect(log.knownFromSeconds).toBe(start);
    expect(openSince({ states, log })).toBe(start - hour);
    expect(missingPast({ states, log }, listed)).toEqual({
      fromSeconds: start - historySeconds,
      toSeconds: start - hour,
    });
  });

  test('keeps that beginning with what is recorded and with the past that is read', () => {
    const recorded = [{ state: 'down', fromSeconds: start, toSeconds: start + 60 }] as const;
    const later = { states: { ...states, horizonSeconds: start + 60 } };
    const after = append({ states, log: logOf(listed) }, recorded, later.states);
    if (after === undefined) throw new Error('the log is gone');
    expect(openSince({ ...later, log: after })).toBe(start - hour);
    const past = [
      { state: 'up', fromSeconds: start - historySeconds, toSeconds: start - hour },
    ] as const;
    const whole = withPast(after, past, start + 60 - historySeconds);
    expect(whole.changes.states).toEqual(['up', 'down']);
    expect(openSince({ ...later, log: whole })).toBe(start - hour);
    expect(missingPast({ ...later, log: whole }, listed)).toBeUndefined();
  });

  test('may have begun before the end of a tail, which the report of the past did not reach', () => {
    const changes = StateChanges.of([
      { state: 'up', fromSeconds: start - historySeconds },
      { state: 'unknown', fromSeconds: start - 600 },
      { state: 'down', fromSeconds: start },
    ]);
    const known = { ...emptyLog(start - historySeconds), changes };
    const tail = { fromSeconds: start - 600, toSeconds: start, askFromSeconds: start + hour };
    expect(isBeginning(known, start)).toBe(true);
    expect(isBeginning({ ...known, tail }, start)).toBe(false);
  });

  test('has a tail that is read again when a list or the horizon has passed its time', () => {
    const tail = { fromSeconds: start - 600, toSeconds: start, askFromSeconds: start + hour };
    const log = { ...emptyLog(start - historySeconds), tail };
    const at = (horizonSeconds: number, lastTestAtSeconds?: number) =>
      dueTail(
        { states: { ...states, horizonSeconds }, log },
        lastTestAtSeconds === undefined ? {} : { lastTestAtSeconds },
      );
    expect(at(start + hour - 1)).toBeUndefined();
    expect(at(start + hour)).toEqual(tail);
    expect(at(start, start + hour)).toEqual(tail);
  });

  test('is not in the log at one time with what is recorded, if that is another state', () => {
    const changes = StateChanges.of([
      { state: 'up', fromSeconds: start - historySeconds },
      { state: 'down', fromSeconds: start },
    ]);
    const log = { ...emptyLog(start - historySeconds), changes };
    const recorded = [{ state: 'unknown', fromSeconds: start, toSeconds: start + 60 }] as const;
    const after = append({ states, log }, recorded, { horizonSeconds: start + 60, state: 'up' });
    expect([...(after?.changes ?? [])]).toEqual([
      { state: 'up', fromSeconds: start - historySeconds },
      { state: 'unknown', fromSeconds: start },
    ]);
  });

  test('without a start in the list began before, until its report is read', () => {
    const log = logOf(untold);
    expect(openSince({ states, log })).toBeUndefined();
    const recorded = [{ state: 'down', fromSeconds: start, toSeconds: start + 60 }] as const;
    const later = { ...states, horizonSeconds: start + 60 };
    const after = append({ states, log }, recorded, later);
    if (after === undefined) throw new Error('the log is gone');
    expect(isBeginning(after, start)).toBe(false);
    expect(openSince({ states: later, log: after })).toBeUndefined();
    const past = [
      { state: 'up', fromSeconds: start - historySeconds, toSeconds: start - 2 * hour },
      { state: 'down', fromSeconds: start - 2 * hour, toSeconds: start },
    ] as const;
    const whole = withPast(after, past, start + 60 - historySeconds);
    expect(openSince({ states: later, log: whole })).toBe(start - 2 * hour);
  });

  test('for longer than the report reaches has no beginning that is known', () => {
    const past = [
      { state: 'down', fromSeconds: start - historySeconds, toSeconds: start },
    ] as const;
    const whole = withPast(logOf(untold), past, start - historySeconds);
    expect(openSince({ states, log: whole })).toBeUndefined();
  });

  test('for longer than states are stored needs no report if the list has the start', () => {
    const long = { ...listed, lastDownStartAtSeconds: start - 40 * 86_400 };
    const log = logOf(long);
    expect(openSince({ states, log })).toBe(start - 40 * 86_400);
    expect(missingPast({ states, log }, long)).toBeUndefined();
    expect(log.knownFromSeconds).toBe(start - historySeconds);
  });
});
