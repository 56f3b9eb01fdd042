import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import { listTimesOf, longestLagSeconds } from '../../src/tally/list-times.ts';
import { startTally } from '../../src/tally/start-tally.ts';
import { readAt } from './support/read-at.ts';

const now = 1_767_225_600;
const check: Check = {
  id: 7,
  name: 'shop',
  type: 'http',
  tags: [],
  status: 'up',
  resolutionSeconds: 60,
  lastTestAtSeconds: now - 20,
};

function start(fields: Partial<Check>, others: readonly Check[] = []) {
  const seen = { ...check, ...fields };
  return startTally(seen, listTimesOf([seen, ...others], readAt(now)));
}

test('a check that is up starts at its last test with nothing counted', () => {
  expect(start({})).toEqual({
    startSeconds: now - 20,
    horizonSeconds: now - 20,
    state: 'up',
    resolutionSeconds: 60,
  });
});

test('a check that is down is down from its last test on', () => {
  expect(start({ status: 'down' })).toMatchObject({ horizonSeconds: now - 20, state: 'down' });
});

test('a pause that may have begun this minute is left to a report, an older one is not', () => {
  const others = [{ ...check, id: 8 }];

  expect(start({ status: 'paused', lastTestAtSeconds: now - 50 }, others).state).toBe('unknown');
  expect(start({ status: 'paused', lastTestAtSeconds: now - 500 }, others).state).toBe(
    'unmonitored',
  );
});

test.each(['unconfirmed_down', 'unconfirmed_up'] as const)(
  'what %s was is left to a report',
  (status) => {
    expect(start({ status }).state).toBe('unknown');
  },
);

test('the newest test of any tested check shows how much time has passed, unless it is too far ahead of the clock', () => {
  const tests = [now - 900, now - 30, now + 4000].map((lastTestAtSeconds, id) => ({
    ...check,
    id,
    lastTestAtSeconds,
  }));
  const paused = { ...check, status: 'paused' as const, lastTestAtSeconds: now - 5 };

  expect(listTimesOf([...tests, paused], readAt(now, 60))).toEqual({
    receivedAtSeconds: now,
    passedSeconds: now - 30,
    elapsedSeconds: 60,
  });
  expect(listTimesOf([paused], readAt(now)).passedSeconds).toBe(now - longestLagSeconds);
});

test('time is known to have passed up to when a slow list was asked for, whatever was tested before it was there', () => {
  const slow = { requestedAtSeconds: now, receivedAtSeconds: now + 25 };
  const paused = { ...check, status: 'paused' as const, lastTestAtSeconds: now - 900 };
  const tested = { ...check, id: 8, lastTestAtSeconds: now + 20 };

  expect(listTimesOf([paused], slow).passedSeconds).toBe(now - longestLagSeconds);
  expect(listTimesOf([paused, tested], slow).passedSeconds).toBe(now);
});
