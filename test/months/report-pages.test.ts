import request from 'supertest';
import { describe, expect, test } from 'vitest';
import {
  application,
  day,
  down,
  length,
  monthsOf,
  october,
  outage,
  record,
} from './support/october.ts';

function app(...accounts: readonly ReturnType<typeof monthsOf>[]) {
  return request(application(accounts));
}

describe('the report of a month', () => {
  test('has the last complete month by default, groups first and the worst first', async () => {
    const { body } = await app(monthsOf('shop', october)).get('/report.json');
    expect(body).toMatchObject({
      month: '2026-10',
      time_zone: 'UTC',
      state: 'whole',
      from: '2026-10-01T00:00:00Z',
      to: '2026-11-01T00:00:00Z',
    });
    expect(body.items.map(({ id }: { id: number }) => id)).toEqual([2, 1, 4, 3, 5]);
    expect(body.groups).toMatchObject([
      {
        kind: 'group',
        name: 'shop',
        items: 2,
        down_seconds: 7_200,
        met: false,
        availability: 1 - 7_200 / (2 * length),
        outages: 1,
        margin_seconds: Math.floor(2 * length * 0.001 - 7_200),
      },
    ]);
  });

  test('counts an outage in the month of its beginning, with its minutes in both', async () => {
    const { body } = await app(monthsOf('shop', october)).get('/report.json');
    expect(body.items[0]).toMatchObject({
      id: 2,
      outages: 1,
      longest_outage_seconds: 5_400,
      met: false,
      margin_seconds: Math.floor(length * 0.001 - 7_200),
    });
    expect(body.outages).toMatchObject([
      { id: 2, from: '2026-09-30T23:00:00Z', counted: false, seconds_in_month: 1_800 },
      { id: 2, from: '2026-10-04T10:00:00Z', counted: true, causes: ['Timeout', '@cause'] },
      { id: 4, maintenance: 'whole', counted: false },
    ]);
  });

  test('has no row for a part of a group', async () => {
    const groups = [{ name: 'shop', ratio: 0.999 }];
    const members = [
      record(1, 'up', { groups: [...groups, { name: 'one', ratio: 0.999 }], tags: ['prod'] }),
      record(2, 'down', { ...down(9_000), groups }),
    ];
    const report = app(monthsOf('main', members));
    const groupsOf = async (query: string) => {
      const { body } = await report.get(`/report.json?month=2026-10${query}`);
      return body.groups.map(({ name, met }: { name: string; met: boolean }) => [name, met]);
    };
    const [one, shop] = [
      ['one', true],
      ['shop', false],
    ];
    expect(await groupsOf('')).toEqual([shop, one]);
    expect(await groupsOf('&group=shop')).toEqual([shop]);
    expect(await groupsOf('&tag=prod')).toEqual([one]);
    expect(await groupsOf('&check=1')).toEqual([one]);
    expect(await groupsOf('&check=1&check=2')).toEqual([shop, one]);
    expect(await groupsOf('&tag=prod&group=shop')).toEqual([]);
  });

  test('has a negative margin wherever the objective is missed, however little by', async () => {
    const missed = record(1, 'shop', { ...down(5_357), objective: 0.998 });
    const { body } = await app(monthsOf('shop', [missed])).get('/report.json');
    expect(body.items[0]).toMatchObject({ met: false, margin_seconds: -1 });
  });

  test('of which an hour was watched does not say that all of its time was not', async () => {
    const begin = Date.UTC(2026, 9) / 1000;
    const hour = record(1, 'shop', {
      seconds: { up: 3_600, down: 0, unknown: 0, unmonitored: 0 },
      unwatched: [{ fromSeconds: begin + 3_600, toSeconds: begin + length }],
      groups: [{ name: 'shop', ratio: 0.999 }],
    });
    const { text } = await app(monthsOf('shop', [hour])).get('/report.txt');
    expect(text).toContain(', 99 % of the time not watched');
  });

  test('is without maintenance, and never certain about what is not known', async () => {
    const { body } = await app(monthsOf('shop', october)).get('/report.json');
    const row = (id: number) => body.items.find((item: { id: number }) => item.id === id);
    expect(row(4)).toMatchObject({
      availability: 1,
      down_seconds: 0,
      outages: 0,
      maintenance_seconds: 3_600,
      met: true,
    });
    expect(row(3)).toMatchObject({ known_seconds: 12 * day, unwatched_seconds: 19 * day });
    expect(row(5)).not.toHaveProperty('availability');
    expect(row(5)).not.toHaveProperty('met');
    const { text } = await app(monthsOf('shop', october)).get('/report');
    expect(text).toContain('19 d not watched');
    expect(text).toContain('100 %<small>of 12 d</small>');
    expect(text).toContain('31 d not monitored');
  });

  test('has a page that does not grow with the account, and says what it leaves out', async () => {
    const causes = ['HTTP Error 503: Service Unavailable'];
    const many = Array.from({ length: 2_000 }, (_, place) =>
      record(
        place,
        `shop front page ${place} (shop-${place}.example.com)`,
        down(600, [outage('2026-10-04T10:00Z', '2026-10-04T10:10Z', { causes })]),
      ),
    );
    const { text } = await app(monthsOf('shop', many)).get('/report');
    expect(Buffer.byteLength(text)).toBeLessThan(300_000);
    expect(text).toContain('and 1,750 more');
  });

  test('leads to all of its outages, by time or by check', async () => {
    const many = Array.from({ length: 600 }, (_, place) =>
      record(place, `check ${600 - place}`, {
        ...down(60, [
          outage(
            new Date(Date.parse('2026-10-04T10:00Z') + 60_000 * place).toISOString(),
            new Date(Date.parse('2026-10-04T10:01Z') + 60_000 * place).toISOString(),
          ),
        ]),
        tags: ['prod'],
      }),
    );
    const web = app(monthsOf('shop', many));
    const seen: string[] = [];
    let path: string | undefined = '/report?tag=prod&check=&by=check';
    while (path !== undefined) {
      const { text } = await web.get(path.replaceAll('&amp;', '&'));
      const [, outages = ''] = text.split('aria-label="Outages"');
      expect(outages).toMatch(/(Previous|Next) outages/);
      expect(outages).not.toMatch(/(Earlier|Later) outages/);
      seen.push(...[...outages.matchAll(/<bdi>(check \d+)<\/bdi>/g)].map(([, name = '']) => name));
      [, path] = /href="\.(\/report[^"]*)#outages" rel="next"/.exec(text) ?? [];
    }
    expect(seen).toEqual(many.map(({ name }) => name).sort());
    const { text } = await web.get('/report?tag=prod');
    expect(text).toContain('<input type="hidden" name="tag" value="prod"/>');
    expect(text).toMatch(/check 600<.*check 599<.*Later outages/s);
  });

  test('leads from a check to its outages, with the causes at a glance', async () => {
    const { text } = await app(monthsOf('shop', october)).get('/report');
    const [, path = ''] = /href="\.(\/report[^"]*check=2)#outages"/.exec(text) ?? [];
    expect(text).toContain('<small><bdi>Timeout; @cause</bdi></small>');

    const selected = await app(monthsOf('shop', october)).get(path.replaceAll('&amp;', '&'));
    const words = selected.text.replaceAll(/<[^>]*>/g, ' ');
    expect(words).toMatch(/Only +account shop, check 2 *; +the whole month/);
    expect(words).toContain('1 of 1 check or transaction missed the objective.');
    expect(words).toContain('counted in another month');
    expect(words).not.toContain('in maintenance');
    const { body } = await app(monthsOf('shop', october)).get('/report.json?check=2');
    expect(body.groups).toEqual([]);
  });

  test('leads from a day to its outages', async () => {
    const { text } = await app(monthsOf('shop', october)).get('/report');
    expect(text).toContain('aria-label="29 days no downtime; 2 days more"');
    const [, path = ''] =
      /href="\.(\/report[^"]*check=2&amp;day=2026-10-04)#outages"/.exec(text) ?? [];
    const selected = await app(monthsOf('shop', october)).get(path.replaceAll('&amp;', '&'));
    expect(selected.text.replaceAll(/<[^>]*>/g, ' ')).toMatch(
      /Only +account shop, check 2, outages of 2026-10-04/,
    );
    expect(selected.text).toContain('2026-10-04 10:00 UTC');
    expect(selected.text).not.toContain('2026-09-30 23:00 UTC');
    const { body } = await app(monthsOf('shop', october)).get('/report.json?day=2026-10-01');
    expect(body.outages).toMatchObject([{ from: '2026-09-30T23:00:00Z' }]);
  });

  test('links to what exists now, and names what was removed', async () => {
    const { text } = await app(monthsOf('shop', october)).get('/report');
    expect(text).toContain('href="./accounts/shop/checks/2"');
    expect(text).toContain('href="./groups/shop?account=shop"');
    expect(text).toContain('<bdi>maintained</bdi>');
    expect(text).not.toContain('checks/4"');
  });

  test('is complete as CSV, in which no cell is a formula', async () => {
    const many = Array.from({ length: 1_000 }, (_, place) => record(100 + place, `c${place}`));
    const { text, headers } = await app(monthsOf('shop', [...october, ...many])).get('/report.csv');
    expect(headers['content-disposition']).toBe('attachment; filename="report-2026-10.csv"');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toMatch(
      /^\ufeffmonth,time_zone,kind,account,id,name,groups,tags,items,availability,/,
    );
    expect(lines).toHaveLength(1 + 5 + 1_000);
    expect(lines.find((one) => one.includes(',paused,'))).toContain(',1,,0.999,,,0,0,');
    expect(lines[1]).toContain(`,2,"'=HYPERLINK(""https://evil.example"")",shop,`);
    const outages = await app(monthsOf('shop', october)).get('/report-outages.csv');
    expect(outages.text).toContain(`"Timeout; '@cause"`);
    expect(outages.text.split('\r\n')[2]).toContain(`"'=HYPERLINK`);
  });

  test.each([
    ['account=b', ['only b']],
    ['group=shop', ['=HYPERLINK("https://evil.example")', 'flawless']],
    ['tag=prod', ['flawless']],
    ['check=2', ['=HYPERLINK("https://evil.example")']],
    ['check=PAUSED&check=2&account=a', ['=HYPERLINK("https://evil.example")', 'paused']],
  ])('with %s has %j', async (query, names) => {
    const accounts = [monthsOf('a', october), monthsOf('b', [record(9, 'only b')])];
    const { body } = await app(...accounts).get(`/report.json?${query}`);
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  test('refuses a group that no check of the month has, and names those that are', async () => {
    const accounts = [monthsOf('a', october), monthsOf('b', [record(9, 'only b')])];
    expect(await app(...accounts).get('/report?group=shpo')).toMatchObject({
      status: 400,
      text: 'unknown group of October 2026 "shpo": expected one of shop.\n',
    });
    const { status, text } = await app(...accounts).get('/report.json?group=shop&account=b');
    expect([status, text]).toEqual([400, 'unknown group of October 2026 "shop": there is none.\n']);
  });

  test('has semicolons and decimal commas on request', async () => {
    const { text } = await app(monthsOf('shop', october)).get('/report.csv?csv=semicolon');
    expect(text).toContain('month;time_zone;kind;account');
    expect(text).toMatch(/;0,99\d+;0,999;false;/);
  });

  test('of the present month says that it goes on', async () => {
    const { text } = await app(monthsOf('shop', october)).get('/report?month=2026-11');
    expect(text).toContain('November 2026');
    expect(text).toContain(
      'Counted until 2026-12-01 00:00 UTC, with the names, groups and objectives of now.',
    );
  });

  test('of the present month has an open outage as long as it is known', async () => {
    const countedUntilSeconds = Date.parse('2026-11-14T00:00Z') / 1000;
    const { toSeconds: _, ...open } = outage('2026-11-13T20:00Z', '2026-11-14T00:00Z');
    const seconds = { up: 13 * day - 14_400, down: 14_400, unknown: 0, unmonitored: 0 };
    const months = monthsOf('shop', [
      record(1, 'down now', { seconds, outages: [open], countedUntilSeconds }),
    ]);
    const { body } = await app(months).get('/report.json?month=2026-11');
    expect(body.items[0]).toMatchObject({ outages: 1, longest_outage_seconds: 14_400 });
    expect(body.outages[0]).toMatchObject({ seconds_in_month: 14_400 });
    const { text } = await app(months).get('/report?month=2026-11');
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain('at least 4 h');
    expect(text).not.toContain('in this month');
  });

  test('of the present month says of how much time its availability is', async () => {
    const seconds = { up: 4 * day, down: 0, unknown: 0, unmonitored: 0 };
    const unwatched = [{ fromSeconds: 0, toSeconds: 10 * day }];
    const months = monthsOf('shop', [record(1, 'seen late', { seconds, unwatched })]);
    const { text } = await app(months).get('/report?month=2026-11');
    expect(text).toContain('100 %<small>of 4 d</small>');
    expect(text).toContain('10 d not watched');
  });

  test.each(['', '.txt'])(
    '%s does not call a check untested of which nothing is known',
    async (form) => {
      const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
      const months = monthsOf('shop', [
        record(1, 'just seen', { seconds, unwatched: [{ fromSeconds: 0, toSeconds: 14 * day }] }),
      ]);
      const { text } = await app(months).get(`/report${form}?month=2026-11`);
      expect(text).toContain('not watched');
      expect(text).not.toContain('not tested');
    },
  );

  test('is marked among the links to the months', async () => {
    const { text } = await app(monthsOf('shop', october)).get('/report?month=2026-10');
    const marked = [...text.matchAll(/<a href="([^"]*)" aria-current=/g)].map(([, href]) => href);
    expect(marked).toEqual([expect.stringContaining('month=2026-10')]);
  });

  test('says that nothing is selected, not that nothing was recorded', async () => {
    const { text } = await app(monthsOf('shop', october)).get('/report?check=misspelt');
    expect(text).toContain('Nothing that is known of this month is selected.');
  });

  test('as a page names outages and missed objectives, escapes names, and has months by group', async () => {
    const { text } = await app(monthsOf('shop', october)).get('/report');
    expect(text).toContain('1 of 1 group and 1 of 5 checks and transactions missed the objective.');
    expect(text).toContain('young &lt;b>');
    expect(text).toContain('counted in another month');
    expect(text).toContain('href="./report.csv?month=2026-10"');
    expect(text).toMatch(/Months by group.*99\.9 %.*, met.*99\.\d+ %.*, missed/s);
    expect(text).toContain('aria-label="1 of 2 months met the objective"');
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain('Timeout; @cause');
  });

  test('says from when a check is known that was first seen up to 35 days later', async () => {
    const known = record(9, 'old', { firstSeenSeconds: Date.parse('2026-10-11T06:00Z') / 1000 });
    for (const path of ['/report', '/report.txt']) {
      const { text } = await app(monthsOf('shop', [known])).get(path);
      expect(text.replaceAll(/<[^>]*>/g, '')).toContain('known from 2026-10-11 06:00 UTC');
    }
  });

  test.each([
    ['month=2025-01', 'month must be one of 2026-09, 2026-10, 2026-11'],
    ['month=october', 'month must be one of'],
    ['account=other', 'unknown account "other"'],
    ['day=2026-11-01', 'day must be one of 2026-10-01 to 2026-10-31'],
    ['tag=', 'tag must not be empty'],
    ['by=size', 'unknown by "size": expected one of time, check'],
    ['week=1', 'unknown parameter "week"'],
  ])('refuses %s', async (query, message) => {
    const { status, text } = await app(monthsOf('shop', october)).get(`/report?${query}`);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(message) });
  });

  test('without any month shows that nothing was recorded', async () => {
    const { text, status } = await app().get('/report');
    expect(status).toBe(200);
    expect(text).toContain('No check or transaction was counted in this month.');
  });
});
