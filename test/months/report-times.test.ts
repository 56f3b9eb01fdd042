import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { application, monthsOf, october, record } from './support/october.ts';

const at = (text: string) => Date.parse(text) / 1000;
const afterwards = { share: 'part', atSeconds: at('2026-11-01T03:30Z') } as const;
const records = [
  ...october,
  record(6, 'made in October', {
    createdAtSeconds: at('2026-10-02T03:30Z'),
    removedAtSeconds: at('2026-10-31T03:30Z'),
    readAfterwards: afterwards,
  }),
];
const app = application([monthsOf('shop', records, 'America/New_York')]);
const get = async (path: string) => (await request(app).get(path)).text;

describe('the report of a month of another time zone', () => {
  test('has every time of its page in this zone, whatever the zone of the reader', async () => {
    const html = await get('/report');
    const times = [...html.matchAll(/<time ([^>]*)>([^<]*)</g)];
    expect(times.length).toBeGreaterThan(5);
    for (const [, attributes = '', text = ''] of times) {
      expect(attributes).toContain('data-zoned');
      const [, dateTime = ''] = /dateTime="([^"]*)"/i.exec(attributes) ?? [];
      const iso = text.replace(/ UTC-(\d)$/, '-0$1:00').replace(' ', 'T');
      expect(at(iso), text).toBe(at(dateTime));
    }
    expect(html).toContain('>2026-10-01 00:00 UTC-4<');
    expect(html).toContain('read afterwards, on 2026-10-31');
    expect(html).not.toMatch(/UTC(?!-[45])/);
  });

  test('has every time of its text in this zone', async () => {
    const text = await get('/report.txt');
    expect(text).toContain('2026-10-01 00:00 UTC-4 to 2026-11-01 00:00 UTC-4');
    expect(text).toContain('  2026-10-04 06:00 UTC-4 ');
    expect(text).toMatch(
      / made in October: .*, created 2026-10-01 23:30 UTC-4, removed 2026-10-30 23:30 UTC-4,/,
    );
    expect(text).not.toMatch(/UTC(?!-4)/);
  });

  test.each(['/report.csv', '/report-outages.csv', '/report.json'])(
    'has every time of %s in this zone, with its distance from UTC',
    async (path) => {
      const text = await get(path);
      const times = text.match(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g) ?? [];
      expect(times.length).toBeGreaterThan(2);
      for (const time of times) expect(time).toMatch(/-04:00$/);
    },
  );

  test('has the same outage at the same moment in each form', async () => {
    const [, outage = ''] = (await get('/report-outages.csv')).split('\r\n');
    expect(outage).toContain('2026-09-30T19:00:00-04:00');
    const { outages } = JSON.parse(await get('/report.json'));
    expect(outages[0].from).toBe('2026-09-30T19:00:00-04:00');
    expect(await get('/report.txt')).toContain('2026-09-30 19:00 UTC-4');
    expect(await get('/report')).toContain('2026-09-30 19:00 UTC-4');
  });
});
