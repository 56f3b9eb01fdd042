import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { MonthRecord } from '../../src/months/month-record.ts';
import { application, day, down, length, monthsOf, october, record } from './support/october.ts';

const end = Date.parse('2026-11-01T00:00Z') / 1000;

async function leadOf(records: readonly MonthRecord[]): Promise<string> {
  const months = monthsOf('shop', [...october, ...records]);
  const app = application([{ ...months, phaseOf: () => 'partial' }]);
  const [lead = ''] =
    /^Names, groups.*$/m.exec((await request(app).get('/report.txt?month=2026-10')).text) ?? [];
  return lead;
}

/** The reports of a check are refused since a time before the end of the month, in seconds. */
function stuck(id: number, name: string, seconds: number): MonthRecord {
  const horizon = end - seconds;
  return record(id, name, {
    seconds: { up: length - seconds, down: 0, unknown: 0, unmonitored: 0 },
    unwatched: [{ fromSeconds: horizon, toSeconds: end }],
    countedUntilSeconds: horizon,
  });
}

describe('the report of a month that lacks something', () => {
  test('does not say in its first minute that the checks are not tested', async () => {
    const fromSeconds = end;
    const first = monthsOf('shop', [
      record(1, 'shop', {
        seconds: { up: 0, down: 0, unknown: 0, unmonitored: 0 },
        countedUntilSeconds: fromSeconds,
      }),
    ]);
    const app = request(application([{ ...first, nowSeconds: fromSeconds + 30 }]));
    for (const form of ['', '.txt', '.html']) {
      const { text } = await app.get(`/report${form}?month=2026-11`);
      const lines = text.replaceAll(/^Days:.*|<p[^>]*>Days:[^<]*/gm, '');
      expect(lines).toContain('not known yet');
      expect(lines).not.toMatch(/not\s+tested/);
    }
  });

  test.each([
    ['all', 1, 'All were first seen after this month: names, groups and objectives are'],
    ['some', 2, 'Names, groups and objectives are those of that month'],
  ])('tells of what time the names are if %s were first seen later', async (_, firstId, lead) => {
    const records = october.map((one) =>
      one.id < firstId ? one : { ...one, isSeenLater: true as const },
    );
    const app = request(application([monthsOf('shop', records)]));
    for (const form of ['', '.txt', '.html']) {
      const { text } = await app.get(`/report${form}?month=2026-10`);
      expect(text.replaceAll(/\s+/g, ' ')).toContain(lead);
    }
  });

  test('names no day in words that is still to come', async () => {
    const until = end + 14 * day + 3_600;
    const seconds = { up: until - end, down: 0, unknown: 0, unmonitored: 0 };
    const months = monthsOf('shop', [record(1, 'shop', { seconds, countedUntilSeconds: until })]);
    const { text } = await request(application([months])).get('/report?month=2026-11');
    expect(text).toContain('aria-label="15 days no downtime"');
  });

  test('says that its last tests are not counted, where no check is hours behind', async () => {
    const lead = await leadOf([stuck(11, 'api', 300)]);
    expect(lead).toContain('The last tests of the month are not counted yet.');
    expect(lead).not.toContain('api');
  });

  test('names the checks that are far behind, and until when each is counted', async () => {
    const lead = await leadOf([stuck(11, 'api', day), stuck(12, 'mail', 2 * day)]);
    expect(lead).toContain(
      '2 of 7 checks and transactions are not counted to the end of the month: mail (until 2026-10-30 00:00 UTC), api (until 2026-10-31 00:00 UTC).',
    );
  });

  test('names the first of many', async () => {
    const many = Array.from({ length: 10 }, (_, place) => stuck(11 + place, `c${place}`, day));
    expect(await leadOf(many)).toMatch(
      /^.*10 of 15 .*: c0 \(until [^)]*\), c1 \([^)]*\), c2 \([^)]*\) and 7 more\./,
    );
  });

  test('names the checks of which time is awaited', async () => {
    const awaited = [{ fromSeconds: end - 2 * day, toSeconds: end - day }];
    expect(await leadOf([record(11, 'api', { awaited })])).toContain(
      'Some time of 1 of 6 checks and transactions is not known yet: api.',
    );
  });

  test('tells checks of one name apart, by their hosts and accounts', async () => {
    const awaited = [{ fromSeconds: end - 2 * day, toSeconds: end - day }];
    const alike = ['a.example', 'b.example'].map((hostname, place) =>
      record(11 + place, 'api', { awaited, hostname }),
    );
    expect(await leadOf(alike)).toContain(
      'Some time of 2 of 7 checks and transactions is not known yet: api (a.example), api (b.example).',
    );
    const accounts = ['shop', 'blog'].map((name) =>
      monthsOf(name, [record(11, 'api', { awaited })]),
    );
    const { text } = await request(application(accounts)).get('/report.txt?month=2026-10');
    expect(text).toContain('is not known yet: api (shop), api (blog).');
  });

  test('says that the total is not known yet, with what is known of it', async () => {
    const awaited = [{ fromSeconds: end - 2 * day, toSeconds: end - day }];
    const totalOf = async (record: MonthRecord) => {
      const app = application([monthsOf('shop', [record])]);
      const { text } = await request(app).get('/report.txt?month=2026-10');
      return /^In total: (.*)\.$/m.exec(text)?.[1];
    };
    expect(await totalOf(record(11, 'api', { awaited }))).toBe('not known yet');
    expect(await totalOf(record(11, 'api', { ...down(60), awaited }))).toBe(
      'not known yet, so far down 1 min, 0 outages',
    );
    const paused = { up: 0, down: 0, unknown: 0, unmonitored: length };
    expect(await totalOf(record(11, 'api', { seconds: paused }))).toBe('not tested');
  });

  test('does not count a group only as far as a check that left', async () => {
    const groups = [{ name: 'all', ratio: 0.999 }];
    const left = { removedAtSeconds: end - 2 * day, countedUntilSeconds: end - 3 * day };
    const records = [record(11, 'api', { groups }), record(12, 'left', { groups, ...left })];
    const app = application([{ ...monthsOf('shop', records), phaseOf: () => 'partial' }]);
    const { body } = await request(app).get('/report.json?month=2026-10');
    expect(body.groups[0]).toMatchObject({ name: 'all', items: 2 });
    expect(body.groups[0]).not.toHaveProperty('counted_until');
  });

  test.each([
    [[20, 1], 'In the part of the month that is known, 1 met it.'],
    [[20, 2_000], 'In the part of the month that is known, 1 more missed it.'],
  ])('says what the verdict of %j is', async ([days = 0, seconds = 0], sentence) => {
    const known = { up: days * day - seconds, down: seconds, unknown: 0, unmonitored: 0 };
    const unwatched = [{ fromSeconds: 0, toSeconds: (31 - days) * day }];
    const part = record(11, 'api', { seconds: known, unwatched });
    const app = application([monthsOf('shop', [part])]);
    const { text } = await request(app).get('/report.txt?month=2026-10');
    expect(text).toContain(sentence);
  });

  test('says why an outage has no end', async () => {
    const [begin, removed] = [end - 2 * day, end - day];
    const open = { fromSeconds: begin, causes: [], maintenance: 'none' } as const;
    const records = [
      record(4, 'removed', { ...down(day, [open]), removedAtSeconds: removed }),
      record(5, 'listed', down(day, [open])),
    ];
    const app = application([monthsOf('shop', records)]);
    const { text } = await request(app).get('/report.txt?month=2026-10');
    expect(text).toMatch(/removed: at least 1 d, removed before it ended$/m);
    expect(text).toMatch(/listed: at least 2 d, end not known$/m);
    const page = (await request(app).get('/report?month=2026-10')).text;
    expect(page).toContain('removed before it ended');
    expect(page).toContain('end not known');
  });

  test.each([
    ['up to now', '2026-11-14T23:30Z', 'goes on'],
    ['no further than days ago', '2026-11-10T00:00Z', 'end not known'],
  ])('of a month that goes on says of an outage that is known %s', async (_, until, words) => {
    const countedUntilSeconds = Date.parse(until) / 1000;
    const open = (from: string) => {
      const fromSeconds = Date.parse(from) / 1000;
      return { fromSeconds, causes: [], maintenance: 'none' } as const;
    };
    const records = [
      record(5, 'of November', { outages: [open('2026-11-09T00:00Z')], countedUntilSeconds }),
      record(6, 'from before', { outages: [open('2026-10-09T00:00Z')], countedUntilSeconds }),
    ];
    const { text } = await request(application([monthsOf('shop', records)])).get(
      '/report.txt?month=2026-11',
    );
    expect(text).toMatch(new RegExp(`of November: at least .*, ${words}$`, 'm'));
    expect(text.includes('going on since 2026-10-09')).toBe(words === 'goes on');
  });
});
