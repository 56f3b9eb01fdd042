import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type BrowserPage, openChromium } from '../support/chromium.ts';
import { startDemo } from '../support/exporter-command.ts';
import { faintTexts, overhang } from '../support/page-looks.ts';
import { missing } from '../support/tools.ts';

/** With PICTURES=<folder>, the pictures of the documentation are written there. */
const folder = process.env.PICTURES;

async function keep(name: string, picture: Buffer): Promise<void> {
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), picture);
}

/** A new user must see this soon; on an idle machine within the first minute. */
const firstSights = {
  strips: 'document.querySelectorAll(\'.items .strip[aria-label*="% up"]\').length >= 20',
  sparklines: "document.querySelectorAll('.items .spark').length >= 20",
  outage: "document.querySelector('#outages + div')?.textContent.includes('going on') === true",
  causes:
    "[...document.querySelectorAll('[data-live=outages] tr')].some(({ textContent }) => /[3-9] h .*(?:Timeout|DNS|HTTP|Connection)/.test(textContent))",
  rows: "document.querySelectorAll('.items tbody tr').length === 27",
  groups: "document.querySelectorAll('.groups tbody tr').length >= 4",
  forecast:
    "document.querySelector('.windows').textContent.match(/are left at the reset/g)?.length === 2",
};

/** Leaves the state tiles and the first rows with their strips: the picture of the README. */
const firstRows = `(() => {
  const hidden = [
    ...document.querySelectorAll('.overview > :not(.at-now), .at-now table, #list, form, footer'),
    ...document.querySelectorAll('section:has(#operators), .items tbody tr:nth-child(n + 8)'),
  ];
  for (const element of hidden) element.style.display = 'none';
})()`;

const publicPage = { width: 900, height: 760, scheme: 'light' } as const;
const desktop = { width: 1280, height: 1180 } as const;
const phone = { width: 390, height: 844 } as const;
const looks = [
  { name: '', ...desktop, scheme: 'light' },
  { name: '-dark', ...desktop, scheme: 'dark' },
  { name: '-phone', ...phone, scheme: 'light' },
] as const;

test.skipIf(missing('chromium'))('the demo shows a new user what there is to see', async () => {
  const page = await openChromium();
  onTestFinished(() => page.close());
  const startedAt = performance.now();
  const demo = await startDemo();
  expect(demo.output().split('\n')[0]).toMatch(/^Welcome\. /);
  // Node.js warns of leaks, among others.
  expect(demo.output()).not.toContain('Warning');
  expect(demo.output().indexOf('Three things to try')).toBeLessThan(
    demo.output().indexOf('level='),
  );
  await expectEveryStatus(demo.url);
  await expectSights(page, `${demo.url}/`, startedAt);
  await expectLinksThatLeadSomewhere(`${demo.url}/`);
  await expectMonths(page, `${demo.url}/`);
  await page.open(`${demo.url}/status/shop`, publicPage);
  expect(await page.evaluate("document.querySelectorAll('.services > li').length >= 4")).toBe(true);
  await expectReadable(page);
  await keep('public-page', await page.screenshot());

  for (const { name, ...viewport } of looks) {
    await page.open(`${demo.url}/`, viewport);
    await expectReadable(page);

    await page.open(`${demo.url}/?q=Catalogue+API`, viewport);
    const href = await page.evaluate("document.querySelector('.items tbody th a').href");
    await page.open(String(href), viewport);
    await page.until("document.querySelector('.uplot') !== null");
    if (name === '') await keep('check-page', await page.screenshot());
    await expectReadable(page);
  }

  await page.open(`${demo.url}/?window=7d`, { width: 1280, height: 918, scheme: 'light' });
  await page.evaluate(firstRows);
  await keep('status-page', await page.screenshot());
  await page.open(`${demo.url}/`, { ...desktop, scheme: 'light' });
  await page.click('#account-1 > summary');
  await page.until("document.querySelector('#account-1').open");
  await expectReadable(page);
  expect(page.complaints).toEqual([]);
});

async function expectSights(page: BrowserPage, url: string, startedAt: number) {
  const passed = () => (performance.now() - startedAt) / 1000;
  for (const [what, isThere] of Object.entries(firstSights)) {
    const seen = async () => {
      await page.open(url, { ...desktop, scheme: 'light' });
      return page.evaluate(isThere);
    };
    await expect.poll(seen, { message: what }).toBe(true);
    process.stdout.write(`demo: ${what} after ${passed().toFixed(1)} s\n`);
  }
}

/** The first failed test of a check stays unconfirmed for five minutes. */
async function expectEveryStatus(url: string): Promise<void> {
  const statuses = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const now = [...metrics.matchAll(/^uptime_check_status\{.*status="(\w+)".*\} 1$/gm)];
    return { checks: now.length, statuses: [...new Set(now.map(([, status]) => status))].sort() };
  };
  await expect.poll(statuses, { message: 'statuses' }).toEqual({
    checks: 24,
    statuses: ['down', 'paused', 'unconfirmed_down', 'unknown', 'up'],
  });
}

/** Which services missed their objective last month, and when were they down? And a month that was read afterwards. */
async function expectMonths(page: BrowserPage, url: string): Promise<void> {
  await page.open(url, { ...desktop, scheme: 'light' });
  await page.click('header nav a[href="./report"]');
  await page.until("location.pathname === '/report'");
  // Three complete months at least, and the present one.
  const months = "document.querySelectorAll('nav[aria-label=Months] li').length >= 4";
  const haveMonths = async () => {
    await page.open(`${url}report`, { ...desktop, scheme: 'light' });
    return page.evaluate(months);
  };
  await expect.poll(haveMonths, { message: 'months' }).toBe(true);
  const missed = "document.querySelectorAll('tbody .badge.bad').length >= 1";
  expect(await page.evaluate(missed)).toBe(true);
  await keep('report-page', await page.screenshot());
  const worst = 'table[aria-label="Checks and transactions"] tbody tr';
  const why = await page.evaluate(`document.querySelector('${worst}').textContent`);
  expect(why).toMatch(/missed\s*by/);
  const outages = "document.querySelectorAll('table[aria-label=Outages] tbody tr').length >= 20";
  expect(await page.evaluate(outages)).toBe(true);
  await expectReadable(page);
  // On the first day of a month, the last day of the month before was watched.
  await page.click('nav[aria-label=Months] li:last-child a');
  await page.until(
    "document.querySelector('main').textContent.includes('Read afterwards: with the names')",
  );
}

async function expectLinksThatLeadSomewhere(url: string): Promise<void> {
  const html = await (await fetch(url)).text();
  const links = [...html.matchAll(/href="(\.\/[^"]*)"/g)].map(([, path = '']) => path);
  const [check] = links.filter((path) => path.includes('/checks/'));
  const checkUrl = new URL(check ?? '', url).href;
  const ofCheck = [...(await (await fetch(checkUrl)).text()).matchAll(/href="([^"#?][^"]*)"/g)];
  const addresses = [
    ...links.map((path) => new URL(path, url).href),
    ...ofCheck.map(([, path = '']) => new URL(path, checkUrl).href),
  ];
  for (const address of new Set(addresses)) {
    const { status } = await fetch(address.replaceAll('&amp;', '&'));
    expect([address, new URL(address).hostname, status]).toEqual([address, '127.0.0.1', 200]);
  }
}

async function expectReadable(page: BrowserPage): Promise<void> {
  expect(await page.evaluate(overhang)).toBe(0);
  expect(await page.evaluate(faintTexts)).toEqual([]);
}
