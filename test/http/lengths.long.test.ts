import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type RunningServer } from '../../src/http/server/listen.ts';
import { groupRow } from '../../src/slo/groups.ts';
import { type BrowserPage, openChromium } from '../support/chromium.ts';
import { casesOf } from '../support/extent.ts';
import { testApp } from '../support/http-app.ts';
import { livelyAccount } from '../support/lively-account.ts';
import {
  brokenWords,
  keepScreenshot,
  outsideTheirSection,
  overhang,
} from '../support/page-looks.ts';
import { missing } from '../support/tools.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const names = [
  'https://www.shop.example.com/checkout/payment/confirm?session=test&lang=en',
  'x'.repeat(65),
  'ab',
  '監視対象のサービスの非常に長い名前は折り返しの位置がどこにもありません',
  '🧯🚒🔥'.repeat(15),
  'שרת התשלומים הראשי של החנות המקוונת באירופה המערבית',
  'Checkout of the shop in several words that can be broken anywhere between them',
];
const nameOf = (place: number) => names[place % names.length] ?? '';

/** An account in which every text of the service has a hostile length. */
function longAccount(place: number) {
  const { snapshot, ...status } = livelyAccount(21, { down: [1, 2, 3, 4, 5, 6, 7] });
  const checks = snapshot.checks?.map((check) => ({
    ...check,
    name: nameOf(check.id),
    hostname: `${nameOf(check.id + 1)}.example.com`,
    tags: names.map((name) => ({ name, source: 'user' as const })),
    maintenance: { active: check.id % 3 === 0 },
    ...(check.id === 2 && check.budget && { budget: { ...check.budget, remainingRatio: -1 } }),
    ...(check.id === 8 && { status: 'unconfirmed_down' as const }),
  }));
  const groups = names.map((name, at) =>
    groupRow(
      name,
      (at === 1 ? [8, 15] : [at + 1, at + 8]).map((id) => ({
        id,
        status: (['down', 'unconfirmed_down', 'unknown', 'up'] as const)[at % 4] ?? 'up',
        seconds:
          at === 5 ? {} : { '30d': { up: 2_000_000, down: 500_000 }, '1h': { up: 0, down: 3_600 } },
        hasOpenOutage: at !== 1,
      })),
      { ratio: 0.9995, reason: 'default' },
    ),
  );
  const transactions = snapshot.transactions?.map((row, at) => ({
    ...row,
    name: nameOf(at + 2),
    tags: names.map((name) => ({ name, source: 'user' as const })),
    performance: row.performance && {
      ...row.performance,
      steps: names.map((fn) => ({ fn, averageResponseTimeSeconds: 1.2 })),
    },
  }));
  const past = {
    ofCheck: (id: number) => {
      const known = status.past?.ofCheck(id);
      return (
        known && {
          ...known,
          outages: known.outages.map((outage) => ({
            ...outage,
            causes: [nameOf(id), nameOf(id + 3)],
          })),
        }
      );
    },
    ofTransaction: (id: number) => status.past?.ofTransaction(id),
  };
  return {
    ...status,
    past,
    snapshot: {
      ...snapshot,
      account: nameOf(place),
      checks,
      groups,
      transactions,
      groupsLeftOut: names,
    },
  } as never as ReturnType<typeof livelyAccount>;
}

/** Cells whose content leaves them, and which do not cut it off. */
const leavingTheirCell = `[...document.querySelectorAll('th, td')]
  .filter((cell) => getComputedStyle(cell).overflowX === 'visible' && cell.checkVisibility())
  .filter((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return [...cell.querySelectorAll('*')].some((inside) => {
      for (let around = inside.parentElement; around !== cell; around = around.parentElement) {
        if (getComputedStyle(around).overflowX !== 'visible') return false;
      }
      const place = inside.getBoundingClientRect();
      return place.width > 0 && (place.right > right + 1 || place.left < left - 1);
    });
  })
  .map(({ outerHTML }) => outerHTML.slice(0, 160)).slice(0, 2)`;

