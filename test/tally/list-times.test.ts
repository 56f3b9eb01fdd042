import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import { clockToleranceSeconds, newestOf, newestTestOf } from '../../src/tally/list-times.ts';

const now = 1_767_225_600;

function check(status: Check['status'], lastTestAtSeconds: number): Check {
  return { id: 1, name: 'shop', type: 'http', tags: [], status, lastTestAtSeconds };
}

describe('the newest test of a list', () => {
  test.each([
    ['up', now],
    ['down', now],
    ['unconfirmed_down', now],
    ['paused', undefined],
    ['unknown', undefined],
  ] as const)('of a check that is %s is at %s', (status, expected) => {
    expect(newestTestOf([check(status, now)], now)).toBe(expected);
  });

  test.each([
    [clockToleranceSeconds, now + clockToleranceSeconds],
    [clockToleranceSeconds + 1, undefined],
  ])('that is %s s ahead of the clock is at %s', (ahead, expected) => {
    expect(newestTestOf([check('up', now + ahead)], now)).toBe(expected);
  });
});

describe('the newest entry of a check', () => {
  test.each([
    ['a later test', now - 60, now, 'down'],
    ['an earlier test', now, now - 60, 'up'],
    ['an earlier test than one that is ahead of the clock', now + 4_000, now, 'down'],
  ] as const)(
    'has the status of the list or the known one after %s',
    (_, known, listed, status) => {
      expect(newestOf(check('up', known), check('down', listed), now).status).toBe(status);
    },
  );

  test.each(['up', 'down', 'unconfirmed_down', 'unknown'] as const)(
    'stays paused if the list has the last test before the pause, unless it is unknown: %s',
    (status) => {
      const shown = newestOf(check('paused', now), check(status, now), now + 60).status;

      // After a pause a check is unknown until its first test.
      expect(shown).toBe(status === 'unknown' ? 'unknown' : 'paused');
    },
  );

  test('keeps the known last test and resolution if a list lacks them', () => {
    const { lastTestAtSeconds: _, ...without } = check('paused', now);
    const known = { ...check('up', now), resolutionSeconds: 60 };

    expect(newestOf(known, without, now + 60)).toEqual({ ...known, status: 'paused' });
    expect(newestOf(without, without, now + 60)).toEqual(without);
    const { resolutionSeconds: __, ...bare } = check('up', now);
    const untimed = { ...without, resolutionSeconds: 60 };
    expect(newestOf(untimed, bare, now + 60).resolutionSeconds).toBe(60);
  });

  test('keeps the known time of creation if a list lacks it, which begins what is known', () => {
    const known = { ...check('up', now), createdAtSeconds: now - 86_400 };
    expect(newestOf(known, check('up', now + 60), now + 60)).toEqual({
      ...known,
      lastTestAtSeconds: now + 60,
    });
  });

  test('is not taken from an older copy of a list that has the test, but not its outcome', () => {
    const down = { ...check('down', now), lastErrorAtSeconds: now };
    const recovered = { ...check('up', now + 60), lastErrorAtSeconds: now };
    const beforeRecovery = { ...check('down', now + 60), lastErrorAtSeconds: now };
    const ended = { ...recovered, lastDownStartAtSeconds: now, lastDownEndAtSeconds: now + 60 };

    expect(newestOf(down, check('up', now), now + 60).status).toBe('down');
    expect(newestOf(ended, beforeRecovery, now + 120).status).toBe('up');
    expect(newestOf(beforeRecovery, ended, now + 120).status).toBe('up');
  });

  test('stays unknown after a pause if the list has the failed test before it', () => {
    const failed = { ...check('down', now), lastErrorAtSeconds: now };
    const resumed = { ...failed, status: 'unknown' as const };

    expect(newestOf(resumed, failed, now + 60).status).toBe('unknown');
  });
});
