import request from 'supertest';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/src/sandbox.ts';
import type { Reader } from '../../src/api/reader.ts';
import { refreshPerformance } from '../../src/datasets/performance.ts';
import type { PerformanceInterval } from '../../src/domain/averages.ts';
import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import { present } from '../../src/lib/present.ts';
import {
  isReadByDay,
  type ResponseMonths,
  responseDaysOf,
  responseMonthOf,
  responseMonthsAfter,
  withResponseDays,
} from '../../src/slo/response-months.ts';
import { checkId, startSeconds, watchCheck } from '../datasets/support/watched-check.ts';
import { sandboxOptions, sandboxToken } from '../support/sandbox-exporter.ts';

const { signal } = new AbortController();
const hour = 3_600;
const day = 24 * hour;
const january = { fromSeconds: startSeconds, toSeconds: startSeconds + 31 * day };

test('a month has the average that the service reports of all of its tests, and the slowest day', async () => {
  const get = async (path: string, query: object) => {
    const sent = request(sandbox.app).get(`/api/3.1/${path.replace(`${checkId}`, `${id}`)}`);
    const { status, body } = await sent
      .query({ ...query })
      .set('Authorization', `Bearer ${sandboxToken}`);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return body;
  };
  const reader: Reader = {
    baseUrl: 'https://api.example.com',
    get: ({ path, query = {} }) => get(path, query),
  };
  const { context, clock, state, list } = watchCheck(reader);
  const sandbox = createSandbox({
    ...sandboxOptions({ checks: 1 }),
    clock,
    limitsClock: clock,
  });
  const [check] = sandbox.world.checks;
  if (check === undefined) throw new Error('the sandbox has no check');
  const { id } = check;
  const { history } = sandbox.world;
  const slow = january.fromSeconds + 9 * day;
  history.plantSlowness({ checkId: id, factor: 3, from: slow, to: slow + day });
  history.plant({ checkId: id, status: 'down', from: slow + 5 * hour, to: slow + 9 * hour });
  history.plant({ checkId: id, status: 'down', from: slow + 3 * day, to: slow + 5 * day });
  const average = async (from: number, to: number): Promise<number> => {
    const { summary } = await get(`summary.average/${checkId}`, { from, to });
    return summary.responsetime.avgresponse;
  };
  const resolutionSeconds = check.resolutionMinutes * 60;
  const refresh = refreshPerformance(context);
  for (let at = startSeconds; at < january.toSeconds + 3 * hour; at += day) {
    await clock.advance(day * 1000);
    list(at + day - 60, { resolutionSeconds });
    await refresh(checkId, signal);
  }

  const known = state.checks.get(checkId)?.details.responseMonths?.value;
  const month = responseMonthOf(known, january);
  if (month === undefined) throw new Error('no hour was read');
  // Hours without a successful test have no average.
  expect(month.hours).toBe(31 * 24 - 4 - 48);
  const mean = month.milliseconds / month.tests;
  const reported = await average(january.fromSeconds, january.toSeconds - 1);
  expect(Math.abs(mean - reported)).toBeLessThanOrEqual(1);
  expect(month.slowestDay).toBe(9);
  const slowest = await average(slow, slow + day - 1);
  expect(Math.abs((month.slowestMilliseconds ?? 0) - slowest)).toBeLessThanOrEqual(1);
});

const calendar = new MonthCalendar('Europe/Berlin');
const hourAt = (time: string, milliseconds: number) => ({
  startAtSeconds: Date.parse(time) / 1000,
  complete: true,
  averageResponseTimeSeconds: milliseconds / 1000,
  upSeconds: hour,
});

test('an hour is counted once, in the month in which it begins, also if reports overlap', () => {
  const hours = [
    hourAt('2026-10-31T21:00Z', 100),
    hourAt('2026-10-31T22:00Z', 200),
    hourAt('2026-10-31T23:00Z', 300),
    { ...hourAt('2026-11-01T00:00Z', 400), complete: false },
  ];
  let known: ResponseMonths | undefined;
  for (let reports = 0; reports < 3; reports += 1) {
    known = responseMonthsAfter(known, hours.slice(0, 2 + reports), calendar, 60);
  }
  const of = (name: string) => responseMonthOf(known, calendar.named(name) ?? { fromSeconds: 0 });
  expect(of('2026-10')).toEqual({ hours: 2, tests: 120, milliseconds: 60 * 300 });
  expect(of('2026-11')).toEqual({ hours: 1, tests: 60, milliseconds: 60 * 300 });
});

test('two months are held, each hour weighted by about its number of tests', () => {
  const read = [responseMonthsAfter(undefined, [hourAt('2026-08-09T10:00Z', 50)], calendar, 60)];
  const known = [
    { ...hourAt('2026-09-09T10:00Z', 100), upSeconds: 600 },
    { ...hourAt('2026-09-10T10:00Z', 300), upSeconds: 1_800 },
    hourAt('2026-10-09T10:00Z', 100),
  ].reduce((all, one) => responseMonthsAfter(all, [one], calendar, 300), read[0]);
  expect(
    known?.months.map(({ hours, tests, milliseconds }) => [hours, tests, milliseconds]),
  ).toEqual([
    [2, 8, 2 * 100 + 6 * 300],
    [1, 12, 1_200],
  ]);
});

