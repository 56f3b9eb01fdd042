import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { Month } from '../../src/lib/month-calendar.ts';
import type { MonthRecord } from '../../src/months/month-record.ts';
import { application, day, down, length, monthsOf, outage, record } from './support/october.ts';

const shop = { groups: [{ name: 'shop', ratio: 0.999 }] };
const september = 30 * day;
const inSeptember = (seconds: number, outages: MonthRecord['outages'] = []) => ({
  ...down(seconds, outages),
  seconds: { up: september - seconds, down: seconds, unknown: 0, unmonitored: 0 },
});

const sinceAugust = {
  ...{ fromSeconds: Date.parse('2026-08-19T10:00Z') / 1000, causes: [] },
  maintenance: 'none',
} as const;

const months: { readonly [name: string]: readonly MonthRecord[] } = {
  '2026-09': [
    record(1, 'worse', inSeptember(0)),
    record(2, 'better', {
      ...shop,
      ...inSeptember(7_200, [outage('2026-09-04T10:00Z', '2026-09-04T12:00Z')]),
    }),
    record(3, 'seen late', {
      seconds: { up: 20 * day, down: 0, unknown: 0, unmonitored: 0 },
      unwatched: [{ fromSeconds: 0, toSeconds: 10 * day }],
    }),
    record(5, 'down over the end', {
      ...inSeptember(3_600, [{ ...outage('2026-09-30T23:00Z', '2026-10-01T01:00Z') }]),
    }),
  ],
  '2026-10': [
    record(1, 'worse', down(3_600, [outage('2026-10-04T10:00Z', '2026-10-04T11:00Z')])),
    record(2, 'better', { ...shop, ...down(0) }),
    record(3, 'seen late', down(60, [outage('2026-10-04T10:00Z', '2026-10-04T10:01Z')])),
    record(4, 'new', down(0)),
    record(5, 'down over the end', {
      ...down(3_600, [outage('2026-09-30T23:00Z', '2026-10-01T01:00Z')]),
    }),
    record(6, 'down for months', down(length, [sinceAugust])),
  ],
  '2026-11': [record(1, 'worse')],
};

function monthsOfYear(records = months) {
  const known = monthsOf('shop', []);
  return {
    ...known,
    records: async function* (all: readonly Month[]) {
      yield all.map(({ name }) => records[name] ?? []);
    },
    recordsOf: async (all: readonly Month[], kind: string, ids: readonly number[]) =>
      all.map(({ name }) =>
        (records[name] ?? []).filter((one) => one.kind === kind && ids.includes(one.id)),
      ),
  };
}

