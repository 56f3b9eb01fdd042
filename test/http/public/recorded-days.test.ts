import { expect, test } from 'vitest';
import type { RecordedMonth } from '../../../src/http/ports.ts';
import { addMonth } from '../../../src/http/public/recorded-days.ts';

const day = 86_400;
const hour = 3_600;

/** Three days of a month of which these parts are recorded. */
function daysOf(month: Partial<RecordedMonth>) {
  const days = [0, 1, 2].map((place) => ({
    fromSeconds: place * day,
    toSeconds: (place + 1) * day,
    seconds: { up: 0, down: 0, unknown: 0, unmonitored: 0 },
    maintenance: { known: 0, down: 0 },
  }));
  const whole = { fromSeconds: 0, toSeconds: 3 * day };
  addMonth(days, { ...whole, known: [whole], outages: [], unplacedSeconds: 0, ...month });
  return days.map(({ seconds, maintenance }) => [seconds.up, seconds.down, maintenance.down]);
}

test('a recorded month without an outage was up', () => {
  expect(daysOf({})).toEqual(Array(3).fill([day, 0, 0]));
});

test('an outage over midnight is in both days, also one that began before the month', () => {
  const outages = [
    { fromSeconds: -hour, toSeconds: hour, isPlanned: false },
    { fromSeconds: 2 * day - hour, toSeconds: 2 * day + 2 * hour, isPlanned: false },
  ];
  expect(daysOf({ outages })).toEqual([
    [day - hour, hour, 0],
    [day - hour, hour, 0],
    [day - 2 * hour, 2 * hour, 0],
  ]);
});

test('an outage in maintenance is planned work', () => {
  const outages = [{ fromSeconds: hour, toSeconds: 3 * hour, isPlanned: true }];
  expect(daysOf({ outages })[0]).toEqual([day - 2 * hour, 0, 2 * hour]);
});

test('time that is not known counts as nothing', () => {
  const known = [{ fromSeconds: day + hour, toSeconds: 2 * day }];
  expect(daysOf({ known })).toEqual([
    [0, 0, 0],
    [day - hour, 0, 0],
    [0, 0, 0],
  ]);
});

test('a month with hours of unplaced time has outages alone', () => {
  const outages = [{ fromSeconds: hour, toSeconds: 3 * hour, isPlanned: false }];
  const [first, second] = daysOf({ outages, unplacedSeconds: 3 * hour });
  expect(first).toEqual([0, 2 * hour, 0]);
  expect(second).toEqual([0, 0, 0]);
});
