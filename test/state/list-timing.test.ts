import { describe, expect, test } from 'vitest';
import { listTiming } from '../../src/state/list-timing.ts';

const onTime = { ageSeconds: 20, intervalSeconds: 60, dueInSeconds: 40, admissionInSeconds: 0 };

test('nothing is known before the first list', () => {
  expect(listTiming({ admissionInSeconds: 0 })).toBeUndefined();
});

describe('an outage may be seen late by', () => {
  test.each([
    ['the planned interval', {}, 40, 60],
    [
      'the planned interval, although a webhook has just requested a list',
      { ageSeconds: 2, dueInSeconds: 10 },
      10,
      60,
    ],
    ['the age of a list that is overdue', { ageSeconds: 90, dueInSeconds: -30 }, 0, 90],
    ['the age of the list at its retry', { ageSeconds: 90, dueInSeconds: 270 }, 270, 360],
    ['the age of the list when the window resets', { admissionInSeconds: 1_780 }, 1_780, 1_800],
    [
      'the age of the list at the reset of a window that is nearly spent, which ends the slow plan',
      { intervalSeconds: 5_400, dueInSeconds: 5_380, resetInSeconds: 900 },
      900,
      920,
    ],
    [
      'the age of the list at a reset after a start that may plan nothing before it',
      {
        intervalSeconds: Number.POSITIVE_INFINITY,
        dueInSeconds: Number.POSITIVE_INFINITY,
        admissionInSeconds: 900,
        resetInSeconds: 900,
      },
      900,
      920,
    ],
    [
      'the age of the list while another response decides',
      { ageSeconds: 70, dueInSeconds: 0, admissionInSeconds: Number.POSITIVE_INFINITY },
      0,
      70,
    ],
  ])('%s', (_what, schedule, nextInSeconds, outageDelaySeconds) => {
    expect(listTiming({ ...onTime, ...schedule })).toMatchObject({
      nextInSeconds,
      outageDelaySeconds,
    });
  });
});
