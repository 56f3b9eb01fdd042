import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountStatus, ConfigurationSource } from '../../src/http/ports.ts';
import { listen, type RunningServer } from '../../src/http/server/listen.ts';
import { present } from '../../src/lib/present.ts';
import { type BrowserPage, openChromium } from '../support/chromium.ts';
import { extent } from '../support/extent.ts';
import { testApp } from '../support/http-app.ts';
import { livelyAccount } from '../support/lively-account.ts';
import {
  accessibilityFindings,
  faintTexts,
  keepScreenshot,
  luminanceOfPage,
  outsideTheirSection,
  overhang,
  viewports,
} from '../support/page-looks.ts';
import {
  accountsByState,
  checkWith,
  healthySnapshot,
  noon,
  refusedAccount,
} from '../support/snapshots.ts';
import { missing } from '../support/tools.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const hostileNames = [
  '</td><script>document.title="hacked"</script>',
  '<img src=x onerror="document.title=\'hacked\'">',
  '"\'><svg onload=document.title="hacked">',
  'gnitide\u202erorre',
  'a\nb',
  'unbreakable'.repeat(100),
  'שרת ראשי',
  'ה'.repeat(300),
];

const hostile = {
  ...livelyAccount(1),
  plan: {
    requestsPerSecond: 0.3,
    shortfall: {
      datasets: ['checks', 'results', 'performance'],
      missingPerHour: 1_200,
      switchOff: ['results', 'performance'],
      enough: false,
    },
  },
  snapshot: healthySnapshot({
    account: hostileNames[0] ?? '',
    baseUrl: `https://${'very-long-name.'.repeat(20)}example.com`,
    transactions: hostileNames.map((name, index) => ({
      id: index + 1,
      name,
      status: 'failing',
      kind: 'script',
      failingStep: index,
      tags: [{ name, source: 'user' }],
    })),
    checks: hostileNames.map((name, index) =>
      checkWith({
        ...{ id: index + 1, name, hostname: name, tags: [{ name, source: 'user' }] },
        status: index % 2 === 0 ? 'down' : 'unconfirmed_down',
        lastDownStartAtSeconds: noon - 90 * (index + 1),
      }),
    ),
  }),
} satisfies AccountStatus;

/** A configuration whose reload failed. */
const refused: ConfigurationSource = {
  last: {
    succeededAtSeconds: noon - 7_200,
    failure: [
      '/etc/uptime-exporter/uptime.yaml:12:5: accounts[0].colour: unknown key',
      `/etc/uptime-exporter/uptime.yaml:14:11: ${hostileNames.join('').replaceAll('\n', '')}`,
    ].join('\n'),
  },
  reload: async () => refused.last,
  shown: () => 'accounts:\n  - name: <script>document.title="hacked"</script>\n',
};

const desktop = viewports[0];
const rowNames =
  "[...document.querySelectorAll('.items tbody th > a')].map(({ textContent }) => textContent)";
const count = (selector: string) => `document.querySelectorAll('${selector}').length`;

