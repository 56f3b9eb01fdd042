import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountStatus, ConfigurationSource } from '../../../src/http/ports.ts';
import { listen, type RunningServer } from '../../../src/http/server/listen.ts';
import type { RecentSpan } from '../../../src/state/recent-states.ts';
import { type BrowserPage, openChromium } from '../../support/chromium.ts';
import { testApp } from '../../support/http-app.ts';
import {
  faintTexts,
  keepScreenshot,
  luminanceOfPage,
  outsideTheirSection,
  overhang,
  viewports,
} from '../../support/page-looks.ts';
import {
  accountsByState,
  checkWith,
  healthySnapshot,
  noHistory,
  noon,
  refusedAccount,
} from '../../support/snapshots.ts';
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

const hostileHistory = {
  of: (): RecentSpan[] => [
    { state: 'up', fromSeconds: noon - 80_000, toSeconds: noon - 4_000 },
    { state: 'down', fromSeconds: noon - 4_000, toSeconds: noon },
  ],
};

const hostile = {
  ...accountsByState.ok,
  recent: { checks: hostileHistory, transactions: hostileHistory },
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
      tags: [],
      failingStep: index,
    })),
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
} satisfies AccountStatus;

/** A large account in which every tenth check has had an outage. */
function largeAccount(): AccountStatus {
  const ids = Array.from({ length: 2_000 }, (_, index) => index + 1);
  const checks = {
    of: (id: number): RecentSpan[] => {
      if (id % 10 !== 0) return [{ state: 'up', fromSeconds: noon - 86_400, toSeconds: noon }];
      const downSince = noon - 1_200 - 30 * id;
      return [
        { state: 'up', fromSeconds: noon - 86_400, toSeconds: downSince },
        { state: 'down', fromSeconds: downSince, toSeconds: noon },
      ];
    },
  };
  return {
    ...accountsByState.ok,
    recent: { ...noHistory, checks },
    snapshot: healthySnapshot({
      checks: ids.map((id) => checkWith({ id, status: id % 100 === 0 ? 'down' : 'up' })),
    }),
  };
}

/** A configuration that could not be read again. */
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

describe.skipIf(missing('chromium'))('the status page in a browser', () => {
  let server: RunningServer;
  let page: BrowserPage;

  beforeAll(async () => {
    const clock = new VirtualClock();
    const accounts = [...Object.values(accountsByState), refusedAccount, hostile];
    const app = testApp({ accounts, clock, configuration: refused });
    server = await listen(app, '127.0.0.1:0', clock);
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

  test('says first that the configuration was not reloaded, problem by problem', async () => {
    await page.open(server.url, viewports[0]);

    const problems = await page.evaluate(
      "[...document.querySelector('main section').querySelectorAll('li')].map(({ textContent }) => textContent)",
    );
    expect(problems).toHaveLength(2);
    expect(problems).toEqual([
      expect.stringContaining('uptime.yaml:12:5: accounts[0].colour: unknown key'),
      expect.stringContaining('uptime.yaml:14:11: '),
    ]);
  });

  test('leads to the configuration, which is text whatever it holds', async () => {
    await page.open(server.url, viewports[0]);
    const link = await page.evaluate(
      "[...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === 'Configuration').href",
    );
    await page.open(String(link), viewports[0]);

    expect(await page.evaluate('document.body.innerText')).toContain('<script>');
    expect(await page.evaluate('document.title')).not.toBe('hacked');
  });

  test('tells a screen reader what everything is', async () => {
    await page.open(server.url, viewports[0]);
    const nodes = await page.accessibilityTree();
    const of = (...roles: string[]) => nodes.filter(({ role }) => roles.includes(role));

    for (const landmark of ['banner', 'main', 'contentinfo']) {
      expect(of(landmark)).toHaveLength(1);
    }
    const named = of('navigation', 'region', 'link', 'image', 'meter', 'progressbar', 'table');
    expect(new Set(named.map(({ role }) => role))).toEqual(
      new Set(['navigation', 'region', 'link', 'image', 'table']),
    );
    expect(named.filter(({ name }) => name === '')).toEqual([]);
    const levels = of('heading').map(({ level = 0 }) => level);
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, place) => level > (levels[place - 1] ?? 0) + 1)).toEqual([]);
  });

  test('shows an account of 2,000 checks without growing with it', async () => {
    const clock = new VirtualClock();
    const large = await listen(
      testApp({ accounts: [largeAccount()], clock }),
      '127.0.0.1:0',
      clock,
    );
    try {
      await page.open(large.url, { width: 390, height: 844, scheme: 'light' });

      expect(await page.evaluate(overhang)).toBe(0);
      expect(await page.evaluate("document.querySelectorAll('.strips li').length")).toBe(100);
      expect(await page.evaluate("document.querySelectorAll('.strip .d-down').length")).toBe(100);
      expect(
        await page.evaluate(
          "[...document.querySelectorAll('details li')].every((row) => row.checkVisibility())",
        ),
      ).toBe(false);
      expect(await page.evaluate("document.querySelector('details').open = true")).toBe(true);
      expect(
        await page.evaluate(
          "[...document.querySelectorAll('details li')].every((row) => row.checkVisibility())",
        ),
      ).toBe(true);
      expect(await page.evaluate('document.documentElement.outerHTML.length')).toBeLessThan(
        200_000,
      );
    } finally {
      await large.close(0);
    }
  });

  test('paints what was down over what was up, in its own colour', async () => {
    await page.open(server.url, viewports[0]);

    const fills = await page.evaluate(
      "['d-up','d-down'].map((name) => getComputedStyle(document.querySelector('.' + name)).fill)",
    );
    expect(new Set(fills as string[]).size).toBe(2);
    expect(
      await page.evaluate(
        "[...document.querySelectorAll('.strip')].every((svg) => svg.getBoundingClientRect().width > 100)",
      ),
    ).toBe(true);
  });

  test.each(['light', 'dark'] as const)('has enough contrast in %s mode', async (scheme) => {
    await page.open(server.url, { ...viewports[0], scheme });

    expect(await page.evaluate(faintTexts)).toEqual([]);
  });
});
