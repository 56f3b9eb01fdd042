import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { application, day, down, monthsOf, october, outage, record } from './support/october.ts';

/** What a mail program removes, or loads from elsewhere. */
const notKept = /<(script|style|link|img|svg|iframe|form|object)\b|\b(class|href|src|id)=/;

/** Names and causes of the service, at their longest. */
const nasty = ['"', '<', '&', '界', '😀'].map((sign) => sign.repeat(400));
const many = Array.from({ length: 2_000 }, (_, place) =>
  record(place, `${place} ${nasty[place % nasty.length]}`, {
    ...down(10 * place, [outage('2026-10-04T10:00Z', '2026-10-04T10:10Z', { causes: [...nasty] })]),
    tags: nasty,
    groups: [{ name: `g${place % 300} ${nasty[place % nasty.length]}`, ratio: 0.999 }],
  }),
);

async function mailOf(records: typeof october, query = ''): Promise<string> {
  const { text, status } = await request(application([monthsOf('shop', records)])).get(
    `/report.html${query}`,
  );
  expect(status).toBe(200);
  return text;
}

const words = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ');

describe('the report as HTML for a mail', () => {
  test('has the verdict, the groups and the checks, the worst first', async () => {
    const text = words(await mailOf(october));
    expect(text).toContain('October 2026');
    expect(text).toContain('1 of 1 group and 1 of 5 checks and transactions missed the objective.');
    expect(text).toContain('shop 2 checks 99.865 % 99.9 % missed by 30 min 44 s 2 h 1');
    expect(text).toMatch(/=HYPERLINK.*flawless.*maintained.*young <b>.*paused/);
    expect(text).toContain('100 % of 12 d');
  });

  test.each(['', '?whole=true'])(
    'with %j has only what mail programs keep, in lines that servers accept',
    async (query) => {
      const html = await mailOf([...october, ...many.slice(0, 200)], query);
      expect(html).not.toMatch(notKept);
      expect(html).not.toMatch(/<t[dh][^>]*><br>/);
      expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
      const longest = Math.max(...html.split('\n').map((line) => Buffer.byteLength(line)));
      expect(longest).toBeLessThanOrEqual(998);
    },
  );

  test('can be read where a program breaks no words and knows no padding of tables', async () => {
    const word = 'Verylongname'.repeat(7);
    const html = await mailOf([...october, record(6, `${word} & ${word}`, down(20_000))]);
    expect(html.replaceAll('<wbr>', '').split(word)).toHaveLength(3);
    const parts = [...html.matchAll(/\w+(?=[^<>]*<)/g)].map(([part]) => part.length);
    expect(Math.max(...parts)).toBe(24);
    const cells = [...html.matchAll(/<t[hd]\b[^>]*>/g)].map(([cell]) => cell);
    expect(cells.filter((cell) => !/padding/.test(cell))).toEqual([]);
  });

  test('is at most 90 kB, whatever the account has, and says what it leaves out', async () => {
    const html = await mailOf(many);
    expect(Buffer.byteLength(html)).toBeLessThan(90_000);
    expect(words(html)).toContain('1999 ');
    expect(words(html)).toMatch(/and 2\d\d more/);
    expect(words(html)).toContain('and 1,990 more');
    expect(html.trimEnd()).toMatch(/<\/html>$/);
  });

  test('with whole=true has everything', async () => {
    const html = await mailOf(many.slice(0, 500), '?whole=true');
    const text = words(html);
    expect(text).not.toMatch(/and [\d,]+ more/);
    for (const place of [0, 300, 499]) expect(text).toContain(` ${place} `);
    expect(text.match(/2026-10-04 10:00 UTC/g)).toHaveLength(500);
  });

  test.each([
    ['', true],
    ['?check=no+such+check', false],
    ['?from=2026-09&to=2026-10', false],
  ])('with %j explains the letters of days: %s', async (query, isExplained) => {
    expect(words(await mailOf(october, query)).includes('Days: . no')).toBe(isExplained);
  });

  test('has a title for the subject of the mail', async () => {
    expect(await mailOf(october)).toContain(
      '<title>October 2026: 1 of 1 group and 1 of 5 checks and transactions missed the objective. 1 is not decided. 1 was not tested.</title>',
    );
  });

  test('refuses another value of whole', async () => {
    const { status, text } = await request(application([monthsOf('shop', october)])).get(
      '/report.html?whole=1',
    );
    expect({ status, text }).toEqual({
      status: 400,
      text: 'unknown whole "1": expected one of true, false.\n',
    });
  });
});

describe('each form for programs', () => {
  test.each(['html', 'txt', 'json', 'csv'])(
    'says in a header how many items are awaited (.%s)',
    async (form) => {
      const awaited = [{ fromSeconds: 0, toSeconds: day }];
      const months = monthsOf('shop', [...october, record(6, 'awaited', { awaited })]);
      const app = request(application([months]));
      const { headers } = await app.get(`/report.${form}`);
      expect(headers['x-awaited-items']).toBe('1');
      const others = await app.get(`/report.${form}?check=flawless`);
      expect(others.headers).not.toHaveProperty('x-awaited-items');
    },
  );

  test('awaits the last tests of a month that has just ended', async () => {
    const seconds = { up: 31 * day - 60, down: 0, unknown: 0, unmonitored: 0 };
    const countedUntilSeconds = Date.UTC(2026, 10) / 1000 - 60;
    const months = {
      ...monthsOf('shop', [record(6, 'late', { seconds, countedUntilSeconds })]),
      phaseOf: () => 'partial' as const,
    };
    const { headers } = await request(application([months])).get('/report.json?month=2026-10');
    expect(headers['x-awaited-items']).toBe('1');
  });
});
