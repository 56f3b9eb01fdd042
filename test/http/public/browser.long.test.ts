import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AccountStatus } from '../../../src/http/ports.ts';
import { PublicPages } from '../../../src/http/public/public-pages.ts';
import type { PublicPage } from '../../../src/http/public/public-status.ts';
import { listen, type RunningServer } from '../../../src/http/server/listen.ts';
import { groupRow } from '../../../src/slo/groups.ts';
import { type BrowserPage, openChromium } from '../../support/chromium.ts';
import { testApp } from '../../support/http-app.ts';
import { livelyAccount } from '../../support/lively-account.ts';
import {
  accessibilityFindings,
  faintTexts,
  keepScreenshot,
  luminanceOfPage,
  outsideTheirSection,
  overhang,
  viewports,
} from '../../support/page-looks.ts';
import { accountsByState, checkWith, healthySnapshot, noon } from '../../support/snapshots.ts';
import { missing } from '../../support/tools.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const names = [
  '</h3><script>document.title="hacked"</script>',
  'unbreakable'.repeat(40),
  'שרת ראשי',
  'gnitide\u202erorre',
  '決済サービス・オンラインショップ',
  'ה'.repeat(200),
];
const statuses = ['down', 'up', 'unconfirmed_down', 'unknown', 'paused', 'down', 'up'] as const;
const rows = statuses.map((status, place) =>
  checkWith({
    ...{ id: place + 1, status, createdAtSeconds: noon - 20 * 86_400 },
    ...(status === 'down' && { lastDownStartAtSeconds: noon - 2_400 }),
  }),
);
const group = groupRow(
  'all',
  rows.map(({ id, status }) => ({ id, status, seconds: {}, hasOpenOutage: false })),
  { ratio: 0.999, reason: 'default' },
);
const lively = livelyAccount(7, { down: [1, 6] });
const planned = { fromSeconds: noon - 600, toSeconds: noon + 3_000 };

/** An account with every state, some of it planned. */
const open: AccountStatus = {
  ...lively,
  snapshot: healthySnapshot({
    account: 'open',
    checks: rows.map((row) =>
      row.id === 6 ? { ...row, maintenance: { active: true, endAtSeconds: noon + 3_000 } } : row,
    ),
    groups: [group],
    maintenance: {
      windows: [
        { id: 5, recurrence: 'none', checkIds: [6, 2], transactionIds: [] },
        { id: 6, recurrence: 'none', checkIds: [1], transactionIds: [] },
      ],
      next: new Map([
        [5, { maintenanceId: 5, ...planned }],
        [6, { maintenanceId: 6, fromSeconds: noon + 86_400, toSeconds: noon + 90_000 }],
      ]),
      activeIds: new Set([5]),
    },
  }),
};
const blind: AccountStatus = {
  ...lively,
  ...accountsByState.stale,
  snapshot: { ...accountsByState.stale.snapshot, account: 'blind', checks: rows, groups: [group] },
};

const checks = names.map((name, place) => ({ id: place + 1, name }));
const page = (name: string): PublicPage => ({
  ...{ name, title: `${names[0]} ${names[2]}`, account: name, group: 'all', checks },
});

describe.skipIf(missing('chromium'))('a public page in a browser', () => {
  let browser: BrowserPage;
  let server: RunningServer;

  beforeAll(async () => {
    const clock = new VirtualClock();
    const accounts = [open, blind];
    const pages = [page('open'), page('blind')];
    const publicPages = new PublicPages({
      pages: () => pages,
      status: { accounts: () => accounts },
      clock,
      timeZone: () => 'Europe/Berlin',
      isRestored: () => true,
    });
    server = await listen(testApp({ accounts, clock }), '127.0.0.1:0', clock, { publicPages });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server.close(0);
  });
  afterEach(() => expect(browser.complaints).toEqual([]));

  describe.each(['open', 'blind'])('of an account that is %s', (name) => {
    test.each(viewports)('fits the width, legible, on $name', async (viewport) => {
      await browser.open(`${server.url}/status/${name}`, viewport);

      await keepScreenshot(`public-${name}-${viewport.name}`, browser);
      expect(await browser.evaluate(overhang)).toBe(0);
      expect(await browser.evaluate(outsideTheirSection)).toEqual([]);
      expect(await browser.evaluate(faintTexts)).toEqual([]);
      expect(await browser.evaluate(luminanceOfPage)).toBe(viewport.scheme);
    });

    test('has no findings of axe, no script, and its title as text', async () => {
      await browser.open(`${server.url}/status/${name}`, viewports[0]);

      expect(await accessibilityFindings(browser)).toEqual([]);
      expect(await browser.evaluate("document.querySelectorAll('script,img').length")).toBe(0);
      expect(await browser.evaluate("document.querySelector('h1').textContent")).toContain(
        names[0],
      );
      const loaded = await browser.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
      );
      expect(loaded).toEqual([expect.stringMatching(/^\/status\/page-[0-9a-f]{12}\.css$/)]);
    });
  });

  test('says in words what its bars show', async () => {
    await browser.open(`${server.url}/status/open`, viewports[0]);

    const label = await browser.evaluate(
      "document.querySelector('.services .strip').getAttribute('aria-label')",
    );
    expect(label).toMatch(/^Last 35 days: down \d+ min/);
  });

  test('leads the keyboard to its JSON alone', async () => {
    await browser.open(`${server.url}/status/open`, viewports[0]);

    const focusable = "[...document.querySelectorAll('a, button, input, [tabindex]')]";
    expect(await browser.evaluate(`${focusable}.map((one) => one.getAttribute('href'))`)).toEqual([
      'open.json',
    ]);
  });
});
