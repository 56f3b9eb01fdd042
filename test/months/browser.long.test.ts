import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type RunningServer } from '../../src/http/server/listen.ts';
import type { Month } from '../../src/lib/month-calendar.ts';
import { type BrowserPage, openChromium } from '../support/chromium.ts';
import {
  accessibilityFindings,
  brokenWords,
  faintTexts,
  keepScreenshot,
  overhang,
  viewports,
} from '../support/page-looks.ts';
import { missing } from '../support/tools.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { application, down, monthsOf, october, outage, record } from './support/october.ts';

/** A long name leaves room for the other columns. Pixels. */
const widestName =
  "Math.max(...[...document.querySelectorAll('tr > th[scope=row]')].map((name) => name.clientWidth))";

describe.skipIf(missing('chromium'))('the report in a browser', () => {
  let page: BrowserPage;
  let server: RunningServer;

  beforeAll(async () => {
    const long = record(9, 'unbreakable'.repeat(30), down(50));
    const shop = monthsOf('shop', [...october, long]);
    server = await listen(application([shop]), '127.0.0.1:0', new VirtualClock());
    page = await openChromium();
  });
  afterAll(async () => {
    await page.close();
    await server.close(0);
  });

  test('has the times of its zone, whatever the zone of the reader', async () => {
    const months = monthsOf('shop', october, 'America/New_York');
    const elsewhere = await listen(application([months]), '127.0.0.1:0', new VirtualClock());
    const [viewport] = viewports;
    await page.open(`${elsewhere.url}/report`, { ...viewport, timeZone: 'Asia/Kolkata' });
    const times = "[...document.querySelectorAll('time')].map((time) => time.textContent)";
    const texts = await page.evaluate(times);
    expect(texts).toContain('2026-10-01 00:00 UTC-4');
    expect(JSON.stringify(texts)).not.toContain('+5:30');
    await elsewhere.close(0);
  });

  test('prints its tables as tables, without what cannot be clicked on paper', async () => {
    const paper = { width: 700, height: 900, scheme: 'light', media: 'print' } as const;
    await page.open(`${server.url}/report`, paper);
    const shown = (selector: string) =>
      `getComputedStyle(document.querySelector('${selector}')).display`;
    expect(await page.evaluate(shown('.stack thead'))).toBe('table-header-group');
    expect(await page.evaluate(shown('.stack td'))).toBe('table-cell');
    expect(await page.evaluate(shown('main > nav'))).toBe('none');
    expect(await page.evaluate(overhang)).toBe(0);
  });

  test.each(viewports)(
    'fits the width, legible, without findings of axe, on $name',
    async ({ name, ...viewport }) => {
      await page.open(`${server.url}/report`, viewport);

      await keepScreenshot(`report-${name}`, page);
      expect(await page.evaluate(overhang)).toBe(0);
      if (viewport.width > 1_000) {
        expect(await page.evaluate(widestName)).toBeLessThan(viewport.width * 0.42);
      }
      expect(await page.evaluate(faintTexts)).toEqual([]);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(page.complaints).toEqual([]);
    },
  );

  test.each([768, 900, 1_024])('fits %d pixels with all of its columns', async (width) => {
    const all = october.map((one, place) => ({
      ...one,
      seconds: { ...one.seconds, unknown: 3_000 },
      maintenance: { up: 7_200, down: 0, unknown: 0, unmonitored: 0 },
      responseTimes: { hours: 200, tests: 200, milliseconds: 200 * (300 + place), slowestDay: 3 },
      outages: [
        outage('2026-10-04T10:00Z', '2026-10-04T11:30Z', { causes: ['Connection refused'] }),
      ],
    }));
    const months = monthsOf('shop', all);
    const full = { ...months, recordsOf: async (read: readonly Month[]) => read.map(() => all) };
    const wide = await listen(application([full]), '127.0.0.1:0', new VirtualClock());
    await page.open(`${wide.url}/report`, { width, height: 900, scheme: 'light' });
    await keepScreenshot(`report-wide-${width}`, page);
    expect(
      await page.evaluate('document.querySelectorAll("table.report thead th").length'),
    ).toBeGreaterThan(20);
    expect(await page.evaluate(overhang)).toBe(0);
    expect(await page.evaluate(brokenWords)).toEqual([]);
    expect(await accessibilityFindings(page)).toEqual([]);
    await wide.close(0);
  });

  test('has a mail whose text keeps its size on a phone, beside wide tables and long words', async () => {
    const phone = { width: 360, height: 740, scheme: 'light' } as const;
    await page.open(`${server.url}/report.html?whole=true`, phone);
    await keepScreenshot('mail-phone', page);
    expect(await page.evaluate(overhang)).toBe(0);
    expect(await page.evaluate(widestName)).toBeLessThan(200);
  });
});