/** Visible texts that touch the next cell of their row. */
const touchingTexts = `[...document.querySelectorAll('tr > :not(:last-child)')]
  .filter((cell) => cell.checkVisibility() && cell.nextElementSibling.offsetTop === cell.offsetTop)
  .filter((cell) => {
    const isCutOff = (element) => element !== cell
      && (getComputedStyle(element).overflowX !== 'visible' || isCutOff(element.parentElement));
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const range = new Range();
      range.selectNodeContents(text);
      const { width, right } = range.getBoundingClientRect();
      if (width > 0 && right > cell.getBoundingClientRect().right - 2
        && !isCutOff(text.parentElement) && getComputedStyle(cell).overflowX === 'visible') return true;
    }
    return false;
  })
  .map(({ outerHTML }) => outerHTML.slice(0, 160)).slice(0, 2)`;

/** Cells with words that are so narrow that a word takes a line for each letter or two. */
const narrowCells = `[...document.querySelectorAll('tbody th, tbody td')]
  .filter((cell) => cell.checkVisibility() && cell.textContent.trim().length > 12)
  .filter((cell) => cell.clientWidth < 64)
  .map(({ outerHTML }) => outerHTML.slice(0, 160)).slice(0, 2)`;

/** Names above the other cells of their row that do not have its whole width. */
const narrowNames = `[...document.querySelectorAll('.stack tbody th')]
  .filter(({ clientWidth, parentElement }) => clientWidth < parentElement.clientWidth)
  .map(({ outerHTML }) => outerHTML.slice(0, 160)).slice(0, 2)`;

/** The number of rows of tiles. */
const tileRows = `new Set([...document.querySelectorAll('.tile')].map(({ offsetTop }) => offsetTop)).size`;

const widths = [320, 390, 768, 961, 1_024, 1_366, 1_920];
const paths = [
  '',
  'groups',
  `groups/${encodeURIComponent(nameOf(0))}`,
  `groups/${encodeURIComponent(nameOf(4))}`,
  'outages',
  'budget',
  `accounts/${encodeURIComponent(nameOf(0))}/checks/2`,
  `accounts/${encodeURIComponent(nameOf(0))}/checks/9`,
  `accounts/${encodeURIComponent(nameOf(1))}/transactions/501`,
];

describe.skipIf(missing('chromium'))('names of hostile lengths in every table', () => {
  let page: BrowserPage;
  let server: RunningServer;

  beforeAll(async () => {
    const clock = new VirtualClock();
    const accounts = [longAccount(0), longAccount(1)];
    server = await listen(
      testApp({ status: { accounts: () => accounts }, clock }),
      '127.0.0.1:0',
      clock,
    );
    page = await openChromium();
  });
  afterAll(async () => {
    await page.close();
    await server.close(0);
  });

  test.each(paths)('fit on /%s at several widths, and every column can be read', async (path) => {
    for (const width of casesOf(widths, 0, 2, 5)) {
      await page.open(`${server.url}/${path}`, { width, height: 900, scheme: 'light' });
      await page.evaluate(
        "for (const details of document.querySelectorAll('details')) details.open = true",
      );
      await keepScreenshot(`lengths-${paths.indexOf(path)}-${width}`, page);
      expect.soft(await page.evaluate(overhang), `${width}`).toBe(0);
      expect
        .soft(
          await page.evaluate(
            `${outsideTheirSection}.map((html) => html.slice(0, 160)).slice(0, 2)`,
          ),
          `${width}`,
        )
        .toEqual([]);
      expect.soft(await page.evaluate(leavingTheirCell), `${width}`).toEqual([]);
      expect.soft(await page.evaluate(touchingTexts), `${width}`).toEqual([]);
      const narrow = width >= 768 ? narrowCells : narrowNames;
      expect.soft(await page.evaluate(narrow), `${width}`).toEqual([]);
      if (width >= 768) expect.soft(await page.evaluate(brokenWords), `${width}`).toEqual([]);
    }
  });

  test('are in tables from 768 pixels on', async () => {
    await page.open(server.url, { width: 768, height: 900, scheme: 'light' });
    const display = "getComputedStyle(document.querySelector('.groups tr')).display";
    expect(await page.evaluate(display)).toBe('table-row');
    expect(await page.evaluate(tileRows)).toBe(1);
    await page.open(server.url, { width: 767, height: 900, scheme: 'light' });
    expect(await page.evaluate(display)).toBe('block');
  });
});