describe.skipIf(missing('chromium'))('the pages in a browser', () => {
  let page: BrowserPage;
  const clock = new VirtualClock();
  let accounts: AccountStatus[] = [];
  let server: RunningServer;

  beforeAll(async () => {
    const status = { accounts: () => accounts };
    const app = testApp({
      status,
      clock,
      configuration: refused,
      links: () => ({
        check: 'https://service.example.com/#check={id}',
        grafana: 'https://grafana.example.com',
      }),
    });
    server = await listen(app, '127.0.0.1:0', clock);
    page = await openChromium();
  });
  afterAll(async () => {
    await page.close();
    await server.close(0);
  });
  afterEach(() => expect(page.complaints).toEqual([]));

  describe('with every state of an account and hostile names', () => {
    beforeEach(() => {
      accounts = [...Object.values(accountsByState), refusedAccount, hostile];
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
      expect(await page.evaluate(faintTexts)).toEqual([]);
    });

    test('fits at 200 % zoom', async () => {
      await page.open(server.url, { width: 640, height: 450, scheme: 'light' });

      expect(await page.evaluate(overhang)).toBe(0);
      expect(await page.evaluate(outsideTheirSection)).toEqual([]);
    });

    test('runs its own script alone, and loads its own files, whatever the names say', async () => {
      await page.open(server.url, desktop);

      expect(await page.evaluate('document.title')).toMatch(/uptime-exporter$/);
      expect(await page.evaluate(count('script:not([src]),img,[onload],[onerror]'))).toBe(0);
      const loaded = await page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
      );
      expect(loaded).toEqual(expect.arrayContaining([expect.stringMatching(/^\/assets\/page-/)]));
      expect((loaded as string[]).filter((path) => !/^\/(assets|favicon)/.test(path))).toEqual([]);
    });

    test('shows a hostile name as the text it is, and leads to its page', async () => {
      await page.open(`${server.url}/?q=%3C/td%3E`, desktop);
      expect(await page.evaluate(rowNames)).toContain(hostileNames[0]);

      await page.click('.items tbody th > a');
      await page.until("location.pathname.startsWith('/accounts/')");
      await page.until(
        "document.readyState === 'complete' && document.querySelector('h1') !== null",
      );
      expect(await page.evaluate("document.querySelector('h1').textContent")).toBe(hostileNames[0]);
      expect(await page.evaluate(overhang)).toBe(0);
      expect(await page.evaluate('document.title')).not.toBe('hacked');
    });

    test('first shows that the configuration was not reloaded, with every problem', async () => {
      await page.open(server.url, desktop);

      expect(
        await page.evaluate(
          "[...document.querySelector('main section').querySelectorAll('li')].map(({ textContent }) => textContent)",
        ),
      ).toEqual([
        expect.stringContaining('uptime.yaml:12:5: accounts[0].colour: unknown key'),
        expect.stringContaining('uptime.yaml:14:11: '),
      ]);
    });

    test('tells a screen reader what everything is', async () => {
      await page.open(server.url, desktop);
      const nodes = await page.accessibilityTree();
      const of = (...roles: string[]) => nodes.filter(({ role }) => roles.includes(role));

      for (const landmark of ['banner', 'main', 'contentinfo', 'search']) {
        expect(of(landmark)).toHaveLength(1);
      }
      const named = of('navigation', 'region', 'link', 'image', 'table', 'searchbox', 'combobox');
      expect(named.filter(({ name }) => name === '')).toEqual([]);
      const levels = of('heading').map(({ level = 0 }) => level);
      expect(levels.filter((level) => level === 1)).toHaveLength(1);
      expect(await accessibilityFindings(page)).toEqual([]);
    });
  });

  describe('with a lively account', () => {
    beforeEach(() => {
      accounts = [livelyAccount(60)];
    });

    test('is searched while one types, without losing the focus', async () => {
      await page.open(server.url, desktop);
      await page.click('#search');
      await page.type('check 12');
      await page.until(`JSON.stringify(${rowNames}) === '["check 12"]'`);

      expect(await page.evaluate('document.activeElement.id')).toBe('search');
      expect(await page.evaluate("document.querySelector('#search').value")).toBe('check 12');
      expect(await page.evaluate('location.search')).toBe('?q=check+12&size=50');
    });

    test('is filtered by state and tag, sorted and paged by clicking', async () => {
      await page.open(server.url, desktop);
      await page.evaluate(`(() => {
        const select = document.querySelector('#filter-tag');
        select.value = 'team:2';
        select.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
      await page.until(`${count('.items tbody tr')} === 12`);
      await page.click('#sort-response');
      await page.until(
        "document.querySelector('#sort-response').parentElement.ariaSort === 'ascending'",
      );
      expect(await page.evaluate('document.activeElement.id')).toBe('sort-response');
      await page.click('.tile a');
      await page.until(
        `${rowNames}.length > 0 && [...document.querySelectorAll('.items .state')].every(({ textContent }) => /Down/.test(textContent))`,
      );
      expect(await page.evaluate("document.querySelector('#filter-state').value")).toBe('down');

      await page.open(server.url, desktop);
      const first = await page.evaluate(rowNames);
      await page.click('#page-next');
      await page.until(
        `${rowNames}.length > 0 && ${rowNames}[0] !== ${JSON.stringify((first as string[])[0])}`,
      );
      await page.evaluate('history.back()');
      await page.until(`JSON.stringify(${rowNames}) === ${JSON.stringify(JSON.stringify(first))}`);
    });

    test('shows another time when it is asked to', async () => {
      await page.open(server.url, desktop);
      await page.click('#window-30d');
      await page.until("document.querySelector('.items .strip').ariaLabel.startsWith('Last 30d')");
      expect(await page.evaluate('location.search')).toBe('?window=30d');
    });

    test('refreshes without losing place, filter, focus or what is open', async () => {
      await page.open(`${server.url}/?q=check`, desktop);
      await page.click('#account-1 > summary');
      await page.click('#account-1-datasets > summary');
      await page.evaluate("document.querySelector('.items tbody tr:nth-child(9) th > a').focus()");
      const focused = await page.evaluate('document.activeElement.href');
      const place = 'document.activeElement.getBoundingClientRect().top';
      const before = Number(await page.evaluate(place));
      accounts = [livelyAccount(60, { down: [3, 4, 5, 6, 7] })];
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await page.until("document.title.startsWith('(6 down)')");

      expect(await page.evaluate('document.activeElement.href')).toBe(focused);
      expect(await page.evaluate("document.querySelector('#account-1').open")).toBe(true);
      expect(await page.evaluate("document.querySelector('#account-1-datasets').open")).toBe(true);
      expect(await page.evaluate("document.querySelector('#search').value")).toBe('check');
      expect(Math.abs(Number(await page.evaluate(place)) - before)).toBeLessThan(2);
    });

    test('says the time and the state of the bar under the pointer', async () => {
      await page.open(`${server.url}/?q=check+3&window=30d`, desktop);
      await page.until(`${count('.items .strip')} > 0`);
      const textAt = (share: number) =>
        page.evaluate(`(() => {
          const strip = document.querySelector('.items .strip');
          const { left, width, top } = strip.getBoundingClientRect();
          const at = { bubbles: true, clientX: left + width * ${share}, clientY: top + 2 };
          strip.dispatchEvent(new PointerEvent('pointermove', at));
          return document.querySelector('.tip').textContent;
        })()`);

      // Check 3 was down for ten minutes nine days ago, and has been down for 40 minutes.
      expect(await textAt(20.5 / 30)).toBe('2025-12-26 12:00 – 2025-12-27 12:00 UTC: up');
      expect(await textAt(21.5 / 30)).toBe('2025-12-27 12:00 – 2025-12-28 12:00 UTC: down 10 min');
      expect(await textAt(29.5 / 30)).toMatch(/: down 40 min$/);
    });

    test('shows times where the reader is, with UTC beside', async () => {
      const firstOutage = "document.querySelector('[data-live=outages] time').textContent";
      await page.open(server.url, { ...desktop, timeZone: 'Asia/Kolkata' });
      expect(await page.evaluate(firstOutage)).toBe('2026-01-05 16:50 UTC+5:30 11:20 UTC');
      await page.open(server.url, { ...desktop, timeZone: 'Pacific/Auckland' });
      expect(await page.evaluate(firstOutage)).toBe('2026-01-06 00:20 UTC+13 2026-01-05 11:20 UTC');
      await page.open(server.url, { ...desktop, timeZone: 'Asia/Kolkata', scripts: false });
      expect(await page.evaluate(firstOutage)).toBe('2026-01-05 11:20 UTC');
    });

    test('says in which zone a bar begins and ends when summer time ends in it', async () => {
      await page.open(server.url, { ...desktop, timeZone: 'Europe/Berlin' });
      await page.until(`${count('.items .strip')} > 0`);
      const textOf = (from: string, seconds: number) =>
        page.evaluate(`(() => {
          const strip = document.querySelector('.items .strip');
          strip.setAttribute('data-bars', '${Date.parse(from) / 1000}|${seconds}|1 up');
          const { left, top } = strip.getBoundingClientRect();
          const at = { bubbles: true, clientX: left + 2, clientY: top + 2 };
          strip.dispatchEvent(new PointerEvent('pointermove', at));
          return document.querySelector('.tip').textContent;
        })()`);

      expect(await textOf('2027-10-31T00:00:00Z', 1_800)).toBe('2027-10-31 02:00 – 02:30 CEST: up');
      expect(await textOf('2027-10-31T00:30:00Z', 1_800)).toBe(
        '2027-10-31 02:30 CEST – 02:00 CET: up',
      );
      expect(await textOf('2027-10-30T10:00:00Z', 86_400)).toBe(
        '2027-10-30 12:00 CEST – 2027-10-31 11:00 CET: up',
      );
    });

    test('shows the date of a time that was today before midnight', async () => {
      const firstOutage = "document.querySelector('[data-live=outages] time').textContent";
      const refreshAt = (now: string) =>
        page.evaluate(`(() => {
          globalThis.RealDate ??= Date;
          globalThis.Date = class extends RealDate {
            constructor(...given) {
              super(...(given.length === 0 ? ['${now}'] : given));
            }
          };
          document.dispatchEvent(new Event('visibilitychange'));
        })()`);
      await page.open(server.url, { ...desktop, timeZone: 'Asia/Kolkata' });
      await refreshAt('2026-01-05T23:59:50+05:30');
      await page.until(`${firstOutage} === '16:50 UTC+5:30 11:20 UTC'`);
      await refreshAt('2026-01-06T00:00:20+05:30');
      await page.until(`${firstOutage} === '2026-01-05 16:50 UTC+5:30 11:20 UTC'`);
    });

    test.each([
      ['', '.items'],
      ['groups', '[data-live=groups]'],
      ['outages', 'table[aria-label=Outages]'],
      ['budget', '.windows'],
    ])('leads to /%s by its header', async (path, content) => {
      await page.open(`${server.url}/checks/3`, desktop);
      await page.click(`header nav a[href="../../../${path}"]`);
      await page.until(`location.pathname === '/${path}'`);
      await page.until(`document.querySelector('${content}')?.checkVisibility() === true`);
    });

    test('is used with the keyboard alone', async () => {
      await page.open(server.url, desktop);
      await page.press('Tab');
      expect(await page.evaluate('document.activeElement.className')).toBe('skip');
      for (let presses = 0; presses < 60; presses++) {
        if ((await page.evaluate('document.activeElement.id')) === 'search') break;
        expect(
          await page.evaluate("getComputedStyle(document.activeElement).outlineStyle !== 'none'"),
        ).toBe(true);
        await page.press('Tab');
      }
      await page.type('check 42');
      await page.press('Enter');
      await page.until(`JSON.stringify(${rowNames}) === '["check 42"]'`);
      await page.evaluate("document.querySelector('.items tbody th > a').focus()");
      await page.press('Enter');
      await page.until("document.querySelector('h1')?.textContent === 'check 42'");
    });

    test('works without a script', async () => {
      await page.open(`${server.url}/?page=2&sort=name`, { ...desktop, scripts: false });
      expect(await page.evaluate(count('.items tbody tr'))).toBe(12);
      await page.click('#search');
      await page.type('check 42');
      await page.click('.filters button');
      await page.until(`JSON.stringify(${rowNames}) === '["check 42"]'`);
      expect(await page.evaluate(count('.items .strip'))).toBe(1);
    });

    test.each(['light', 'dark'] as const)('has a page for a check, %s', async (scheme) => {
      await page.open(`${server.url}/checks/3`, { ...desktop, scheme });

      await page.until("document.querySelector('.uplot canvas') !== null");
      expect(await page.evaluate('location.pathname')).toBe('/accounts/main/checks/3');
      const text = String(await page.evaluate('document.body.innerText')).replace(/\s+/g, ' ');
      for (const part of [
        'check 3',
        'Down for 40 min',
        'HTTP Error 503',
        'half were answered within 210 ms and 95 % within 480 ms',
        'Objective 99.9 % over 30 days',
        'uptime_check_up{account="main",check_id="3"}',
        'Counted until',
        '2 users, 1 team',
      ]) {
        expect(text).toContain(part);
      }
      const links = "[...document.querySelectorAll('.links a')].map(({ href }) => href)";
      expect(await page.evaluate(links)).toEqual([
        'https://service.example.com/#check=3',
        'https://grafana.example.com/d/uptime-check?var-account=main&var-check=3',
      ]);
      expect(await page.evaluate(faintTexts)).toEqual([]);
      expect(await accessibilityFindings(page)).toEqual([]);
    });

    test('prints what a reader of paper can use: no button, no query, no badge', async () => {
      const causes = {
        requests: () => 2,
        waitSeconds: () => 0,
        stateOf: () => undefined,
        ask: () => true,
      };
      accounts = accounts.map((account) => ({ ...account, causes }));
      const shown = () =>
        page.evaluate(
          "['.ask', '[aria-labelledby=queries]', '[aria-labelledby=badges]', 'h1'].map((part) => document.querySelector(part).checkVisibility())",
        );
      await page.open(`${server.url}/accounts/main/checks/3`, desktop);
      expect(await shown()).toEqual([true, true, true, true]);
      await page.open(`${server.url}/accounts/main/checks/3`, { ...desktop, media: 'print' });
      expect(await shown()).toEqual([false, false, false, true]);
    });

    test('shows the response times of another range', async () => {
      await page.open(`${server.url}/accounts/main/checks/3`, desktop);
      await page.click('#range-24h');
      await page.until("location.search === '?range=24h'");
      await page.until("document.querySelector('.uplot canvas') !== null");
      expect(await page.evaluate("document.querySelector('#range-24h').ariaCurrent")).toBe('true');
    });

    test('keeps the hours into which a reader has zoomed, also when their data change', async () => {
      await page.open(`${server.url}/accounts/main/checks/3`, desktop);
      await page.until("document.querySelector('.uplot canvas') !== null");
      const at = (share: number) => `(() => {
        const over = document.querySelector('.u-over');
        const { left, width, top } = over.getBoundingClientRect();
        return { clientX: left + width * ${share}, clientY: top + 20, movementX: 5, bubbles: true };
      })()`;
      const mouse = (type: string, share: number) =>
        page.evaluate(
          `document.querySelector('.u-over').dispatchEvent(new MouseEvent('${type}', ${at(share)}))`,
        );
      const hourAt = async (share: number) => {
        await mouse('mousemove', share);
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
        return String(
          await page.evaluate("document.querySelector('.u-legend .u-value').textContent"),
        );
      };
      const whole = await hourAt(0.9);
      await mouse('mousedown', 0.1);
      for (const share of [0.2, 0.3, 0.4]) await mouse('mousemove', share);
      await mouse('mouseup', 0.4);
      const zoomed = await hourAt(0.9);
      expect(Date.parse(zoomed)).toBeLessThan(Date.parse(whole));

      const [account] = accounts;
      if (account === undefined) throw new Error('no account');
      const past = account.past?.ofCheck(3);
      const quantiles = past?.quantiles && { ...past.quantiles, p50Seconds: 0.3 };
      const changed = past && { ...past, ...present({ quantiles }) };
      for (const shown of [past, changed]) {
        const ofCheck = () => shown;
        accounts = [{ ...account, past: { ofTransaction: ofCheck, ofCheck } }];
        await page.evaluate("document.title = 'old'");
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
        await page.until("document.title !== 'old'");
        expect(await hourAt(0.9)).toBe(zoomed);
      }
      await mouse('dblclick', 0.5);
      expect(await hourAt(0.9)).toBe(whole);
    });

    test('tells apart the hours of the night in which summer time ends', async () => {
      await page.open(`${server.url}/accounts/main/checks/3`, {
        ...desktop,
        timeZone: 'Europe/Berlin',
      });
      await page.until("document.querySelector('.uplot canvas') !== null");
      const midnight = Date.parse('2027-10-31T00:00:00Z') / 1000;
      const hours = Array.from({ length: 25 }, (_, place) => midnight + 3_600 * (place - 12));
      const chart = { columns: [hours, hours.map(() => 0.2)], quantiles: null };
      await page.evaluate(`(() => {
        const figure = document.querySelector('[data-chart]');
        const night = figure.cloneNode(false);
        night.setAttribute('data-chart', ${JSON.stringify(JSON.stringify(chart))});
        night.setAttribute('data-from', '${hours[0]}');
        night.setAttribute('data-to', '${hours.at(-1)}');
        figure.replaceWith(night);
        document.dispatchEvent(new Event('viewchange'));
      })()`);
      await page.until("document.querySelector('.uplot canvas') !== null");
      const hourAt = (place: number) =>
        page.evaluate(`(async () => {
          const over = document.querySelector('.u-over');
          const { left, width, top } = over.getBoundingClientRect();
          const clientX = left + (width * ${place}) / 24;
          const at = { clientX, clientY: top + 20, movementX: 5, bubbles: true };
          over.dispatchEvent(new MouseEvent('mousemove', at));
          await new Promise((resolve) => requestAnimationFrame(resolve));
          return document.querySelector('.u-legend .u-value').textContent;
        })()`);

      expect(await hourAt(12)).toBe('2027-10-31 02:00 CEST');
      expect(await hourAt(13)).toBe('2027-10-31 02:00 CET');
    });

    test('has a table of response times where no script runs', async () => {
      const url = `${server.url}/accounts/main/checks/3`;
      await page.open(url, { ...desktop, scripts: false });

      await page.click('#response-table summary');
      expect(await page.evaluate("document.querySelector('.chart').checkVisibility()")).toBe(false);
      expect(await page.evaluate(count('#response-table tbody tr'))).toBeGreaterThan(20);
    });

    test('fits beside its maintenance, whatever state its groups have', async () => {
      const account = livelyAccount(12);
      const checks = account.snapshot.checks?.map((row) => ({
        ...row,
        ...{ status: 'unconfirmed_down' as const, maintenance: { active: true } },
      }));
      const groups = account.snapshot.groups?.map((row) => ({
        ...row,
        name: 'team:infrastructure',
        budget: { ...row.budget, remainingRatio: -1 },
      }));
      const snapshot = { ...account.snapshot, checks: checks ?? [], groups: groups ?? [] };
      accounts = [{ ...account, snapshot }];
      for (const width of [320, 390, 965, 1_100, 1_201, 1_280, 1_540]) {
        await page.open(server.url, { ...desktop, width });
        expect(await page.evaluate(count('.groups .state .badge'))).toBe(2);
        expect(await page.evaluate(outsideTheirSection)).toEqual([]);
      }
    });

    test('has a page for a transaction, with the step that fails', async () => {
      await page.open(`${server.url}/transactions/501`, desktop);

      const text = String(await page.evaluate('document.body.innerText')).replace(/\s+/g, ' ');
      for (const part of ['journey 501', 'Down', '2 fails', 'wpm_click', '1.20 s']) {
        expect(text).toContain(part);
      }
      expect(await accessibilityFindings(page)).toEqual([]);
    });

    test.each(['groups', 'groups/team%3A1', 'outages', 'budget'])(
      'has /%s, which fits the width, legible, without findings of axe',
      async (path) => {
        for (const { name, ...viewport } of viewports) {
          if (!['laptop', 'phone-dark'].includes(name)) continue;
          await page.open(`${server.url}/${path}`, viewport);
          await keepScreenshot(`${path.replaceAll(/\W/g, '-')}-${name}`, page);
          expect(await page.evaluate(overhang)).toBe(0);
          expect(await page.evaluate(outsideTheirSection)).toEqual([]);
          expect(await page.evaluate(faintTexts)).toEqual([]);
          expect(await accessibilityFindings(page)).toEqual([]);
        }
      },
    );

    test('has no findings of accessibility', async () => {
      const account = livelyAccount(60);
      const names = ['environment:production', 'region:eu-central', 'customer-facing', 'http'];
      const tags = names.map((name) => ({ name, source: 'user' as const }));
      const checks = account.snapshot.checks?.map((row) => ({ ...row, tags })) ?? [];
      accounts = [{ ...account, snapshot: { ...account.snapshot, checks } }];
      for (const scheme of ['light', 'dark'] as const) {
        await page.open(server.url, { ...desktop, scheme });
        await page.click('#account-1 > summary');
        await page.click('#account-1-requests > summary');
        expect(await page.evaluate(count('.groups tbody tr'))).toBe(2);
        expect(await accessibilityFindings(page)).toEqual([]);
      }
    });
  });

  describe('whose exporter has died', () => {
    let dying: RunningServer;

    beforeEach(async () => {
      accounts = [livelyAccount(6)];
      const status = { accounts: () => accounts };
      dying = await listen(testApp({ status, clock }), '127.0.0.1:0', clock);
    });
    // The browser reports the refused connection too.
    afterEach(async () => {
      await page.open(server.url, desktop);
      await dying.close(0);
    });

    const refresh = "document.dispatchEvent(new Event('visibilitychange'))";

    test.each(['light', 'dark'] as const)(
      'shows it at the top and in its title, and dims, %s',
      async (scheme) => {
        await page.open(dying.url, { ...desktop, scheme });
        expect(await page.evaluate(count('.offline-note'))).toBe(0);
        await dying.close(0);
        await page.evaluate(refresh);
        await page.until(`${count('.offline-note')} === 1`);

        expect(await page.evaluate('document.title')).toBe('(no answer) (2 down) uptime-exporter');
        expect(await page.evaluate('document.body.firstElementChild.textContent')).toMatch(
          /^The exporter does not answer\. What follows is old: as of 2026-01-05 12:00:00 UTC\. No answer since \d\d:\d\d:\d\d; trying again every 10 s\.$/,
        );
        expect(await page.evaluate("document.body.firstElementChild.getAttribute('role')")).toBe(
          'alert',
        );
        expect(
          await page.evaluate(
            "Number(getComputedStyle(document.querySelector('main')).opacity) < 1",
          ),
        ).toBe(true);
        expect(
          await page.evaluate(
            "document.querySelector('.offline-note').getBoundingClientRect().top",
          ),
        ).toBe(0);
        expect(await accessibilityFindings(page)).toEqual([]);
        await keepScreenshot(`dead-${scheme}`, page);
      },
    );

    test('reports it when another part of its list is requested', async () => {
      await page.open(dying.url, desktop);
      await dying.close(0);
      await page.click('#sort-name');
      await page.until(`${count('.offline-note')} === 1`);
    });

    test('stays as it is, marked as old, while a proxy in its place has no such page', async () => {
      await page.open(dying.url, desktop);
      const address = new URL(dying.url).host;
      await dying.close(0);
      const proxy: RequestListener = (_, response) => response.writeHead(404).end('<p>no backend');
      dying = await listen(proxy, address, clock);
      await page.evaluate(refresh);
      await page.until(
        `${count('.offline-note')} === 1 || document.querySelector('header') === null`,
      );
      expect(await page.evaluate('document.body.firstElementChild.textContent')).toContain(
        'The exporter cannot be read: HTTP 404.',
      );
    });

    test('is as before when the exporter responds again', async () => {
      await page.open(dying.url, desktop);
      const address = new URL(dying.url).host;
      await dying.close(0);
      await page.evaluate(refresh);
      await page.until(`${count('.offline-note')} === 1`);
      const status = { accounts: () => accounts };
      dying = await listen(testApp({ status, clock }), address, clock);
      await page.evaluate(refresh);
      await page.until(`${count('.offline-note')} === 0`);

      expect(await page.evaluate('document.title')).toBe('(2 down) uptime-exporter');
      expect(await page.evaluate("getComputedStyle(document.querySelector('main')).opacity")).toBe(
        '1',
      );
    });

    test('claims nothing but its own time where no script runs', async () => {
      await page.open(dying.url, { ...desktop, scripts: false });
      expect(await page.evaluate("document.querySelector('.as-of').innerText")).toContain(
        'As of 2026-01-05 12:00:00 UTC',
      );
      expect(await page.evaluate('document.body.innerText')).not.toMatch(/[Rr]efreshes/);
    });
  });

  describe('that is open when its check is removed', () => {
    const refresh = "document.dispatchEvent(new Event('visibilitychange'))";
    const refreshed = 'document.documentElement.dataset.refreshed';
    const failure = count('.offline-note');

    // The browser complains about the status of the response.
    afterEach(() => page.open(server.url, desktop));

    test.each([
      ['was removed today', '(removed) check 3 · uptime-exporter', true],
      ['is not known', 'Not found · uptime-exporter', false],
    ])('becomes the page that says that it %s', async (_, title, isLeft) => {
      const { snapshot, ...status } = livelyAccount(6);
      accounts = [{ ...status, snapshot }];
      await page.open(`${server.url}/accounts/main/checks/3`, desktop);
      const left = { name: 'check 3', atSeconds: noon, why: 'list', wasDown: true } as const;
      const checks = snapshot.checks?.filter(({ id }) => id !== 3) ?? [];
      accounts = [
        {
          ...{ ...status, snapshot: { ...snapshot, checks } },
          leftItem: (kind, id) => (isLeft && kind === 'check' && id === 3 ? left : undefined),
        },
      ];
      // The other page has other parts, so it is loaded as a whole.
      await page.evaluate(`window.isFormer = true; ${refresh}`);
      const isLoaded = "window.isFormer === undefined && document.readyState === 'complete'";
      await page.until(`(${isLoaded}) || ${failure} === 1`);
      expect(await page.evaluate('document.title')).toBe(title);

      await page.evaluate(
        `document.addEventListener('viewchange', () => { ${refreshed} = 'yes'; }); ${refresh}`,
      );
      await page.until(`${refreshed} === 'yes' || ${failure} === 1`);
      expect(await page.evaluate(failure)).toBe(0);
      expect(await page.evaluate('document.title')).toBe(title);
    });
  });

  test('counts the outages that it lists after a refresh, too', async () => {
    accounts = [livelyAccount(6)];
    await page.open(`${server.url}/outages`, desktop);
    const countOfPage = "/\\d+ outages/.exec(document.querySelector('main').innerText)?.[0]";
    expect(await page.evaluate(countOfPage)).toBe('4 outages');
    accounts = [livelyAccount(6, { down: [3, 6] })];
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.until(`${count('.outages tbody tr')} === 6`);
    expect(await page.evaluate(countOfPage)).toBe('6 outages');
  });

  const many = extent(2_500, 25_000);
  test(`finds one of ${many} checks on a phone`, async () => {
    accounts = [livelyAccount(many)];
    await page.open(server.url, { width: 390, height: 844, scheme: 'dark' });
    expect(await page.evaluate(overhang)).toBe(0);
    await page.click('#search');
    await page.type(`check ${many - 68}`);
    await page.until(`JSON.stringify(${rowNames}) === '["check ${many - 68}"]'`);
    expect(await page.evaluate("document.querySelector('[role=status]').textContent")).toBe(
      '1–1 of 1',
    );
  });
});
