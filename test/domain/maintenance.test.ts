import { expect, test } from 'vitest';
import {
  type MaintenanceWindow,
  membersByOccurrence,
  occurrencesWithin,
} from '../../src/domain/maintenance.ts';

const day = 86_400;
const at = (text: string) => Date.parse(`${text}Z`) / 1000;
const nextYear = { fromSeconds: at('2026-01-31T00:00'), toSeconds: at('2027-01-01T00:00') };

function window(fields: Partial<MaintenanceWindow>): MaintenanceWindow {
  return {
    id: 7,
    recurrence: 'none',
    startAtSeconds: at('2026-01-31T22:00'),
    endAtSeconds: at('2026-02-01T01:00'),
    checkIds: [],
    transactionIds: [],
    ...fields,
  };
}

test('the last day of a month is the last day of the next one too', () => {
  const spans = occurrencesWithin(
    window({ recurrence: 'month', recurrenceEndAtSeconds: at('2026-05-01T00:59') }),
    nextYear,
  );

  expect(spans.map(({ fromSeconds }) => new Date(fromSeconds * 1000).toISOString())).toEqual([
    '2026-01-31T22:00:00.000Z',
    '2026-02-28T22:00:00.000Z',
    '2026-03-31T22:00:00.000Z',
  ]);
});

test('a window in effect at the beginning of the period is one, and one that is over or begins at its end is not', () => {
  const { startAtSeconds = 0, endAtSeconds = 0 } = window({});
  const within = (fromSeconds: number) =>
    occurrencesWithin(window({}), { fromSeconds, toSeconds: fromSeconds + day });

  expect(within(endAtSeconds - 1)).toEqual([
    { maintenanceId: 7, fromSeconds: startAtSeconds, toSeconds: endAtSeconds },
  ]);
  expect(within(endAtSeconds)).toEqual([]);
  expect(within(startAtSeconds - day)).toEqual([]);
});

test('the last occurrence may end with the recurrence', () => {
  const endingAt = (text: string) =>
    window({ recurrence: 'month', recurrenceEndAtSeconds: at(text) });

  expect(occurrencesWithin(endingAt('2026-05-01T01:00'), nextYear)).toHaveLength(4);
  expect(occurrencesWithin(endingAt('2026-05-01T00:59'), nextYear)).toHaveLength(3);
});

test('a window that is repeated after the last time of a date is there once', () => {
  const rare = window({ recurrence: 'month', repeatEvery: 2 ** 31 - 1 });

  expect(occurrencesWithin(rare, nextYear)).toHaveLength(1);
});

test('a daily window of most of a day is in effect hours after the begin of each', () => {
  const daily = window({ recurrence: 'day', endAtSeconds: at('2026-02-01T18:00') });
  const fromSeconds = at('2026-03-05T03:00');

  expect(occurrencesWithin(daily, { fromSeconds, toSeconds: fromSeconds + 3_600 })).toEqual([
    {
      maintenanceId: 7,
      fromSeconds: at('2026-03-04T22:00'),
      toSeconds: at('2026-03-05T18:00'),
    },
  ]);
});

test('without an end it goes on; a recurrence nobody knows is not made up, nor a window without times', () => {
  expect(occurrencesWithin(window({ recurrence: 'week', repeatEvery: 2 }), nextYear)).toHaveLength(
    24,
  );
  expect(occurrencesWithin(window({ recurrence: 'unknown' }), nextYear)).toHaveLength(1);
  const { startAtSeconds: _, ...timeless } = window({ recurrence: 'day' });
  expect(occurrencesWithin(timeless, nextYear)).toEqual([]);
});

test('an occurrence has the members of its window without those that came after its end, and is none without any', () => {
  const members = { checkIds: [1, 2], transactionIds: [9] };
  const span = (number: number) => ({
    maintenanceId: 7,
    fromSeconds: number,
    toSeconds: number + 1,
  });
  const former = { ...span(0), checkIds: [3], transactionIds: [] };

  const all = membersByOccurrence({
    windows: [window(members)],
    occurrences: [span(10), span(20), span(30)],
    ended: [former],
    unplanned: [
      { ...span(10), checkIds: [2], transactionIds: [9] },
      { ...span(20), ...members },
    ],
  });

  expect(all).toEqual([
    { ...span(10), checkIds: [1], transactionIds: [] },
    { ...span(30), ...members },
    former,
  ]);
});