const app = request(application([monthsOfYear()]));
const words = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('a month beside the one before', () => {
  test('has what each line had in that month', async () => {
    const { body } = await app.get('/report.json?month=2026-10');
    const former = (id: number) => {
      const row = body.items.find((one: { id: number }) => one.id === id);
      return [row.availability_before, row.down_seconds_before, row.outages_before];
    };
    expect(body.month_before).toBe('2026-09');
    expect(former(1)).toEqual([1, 0, 0]);
    expect(former(2)).toEqual([1 - 7_200 / september, 7_200, 1]);
    // Only a part of that month is known.
    expect(former(3)).toEqual([1, undefined, undefined]);
    expect(former(4)).toEqual([undefined, undefined, undefined]);
    expect(body.groups[0]).toMatchObject({ name: 'shop', down_seconds_before: 7_200 });
  });

  test('has the total of the account, beside that of the month before', async () => {
    const { body } = await app.get('/report.json?month=2026-10');
    expect(body.totals).toEqual([
      {
        account: 'shop',
        items: 6,
        availability: 1 - (length + 7_260) / (6 * length),
        down_seconds: length + 7_260,
        outages: 2,
        ...{ known_seconds: 6 * length, awaited_seconds: 0, unwatched_seconds: 0 },
        availability_before: 1 - 10_800 / (3 * september + 20 * day),
      },
    ]);
  });

  test('says what has changed, with its sign, in text and on the page', async () => {
    const { text } = await app.get('/report.txt?month=2026-10');
    expect(text).toMatch(/ worse: .*, since Sep 2026: −0\.134 points, down \+1 h, \+1 outage\n/);
    expect(text).toMatch(/ better: .*, since Sep 2026: \+0\.278 points, down −2 h, −1 outage\n/);
    expect(text).toMatch(/ seen late: .*, since Sep 2026: −0\.002 points\n/);
    expect(text).not.toMatch(/ new: .*since/);
    expect(text).toMatch(
      /^In total: 83\.288 % available, down 31 d 2 h, 2 outages; September 2026: 99\.\d+ % available of the known time\.$/m,
    );
    const page = words((await app.get('/report?month=2026-10')).text);
    expect(page).toContain('−0.134 points down +1 h +1 outage');
    expect(page).toContain(
      'In total: 83.288 % available, down 31 d 2 h, 2 outages; September 2026:',
    );
  });

  test.each(['2026-09', '2026-10'])(
    'is not compared if less than half of %s is known, and its total is of the known time',
    async (name) => {
      const few = record(1, 'few', {
        seconds: { up: 10 * day - 60, down: 60, unknown: 0, unmonitored: 0 },
        unwatched: [{ fromSeconds: 0, toSeconds: 21 * day }],
      });
      const all = { '2026-09': [record(1, 'few')], '2026-10': [record(1, 'few')], [name]: [few] };
      const { text } = await request(application([monthsOfYear(all)])).get(
        '/report.txt?month=2026-10',
      );
      expect(text).not.toContain('since Sep');
      expect(text).toMatch(
        name === '2026-09'
          ? /^In total: 100 % available, down 0 s, 0 outages\.$/m
          : /^In total: 99\.993 % available of 10 d, down 1 min, 0 outages; September 2026: 100 % available, down 0 s, 0 outages\.$/m,
      );
    },
  );

  test('names an outage from before, where the count of outages is empty', async () => {
    const { text } = await app.get('/report.txt?month=2026-10');
    expect(text).toMatch(/ down for months: .*, down 31 d, going on since 2026-08-19\n/);
    expect(text).toMatch(/ down over the end: .*, down 1 h, one began on 2026-09-30,/);
    const page = words((await app.get('/report?month=2026-10')).text);
    expect(page).toContain('going on since 2026-08-19');
  });

  test.each(['removedAtSeconds', 'countedUntilSeconds'])(
    'does not say that an outage goes on after %s',
    async (name) => {
      const seconds = { up: 0, down: 9 * day, unknown: 0, unmonitored: 0 };
      const tenth = { [name]: Date.parse('2026-10-10T00:00Z') / 1000 };
      const left = record(1, 'left', { seconds, outages: [sinceAugust], ...tenth });
      const ofOne = request(application([monthsOf('shop', [left])]));
      const { text } = await ofOne.get('/report.txt?month=2026-10');
      expect(text).toMatch(/ left: .*, down 9 d, one began on 2026-08-19\b/);
    },
  );

  test('is not compared while it goes on, or if nothing is known of the one before', async () => {
    for (const month of ['2026-11', '2026-09']) {
      const { body } = await app.get(`/report.json?month=${month}`);
      expect(body).not.toHaveProperty('month_before');
      expect(body.items[0]).not.toHaveProperty('availability_before');
    }
  });

  test('has small months beside each check, of those that are recorded', async () => {
    const { text } = await app.get('/report?month=2026-10');
    const metOf = (name: string) => {
      const row = text.split('<tr>').find((one) => one.includes(`>${name}<`)) ?? '';
      return /aria-label="(\d+ of \d+) months met/.exec(row)?.[1];
    };
    // September was met, October missed.
    expect(metOf('worse')).toBe('1 of 2');
    expect(metOf('down over the end')).toBe('0 of 2');
    // Less than half of September is known.
    expect(metOf('seen late')).toBe('1 of 1');
    expect(metOf('new')).toBeUndefined();
  });
});

test('a group is not compared with a part of it in the month before', async () => {
  const was = { ...shop, ...inSeptember(0), tags: ['prod'] };
  const records = (other: Partial<MonthRecord>) => ({
    '2026-09': [record(1, 'shop', was), record(2, 'other', { ...was, ...other })],
    '2026-10': [record(1, 'shop', { ...shop, ...down(0), tags: ['prod'] })],
  });
  const before = async (other: Partial<MonthRecord>) => {
    const months = application([monthsOfYear(records(other))]);
    const { body } = await request(months).get('/report.json?month=2026-10&tag=prod');
    return body.groups[0].availability_before;
  };
  expect(await before({})).toBe(1);
  expect(await before({ tags: [] })).toBeUndefined();
});
