import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { Month } from '../../src/lib/month-calendar.ts';
import type { MonthRecord } from '../../src/months/month-record.ts';
import { application, day, monthsOf, record } from './support/october.ts';

const all = { hours: 744, tests: 44_640 };
/** It was up for 14 days, of which every hour was read. */
const mostlyDown = (average: number) =>
  record(11, 'mostly down', {
    seconds: { up: 14 * day, down: 17 * day, unknown: 0, unmonitored: 0 },
    responseTimes: { hours: 336, tests: 336, milliseconds: 336 * average },
  });

const months: { readonly [name: string]: readonly MonthRecord[] } = {
  '2026-09': [
    record(1, 'slower', {
      responseTimes: {
        ...{ hours: 720, tests: 43_200, milliseconds: 43_200 * 200 },
        ...{ slowestDay: 3, slowestMilliseconds: 900 },
      },
    }),
    record(2, 'in part', { responseTimes: { hours: 23, tests: 10, milliseconds: 9_000 } }),
    ...[372, 371, 744].map((hours, place) =>
      record(8 + place, `of ${hours} h before`, {
        responseTimes: { hours, tests: hours, milliseconds: hours * 300 },
      }),
    ),
    mostlyDown(300),
  ],
  '2026-10': [
    record(1, 'slower', {
      responseTimes: {
        ...{ ...all, milliseconds: 44_640 * 238 },
        ...{ slowestDay: 8, slowestMilliseconds: 1_240 },
      },
    }),
    record(2, 'in part', { responseTimes: { hours: 24, tests: 24, milliseconds: 24 * 512 } }),
    record(3, 'hours', { responseTimes: { hours: 23, tests: 23, milliseconds: 23 * 512 } }),
    record(4, 'not read'),
    record(7, 'made at noon', {
      responseTimes: {
        ...{ hours: 28, tests: 28, milliseconds: 28 * 532 },
        ...{ slowestDay: 29, slowestMilliseconds: 513 },
      },
    }),
    record(6, 'awaited', {
      seconds: { up: 3_600, down: 0, unknown: 0, unmonitored: 0 },
      awaited: [{ fromSeconds: 0, toSeconds: 31 * day - 3_600 }],
      responseTimes: { hours: 168, tests: 168, milliseconds: 168 * 640 },
    }),
    record(5, 'paused', { seconds: { up: 0, down: 0, unknown: 0, unmonitored: 31 * day } }),
    ...[744, 744, 371].map((hours, place) =>
      record(8 + place, `of ${hours} h, number ${place}`, {
        responseTimes: { hours, tests: hours, milliseconds: hours * 310 },
      }),
    ),
    mostlyDown(310),
  ],
  '2026-11': [record(1, 'slower')],
};
const monthsOfYear = {
  ...monthsOf('shop', []),
  records: async function* (asked: readonly Month[]) {
    yield asked.map(({ name }) => months[name] ?? []);
  },
};
const app = request(application([monthsOfYear]));
const words = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('response times in the report', () => {
  test('are shown from one known day on, with the slowest day and those of the month before', async () => {
    const { body } = await app.get('/report.json?month=2026-10');
    const of = (id: number) => {
      const row = body.items.find((one: { id: number }) => one.id === id);
      return [
        ...[row.response_time_seconds, row.response_time_hours, row.slowest_day],
        ...[row.slowest_day_response_time_seconds, row.response_time_seconds_before],
      ];
    };
    expect(of(1)).toEqual([0.238, 744, '2026-10-09', 1.24, 0.2]);
    expect(of(2)).toEqual([0.512, 24, undefined, undefined, undefined]);
    expect(of(3)).toEqual([undefined, 23, undefined, undefined, undefined]);
  });

  test('have their hours, their change and the reason of their absence in text and on the page', async () => {
    const { text } = await app.get('/report.txt?month=2026-10');
    expect(text).toMatch(
      / slower: .*, since Sep 2026: response \+38 ms, response about 238 ms, slowest on 2026-10-09: 1\.24 s\n/,
    );
    expect(text).toMatch(/ in part: .*, response about 512 ms of 1 d\n/);
    // Of its first day, less than half is known.
    expect(text).toMatch(/ made at noon: .*, response about 532 ms of 1 d 4 h\n/);
    expect(text).toMatch(/ awaited: .*, response about 640 ms of 7 d\n/);
    expect(text).toMatch(/ hours: .*, response time less than a day was read\n/);
    expect(text).toMatch(/ not read: .*, response time not read\n/);
    expect(text).not.toMatch(/ paused: .*response/);
    const page = words((await app.get('/report?month=2026-10')).text);
    expect(page).toContain('238 ms slowest 9 Oct: 1.24 s');
    expect(page).toContain('response +38 ms');
  });

  test('are compared where half of their hours were read in both months', async () => {
    const { text } = await app.get('/report.txt?month=2026-10');
    expect(text).toMatch(/ of 744 h, number 0: .*since Sep 2026: response \+10 ms/);
    expect(text).not.toMatch(/number [12]: .*since/);
    expect(text).toMatch(/ mostly down: .*since Sep 2026: response \+10 ms/);
    const { body } = await app.get('/report.json?month=2026-10');
    const before = [8, 9, 10].map(
      (id) => body.items.find((row: { id: number }) => row.id === id).response_time_seconds_before,
    );
    expect(before).toEqual([0.3, undefined, 0.3]);
  });

  test('of a month without any have one sentence', async () => {
    const { text } = await app.get('/report.txt?month=2026-11');
    expect(text).toContain('Response times are absent: less than a day of them was read.');
    expect(words((await app.get('/report?month=2026-11')).text)).not.toContain(' not read ');
  });

  test.each([
    [
      'other time zone',
      /those of some days only: .* not those of the time zone UTC \(report\.time_zone\)\./,
    ],
    ['too few requests', /those of some days only: the request limits leave too little/],
    ['not read yet', /Response times of some checks are being read\./],
  ] as const)('that were not read by day have a sentence: %s', async (why, sentence) => {
    const some = request(application([{ ...monthsOfYear, daysNotRead: () => why }]));
    expect((await some.get('/report.txt?month=2026-10')).text).toMatch(sentence);
    expect(words((await some.get('/report.html?month=2026-10')).text)).toContain('Response times');
    const { body } = await some.get('/report.json?month=2026-10');
    expect(body.response_days_not_read).toEqual([why]);
  });

  test('that are absent have one sentence with all reasons', async () => {
    const daysNotRead = () => 'other time zone' as const;
    const none = request(application([{ ...monthsOfYear, daysNotRead }]));
    const { text } = await none.get('/report.txt?month=2026-11');
    expect(text).toMatch(
      /times are absent: less than a day of them was read, and the days of the service are not/,
    );
    expect(text).not.toContain('some days only');
  });

  test('of several months are those of all of their tests', async () => {
    const { body } = await app.get('/report.json?from=2026-09&to=2026-10');
    const [first] = body.items.filter((row: { id: number }) => row.id === 1);
    const mean = Math.round((43_200 * 200 + 44_640 * 238) / (43_200 + 44_640)) / 1000;
    expect(first).toMatchObject({ response_time_seconds: mean, response_time_hours: 1_464 });
    expect(first).toMatchObject({ slowest_day: '2026-10-09' });
    expect(body.items.find((row: { id: number }) => row.id === 3).response_time_hours).toBe(23);
  });
});