const october = calendar.named('2026-10') ?? { fromSeconds: 0, toSeconds: 0, name: '', zone: '' };
const begins = calendar.dayBegins(october);
test('an hour with a run counts for all hours until the next run, of which none is measured', () => {
  const runs = [hourAt('2026-10-09T06:00Z', 100), hourAt('2026-10-09T18:00Z', 300)];
  const up = hourAt('2026-10-09T19:00Z', 0);
  const hours = [...runs, { ...up, averageResponseTimeSeconds: undefined }].map((one) =>
    present(one),
  );
  const known = responseMonthsAfter(undefined, hours, calendar, 12 * hour);

  expect(responseMonthOf(known, october)).toEqual({
    ...{ hours: 24, tests: 2, milliseconds: 400 },
    ...{ slowestDay: 8, slowestMilliseconds: 200 },
  });
});

/** A day of October as a report has it, with all tests up. */
const dayAt = (place: number, milliseconds: number, up = 24) => ({
  startAtSeconds: begins[place] ?? 0,
  complete: true,
  averageResponseTimeSeconds: milliseconds / 1000,
  ...{ upSeconds: up * hour, downSeconds: 0, unmonitoredSeconds: (24 - up) * hour },
});
const hoursFrom = (time: string, hours: number, milliseconds: number) =>
  Array.from({ length: hours }, (_, place) => {
    const at = new Date(Date.parse(time) + place * hour * 1000).toISOString();
    return hourAt(at, milliseconds);
  });
const daysOf = (report: readonly PerformanceInterval[]) =>
  responseDaysOf(report, october, begins, 60);

test('days that were read take the place of the hours of an ended month, and no hour is added', () => {
  const lastHours = hoursFrom('2026-10-26T00:00Z', 72, 900);
  const known = responseMonthsAfter(undefined, lastHours, calendar, 60);
  const read = withResponseDays(
    known,
    october,
    daysOf([dayAt(0, 100), dayAt(1, 300), dayAt(3, 100, 6), dayAt(9, 200)]),
  );
  const expected = {
    ...{ hours: 78, tests: 78 * 60, milliseconds: 24 * 60 * 600 + 6 * 60 * 100 },
    ...{ slowestDay: 1, slowestMilliseconds: 300 },
  };
  expect(responseMonthOf(read, october)).toEqual(expected);
  const later = hoursFrom('2026-10-31T12:00Z', 24, 50);
  const after = responseMonthsAfter(read, later, calendar, 60);
  expect(responseMonthOf(after, october)).toEqual(expected);
  const november = calendar.later(october, 1);
  expect(responseMonthOf(after, november)?.hours).toBe(13);
  // They are read when hours of the next month were already counted, too.
  const next = responseMonthsAfter(known, hoursFrom('2026-11-02T00:00Z', 20, 70), calendar, 60);
  const both = withResponseDays(
    next,
    october,
    daysOf([...Array(24).keys()].map((place) => dayAt(place, 100))),
  );
  expect(responseMonthOf(both, november)).toEqual(responseMonthOf(next, november));
  expect(both.months.map(({ hours }) => hours)).toEqual([24 * 24, 20]);
});

test('fewer hours by day than were read change nothing, and are not read again', () => {
  const known = responseMonthsAfter(
    undefined,
    hoursFrom('2026-10-20T00:00Z', 60, 900),
    calendar,
    60,
  );
  const read = withResponseDays(known, october, daysOf([dayAt(1, 100)]));
  expect(responseMonthOf(read, october)).toEqual(responseMonthOf(known, october));
  expect([isReadByDay(known, october), isReadByDay(read, october)]).toEqual([false, true]);
  const none = withResponseDays(undefined, october, []);
  expect(responseMonthOf(none, october)).toBeUndefined();
  expect(isReadByDay(none, october)).toBe(true);
});

test('a day of the service counts if it is one of the month', () => {
  const shifted = (place: number) => {
    const one = dayAt(place, 100);
    return { ...one, startAtSeconds: one.startAtSeconds - hour };
  };
  expect(daysOf([shifted(2), shifted(3), shifted(30)])).toEqual([]);
  // On the 25th, summer time ends: the day has 25 hours.
  const next = dayAt(24, 100).startAtSeconds + 24 * hour;
  expect(daysOf([dayAt(24, 100), { ...dayAt(24, 100), startAtSeconds: next }])).toEqual([]);
  const whole = { ...dayAt(24, 100), upSeconds: 25 * hour };
  expect(daysOf([whole]).map(({ hours }) => hours)).toEqual([25]);
  expect(daysOf([{ ...whole, upSeconds: 26 * hour }])).toEqual([]);
  expect(daysOf([{ ...dayAt(30, 100), upSeconds: 25 * hour }])).toEqual([]);
  // It was paused all day, or nothing was measured.
  const { averageResponseTimeSeconds: _, ...unmeasured } = dayAt(5, 0);
  expect(daysOf([dayAt(4, 100, 0), unmeasured])).toEqual([]);
});
