import request from 'supertest';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/src/sandbox.ts';
import type { Reader } from '../../src/api/reader.ts';
import { refreshPerformance } from '../../src/datasets/performance.ts';
import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import {
  type ResponseMonths,
  responseMonthOf,
  responseMonthsAfter,
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
