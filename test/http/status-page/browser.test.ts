import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type RunningServer } from '../../../src/http/listen.ts';
import { type BrowserPage, openChromium } from '../../support/chromium.ts';
import { testApp } from '../../support/http-app.ts';
import { accountsByState, checkWith, healthySnapshot, noon } from '../../support/snapshots.ts';
import { missing } from '../../support/tools.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const hostileNames = [
  '</td><script>document.title="hacked"</script>',
  '<img src=x onerror="document.title=\'hacked\'">',
  '"\'><svg onload=document.title="hacked">',
  'gnitide\u202erorre',
  'a\nb',
  'unbreakable'.repeat(100),
  'שרת ראשי',
];

const hostile = {
  ...accountsByState.ok,
  snapshot: healthySnapshot({
    account: hostileNames[0] ?? '',
    baseUrl: `https://${'very-long-name.'.repeat(20)}example.com`,
    checks: hostileNames.map((name, index) =>
      checkWith({
        id: index + 1,
        name,
        hostname: name,
        status: index % 2 === 0 ? 'down' : 'unconfirmed_down',
        lastDownStartAtSeconds: noon - 90 * (index + 1),
      }),
    ),
  }),
};

const viewports = [
  { name: 'desktop', width: 1280, height: 900, scheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, scheme: 'dark' },
  { name: 'phone', width: 390, height: 844, scheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, scheme: 'dark' },
  { name: 'small-phone', width: 320, height: 568, scheme: 'light' },
] as const;

describe.skipIf(missing('chromium'))('the status page in a browser', () => {
  let server: RunningServer;
  let page: BrowserPage;

  beforeAll(async () => {
    const clock = new VirtualClock();
    const accounts = [...Object.values(accountsByState), hostile];
    server = await listen(testApp({ accounts, clock }), '127.0.0.1:0', clock);
    page = await openChromium();
  });

  afterAll(async () => {
    await page.close();
    await server.close(0);
  });

  test.each(viewports)('fits the width, styled, on $name', async ({ name, ...viewport }) => {
    await page.open(server.url, viewport);

    await keepScreenshot(name, page);
    expect(await page.evaluate('innerWidth')).toBe(viewport.width);
    expect(await page.evaluate(overhang)).toBe(0);
    expect(await page.evaluate(outsideTheirSection)).toEqual([]);
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('section')).borderRadius"),
    ).toBe('12px');
    expect(await page.evaluate(luminanceOfPage)).toBe(viewport.scheme);
  });

  test('runs no script and loads nothing, whatever the names say', async () => {
    await page.open(server.url, viewports[0]);

    expect(await page.evaluate('document.title')).toBe('uptime-exporter');
    expect(
      await page.evaluate("document.querySelectorAll('script,img,[onload],[onerror]').length"),
    ).toBe(0);
    expect(
      await page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.endsWith('/favicon.ico'))",
      ),
    ).toEqual([]);
    expect(page.complaints.filter((complaint) => !complaint.includes('favicon'))).toEqual([]);
  });

  test('shows a hostile name as the text it is', async () => {
    await page.open(server.url, viewports[0]);

    expect(
      await page.evaluate(
        "[...document.querySelectorAll('section:last-of-type tbody th bdi')].map(({ textContent }) => textContent)",
      ),
    ).toContain(hostileNames[0]);
  });

  test.each(['light', 'dark'] as const)('has enough contrast in %s mode', async (scheme) => {
    await page.open(server.url, { ...viewports[0], scheme });

    expect(await page.evaluate(faintTexts)).toEqual([]);
  });
});

/** With SCREENSHOTS=<folder>, what the browser showed is kept for people to look at. */
async function keepScreenshot(name: string, page: BrowserPage): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), await page.screenshot());
}

const overhang = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const outsideTheirSection = `[...document.querySelectorAll('section *')]
  .filter((element) => element.getBoundingClientRect().right > element.closest('section').getBoundingClientRect().right)
  .map((element) => element.outerHTML)`;

const luminanceOfPage = `getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)
  .reduce((sum, part) => sum + part) > 384 ? 'light' : 'dark'`;

/** Texts below the contrast of 4.5 to 1 that WCAG 2.2, success criterion 1.4.3, asks for. */
const faintTexts = `(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const luminance = ([red, green, blue]) =>
    0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  const background = (element) => {
    const colour = parts(getComputedStyle(element).backgroundColor);
    return colour[3] === 0 ? background(element.parentElement) : colour;
  };
  const hasText = ({ childNodes }) =>
    [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  return [...document.querySelectorAll('body *')].filter(hasText).filter((element) => {
    const levels = [parts(getComputedStyle(element).color), background(element)].map(luminance);
    return (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05) < 4.5;
  }).map((element) => element.outerHTML);
})()`;
