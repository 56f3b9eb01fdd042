import { h } from 'preact';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AccountStatus } from '../../../src/http/ports.ts';
import { testApp } from '../../support/http-app.ts';
import { livelyAccount } from '../../support/lively-account.ts';
import {
  accountsByState,
  accountWith,
  budgetWith,
  checkWith,
  datasetWith,
  healthyAccount,
  healthySnapshot,
  noon,
  refusedAccount,
  statesBy,
} from '../../support/snapshots.ts';

async function page(...accounts: AccountStatus[]): Promise<string> {
  return (await request(testApp({ accounts })).get('/')).text;
}

/** The visible text of the page, with single spaces. */
async function wordsOf(...accounts: AccountStatus[]): Promise<string> {
  return textIn((await page(...accounts)).replace(/^[\s\S]*<body>/, ''));
}

const textIn = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('the response', () => {
  test('loads its own files and nothing else', async () => {
    const reply = await request(testApp()).get('/');

    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    const loaded = [...reply.text.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]*)"/g)];
    expect(loaded).toHaveLength(5);
    for (const [, path = ''] of loaded) {
      const file = await request(testApp()).get(path.replace('./', '/'));
      expect(file.status).toBe(200);
      expect(file.headers['cache-control']).toMatch(/max-age/);
    }
  });

  test('is compressed for browsers, and not for others', async () => {
    const app = testApp({ accounts: [livelyAccount(50)] });
    const plain = await request(app).get('/').set('accept-encoding', 'identity');
    const compressed = await request(app).get('/').set('accept-encoding', 'gzip, br');

    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    });
    expect(compressed.text).toBe(plain.text);
    const [whole, sent] = [plain, compressed].map(({ headers }) =>
      Number(headers['content-length']),
    );
    expect(sent).toBeLessThan((whole ?? 0) / 4);
  });

  test('has no script or style of its own, nor an outside resource', async () => {
    const text = await page(...Object.values(accountsByState));

    expect(text).not.toMatch(
      /<img|<iframe|<style|\son\w+=|\sstyle=|url\(|@import|(?:src|action)="\w+:/i,
    );
    expect(text).not.toMatch(/<script(?! src="\.\/assets\/)/);
  });

  test.each(['/', '/accounts/main/checks/3'])(
    'names every value of %s that a phone shows without the head of its table',
    async (path) => {
      const { text } = await request(testApp({ accounts: [livelyAccount(12)] })).get(path);
      const tables = text.match(/<table class="[^"]*\bstack\b[\s\S]*?<\/table>/g) ?? [];
      const cells = tables.flatMap((table) => table.match(/<td[^>]*>/g) ?? []);

      expect(cells.length).toBeGreaterThan(3);
      expect(cells.filter((cell) => !cell.includes('data-label='))).toEqual([]);
    },
  );

  test('says its language, its title and its size on phones', async () => {
    const text = await page();

    expect(text).toContain('<html lang="en">');
    expect(text).toContain('<title>uptime-exporter</title>');
    expect(text).toContain('content="width=device-width, initial-scale=1"');
    for (const landmark of [
      '<header>',
      '<main',
      '<footer>',
      '<nav aria-label="Views">',
      '<nav aria-label="Endpoints">',
    ]) {
      expect(text).toContain(landmark);
    }
  });

  test('tells in its title how many are down, without what is not confirmed, or that not all is known', async () => {
    expect(await page(accountsByState.ok)).toContain('<title>(1 down) uptime-exporter</title>');
    const blind = await page(accountsByState.stale);
    expect(blind).toContain('<title>(not all known) uptime-exporter</title>');
  });

  test('names the version and links to the endpoints, wherever it is mounted', async () => {
    const app = testApp({ telemetryPath: '/custom:metrics', version: '4.5.6' });
    const { text } = await request(app).get('/');

    expect(text).toContain('4.5.6');
    for (const link of ['./custom:metrics', './-/healthy', './-/ready']) {
      expect(text).toContain(`href="${link}"`);
    }
  });

  test('shows in the header how old the check list is, the oldest of all accounts, and when the next comes', async () => {
    const list = (ageSeconds: number, nextInSeconds: number) => ({
      ...accountsByState.ok,
      list: { ageSeconds, nextInSeconds, outageDelaySeconds: ageSeconds + nextInSeconds },
    });

    expect(await wordsOf(list(20, 40), list(372, 494))).toContain(
      'UTC , check list 6 min 12 s old, next in 8 min 14 s',
    );
    expect(await wordsOf(list(61, 0))).toContain('UTC , check list 1 min 1 s old, next now');
  });

  test('says for a day when and why a check was removed, and that it was down', async () => {
    const left = { name: 'Front page', atSeconds: noon - 600, why: 'list', wasDown: true } as const;
    const leftItem = (kind: string, id: number) =>
      kind === 'check' && id === 99 ? left : undefined;
    const app = testApp({ accounts: [{ ...accountsByState.ok, leftItem }] });
    const { status, text } = await request(app).get('/accounts/main/checks/99');

    expect(status).toBe(410);
    expect(text).toContain('Front page');
    expect(text).toMatch(/Removed at .*11:50.*while down/);
    const short = await request(app).get('/checks/99');
    expect(short.headers.location).toBe('../accounts/main/checks/99');
    expect((await request(app).get('/accounts/main/checks/98')).status).toBe(404);
  });

  test("shows on the page of a check how old its own account's list is", async () => {
    const of = (account: string, ageSeconds: number) => ({
      ...healthyAccount({ account }),
      list: { ageSeconds, nextInSeconds: 40, outageDelaySeconds: 60 },
    });
    const app = testApp({ accounts: [of('main', 20), of('other', 372)] });
    const { text } = await request(app).get('/accounts/main/checks/1');

    expect(text).toContain('check list 20 s old');
  });

  test('says what to do with a page that some scrapers do not read', async () => {
    const largePage = () => ({ bytes: 18.4 * 2 ** 20, limitBytes: 16 * 2 ** 20 });
    const accounts = () => [accountsByState.ok];
    const { text } = await request(testApp({ status: { accounts, largePage } })).get('/');
    const words = text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
    expect(words).toContain(
      '/metrics has 19 MiB of text: VictoriaMetrics and vmagent read 16 MiB by default',
    );
    expect(words).toContain('or raise -promscrape.maxScrapeSize. Prometheus reads it as it is.');
    expect(await wordsOf(accountsByState.ok)).not.toContain('VictoriaMetrics');
  });

  test('reports that there is no account', async () => {
    expect(await wordsOf()).toContain('No account is configured.');
  });
});

describe('an account', () => {
  test('that is well shows what it is, its checks by state and its budget', async () => {
    const words = await wordsOf(accountsByState.ok);

    for (const phrase of [
      '1 of 5 down',
      'main API readable API 3.1 at https://api.example.com',
      '1 Down 1 Unconfirmed down 1 Unknown 1 Up 1 Paused',
      'check 2 host2.example.com · check 2 Down 1 h 4 min since 2026-01-05 10:56 UTC',
      'check 3 host3.example.com · check 3 Unconfirmed down start time unknown',
      'main : 2 datasets, none overdue; 312 of 400 requests left',
      'checks 25 s 1 min 5',
      'credits 6 min 40 s 15 min 1',
      'The exporter may send 72 requests an hour; 0 in flight.',
      'Short window resets in 25 min',
      '312 of 400 left. The last 80 are reserved',
      'Long window resets in 21 d',
      '51,840 of 72,000 left. The last 14,400 are reserved',
      'As of 2026-01-05 12:00:00 UTC',
    ]) {
      expect(words).toContain(phrase);
    }
  });

  test.each([
    [
      'starting',
      [
        'new Starting',
        'checks no data yet',
        'The service has not yet reported',
        'The service has not reported it yet.',
      ],
    ],
    [
      'failing',
      [
        'flaky Failing',
        'checks: timeout , failed once, failing for 1 min 5 s, since 2026-01-05 11:58:55 UTC',
        'no answer within 10 s',
        'What to do: The service did not answer in time.',
      ],
    ],
    [
      'stale',
      [
        'cut off Stale',
        'checks 2 h Stale',
        'checks: dns , failed 24 times in a row, failing for 1 h 59 min',
        'What to do: The host name does not resolve.',
      ],
    ],
    [
      'unauthorized',
      [
        'locked out Unauthorised',
        'What to do: The service does not accept the token. Check or renew it.',
      ],
    ],
    [
      'paused',
      [
        'spent Out of budget',
        'Out of budget No request is sent until a window resets.',
        'Short window resets in 1 min 35 s',
        '0 of 400 left.',
      ],
    ],
  ] as const)('that is %s shows its state and the reason', async (state, phrases) => {
    const words = await wordsOf(accountsByState[state]);

    for (const phrase of phrases) expect(words).toContain(phrase);
  });

  test('that is locked out has one box for all its datasets, with the next attempt and what tries at once', async () => {
    const failing = accountsByState.unauthorized.snapshot.datasets.checks;
    const text = await page({
      ...accountsByState.unauthorized,
      snapshot: {
        ...accountsByState.unauthorized.snapshot,
        datasets: { checks: failing, credits: failing, probes: failing },
      },
      nextReadSeconds: (dataset) => (dataset === 'checks' ? 240 : 0),
    });

    expect(text.match(/class="note bad"/g)).toHaveLength(1);
    const words = textIn(text);
    expect(words).toContain('checks, credits, probes: unauthorized');
    expect(words).toContain('The next attempt is in 4 min. A reload tries at once: POST /-/reload');
  });

  test('that is refused without an exhausted window shows when it asks again', async () => {
    const words = await wordsOf(refusedAccount);

    for (const phrase of [
      'refused Refused The service refuses requests (429) and names no window of the rate limit that is used up. The exporter asks again in 3 min 20 s, and waits longer after each refusal.',
      'Refused No request is sent for 3 min 20 s; then one finds out whether the service still refuses.',
    ]) {
      expect(words).toContain(phrase);
    }
    expect(words).not.toMatch(/Out of budget|until a window/);
  });

  test('that is refused shows when it is trying again', async () => {
    const budget = budgetWith({ paused: true, retrySeconds: 0 });
    const words = await wordsOf({ ...refusedAccount, budget });

    expect(words).toContain('The exporter is asking again, and waits longer after each refusal.');
    expect(words).toContain(
      'Refused A test request will show whether the service accepts requests again.',
    );
  });

  test('that is refused is distinguished in the list of accounts', async () => {
    const words = await wordsOf(accountsByState.paused, refusedAccount);

    expect(words).toMatch(/spent Out of budget .* refused Refused /);
  });

  test('shows whose response times are impossible, and the setting of their unit', async () => {
    const { snapshot } = livelyAccount(1);
    const withheld = (id: number) => {
      const transactions = (snapshot.transactions ?? []).map((row) =>
        row.id === id && row.performance
          ? { ...row, performance: { ...row.performance, withheld: true as const } }
          : row,
      );
      return healthyAccount({ transactions });
    };

    expect(await wordsOf(withheld(501))).toContain(
      'Response times of transactions are withheld. Those of 1 of 2 are longer than the time between two runs',
    );
    expect(await wordsOf(withheld(0))).not.toContain('withheld');
  });

  test('shows no checks when it has none to show, rather than none down', async () => {
    const words = await wordsOf(accountsByState.stale);

    expect(words).toContain('The last check list is too old to show');
    expect(await wordsOf(accountsByState.starting)).toContain('Nothing to show yet');
    expect(words).not.toContain('Nothing is wrong now');
  });

  test('shows that an account has no checks when its lists were read', async () => {
    const { ok } = accountsByState;
    const empty = (transactions?: []) => ({
      ...ok,
      snapshot: healthySnapshot({ checks: [], ...(transactions && { transactions }) }),
    });
    const words = await wordsOf(empty([]));
    expect(words).toContain('The account has no checks');
    expect(words).toContain('The check list was read, and it is empty.');
    expect(await wordsOf(empty([]), empty([]))).toContain('The accounts have no checks');
    expect(await wordsOf(empty([]), accountsByState.starting)).toContain('Nothing to show yet');
    const { datasets } = empty().snapshot;
    const unread = {
      ...empty().snapshot,
      datasets: { ...datasets, transactions: datasetWith({}) },
    };
    const { transactions: _, ...snapshot } = unread;
    expect(await wordsOf({ ...ok, snapshot })).toContain('Nothing to show yet');
  });

  test('shows that the filters select none of the checks that the service lists', async () => {
    const { ok } = accountsByState;
    const withListed = (listedChecks: number) => ({
      ...ok,
      snapshot: { ...healthySnapshot({ checks: [], transactions: [] }), listedChecks },
    });
    const words = await wordsOf(withListed(3));
    expect(words).toContain('The filters select no checks');
    expect(words).toContain('The service lists 3 checks. The filters of the configuration select');
    expect(words).not.toMatch(/has no checks|list was read/);
    expect(await wordsOf(withListed(0), withListed(1))).toContain('The filters select no checks');
    expect(await wordsOf(withListed(0))).toContain('The account has no checks');
  });

  test('still shows what was down when its list was last read', async () => {
    const { stale } = accountsByState;
    const open = { sinceSeconds: noon - 7_800, importance: 'high' as const, hostname: '' };
    const snapshot = {
      ...stale.snapshot,
      checks: [
        { ...checkWith({ id: 1, status: 'down' }), outage: { open: true, ...open } },
        { ...checkWith({ id: 2, status: 'down' }), outage: { open: false, ...open } },
        checkWith({ id: 3 }),
      ],
    };
    const words = await wordsOf({ ...stale, snapshot });

    expect(words).toContain('1 down when last read');
    expect(words).toContain('1 Down – Unconfirmed down – Unknown – Up – Paused');
    expect(words).toMatch(/check 1 host1.example.com · check 1 .*Down last known/);
    expect(words).not.toMatch(/check [23] host/);
    const { text } = await request(testApp({ accounts: [{ ...stale, snapshot }] })).get('/');
    // On a phone they are in one line.
    expect(text).toContain(' Down <small>last known</small>');
  });

  test('reports that the configured rate applies when the service reports no limits', async () => {
    const budget = budgetWith({ mode: 'fallback', windows: {} });

    expect(await wordsOf({ ...accountsByState.ok, budget })).toContain(
      'so the configured rate applies.',
    );
  });

  test('one of several is named at each of its checks', async () => {
    const words = await wordsOf(accountsByState.ok, accountsByState.failing);

    expect(words).toContain('1–10 of 10');
    expect(words).toMatch(/check 2 host2.example.com · check 2 flaky/);
  });

  test('with one reason for several datasets shows the most failures in a row and the first failure', async () => {
    const failure = { reason: 'refused', message: 'HTTP 401', sinceSeconds: noon - 5 } as const;
    const datasets = {
      checks: datasetWith({ failure: { ...failure, consecutive: 1 } }),
      credits: datasetWith({ failure: { ...failure, sinceSeconds: noon - 480, consecutive: 3 } }),
    };
    const account = healthyAccount({ up: false, datasets });

    expect(await wordsOf(account)).toContain(
      'checks, credits: refused , failed 3 times in a row, failing for 8 min,',
    );
  });
});

describe('the request budget', () => {
  test('says what is left, what is reserved, and where the plan leads', async () => {
    const plan = { requestsPerSecond: 0.1 };
    const budget = budgetWith({ requestsPerSecond: 0.1001 });
    const words = await wordsOf({ ...accountsByState.ok, budget, plan });

    expect(words).toContain('At the planned 360 an hour, 162 are left at the reset.');
  });

  test('plans no more than it may send, and calls no request left that is reserved', async () => {
    const windows = {
      short: { limit: 399, remaining: 394, reserve: 80, resetSeconds: 1_500 },
      long: { limit: 287_999, remaining: 57_262, reserve: 57_600, resetSeconds: 1_814_400 },
    };
    const budget = budgetWith({ windows, requestsPerSecond: 319.2 / 3_600 });
    const plan = { requestsPerSecond: 319.7 / 3_600 };
    const words = await wordsOf({ ...accountsByState.ok, budget, plan });

    expect(words).toContain('The exporter may send 319 requests an hour');
    expect(words).toContain('At the planned 319 an hour');
    expect(words).toContain(
      '57,262 of 288,000 left. All of them are reserved for the account’s other clients, as the last 57,600 always are.',
    );
  });

  test('promises nothing of the plan while no request is sent', async () => {
    const plan = { requestsPerSecond: 0.1 };
    const words = await wordsOf({ ...accountsByState.paused, plan });

    expect(words).toContain('No request is sent until a window resets.');
    expect(words).not.toContain('At the planned');
  });

  test('promises nothing of the plan while the account cannot be read, as failures delay requests', async () => {
    const plan = { requestsPerSecond: 0.1 };
    const words = await wordsOf({ ...accountsByState.failing, plan });

    expect(words).toContain('312 of 400 left.');
    expect(words).not.toContain('At the planned');
  });

  test('has words for a window of size 0 and for more left than the limit', async () => {
    const windows = {
      short: { limit: 0, remaining: 0, reserve: 0, resetSeconds: 0 },
      long: { limit: 10, remaining: 15, reserve: 2, resetSeconds: 60 },
    };
    const words = await wordsOf({ ...accountsByState.ok, budget: budgetWith({ windows }) });

    expect(words).toContain('is resetting now');
    expect(words).not.toMatch(/NaN|Infinity/);
  });
});

describe('operators', () => {
  const lateNow = { requestsPerSecond: 0.005, isLateNow: true } as const;

  test('see the last requests to the API', async () => {
    const requests = () => [
      {
        path: 'summary.outage/7',
        code: 'timeout',
        durationSeconds: 10.02,
        responseBytes: 0,
        ...{ endedAtSeconds: noon - 5, left: { short: 311, long: 51_840 } },
      },
      {
        path: 'checks',
        code: '200',
        durationSeconds: 0.034,
        responseBytes: 12_345,
        ...{ endedAtSeconds: noon - 20, left: { short: 312 } },
      },
    ];

    expect(await wordsOf({ ...accountsByState.ok, requests })).toContain(
      'Left, long 2026-01-05 11:59:55 UTC summary.outage/7 timeout 10.02 s 0 311 51,840 2026-01-05 11:59:40 UTC checks 200 34 ms 12,345 312 –',
    );
  });

  test('read the size of a window, of which a response shows one less', async () => {
    const windows = {
      short: { limit: 399, remaining: 394, reserve: 80, resetSeconds: 1_500 },
      long: { limit: 71_950, remaining: 51_840, reserve: 14_400, resetSeconds: 1_814_400 },
    };
    const words = await wordsOf({ ...accountsByState.ok, budget: budgetWith({ windows }) });

    expect(words).toContain('394 of 400 requests left');
    expect(words).toContain('51,840 of 72,000 left.');
  });

  test('see no interval of what is read once for each check', async () => {
    const datasets = {
      ...healthySnapshot().datasets,
      history: datasetWith({ intervalSeconds: 15_000_000, items: 4 }),
    };
    expect(await wordsOf(healthyAccount({ datasets }))).toMatch(/history \S+ s once 4/);
  });

  test('are not told that datasets are late or on time where outages are seen late', async () => {
    const words = await wordsOf({ ...accountsByState.ok, plan: lateNow });

    expect(words).toContain('main Late Everything is read');
    expect(words).toContain('2 datasets, none overdue');
    expect(words).not.toMatch(/none late|none is late|on time/i);
  });

  test('are not told that states are on time while the account cannot be read', async () => {
    const plan = {
      requestsPerSecond: 0.02,
      shortfall: {
        datasets: ['performance'],
        missingPerHour: 6,
        switchOff: ['results'],
        enough: true,
      },
    } as const;
    const words = await wordsOf({ ...accountsByState.failing, plan });

    expect(words).toContain('flaky Failing');
    expect(words).toContain('enough for states and outages, but not for all slower data');
    expect(words).not.toContain('on time');
  });

  test('find their part folded when all is well, and open when something is overdue or late', async () => {
    const isOpen = (text: string) => /<details id="account-1"[^>]*\sopen/.test(text);

    expect(isOpen(await page(accountsByState.ok))).toBe(false);
    expect(isOpen(await page(accountsByState.failing))).toBe(true);
    expect(isOpen(await page(accountsByState.paused))).toBe(true);
    expect(isOpen(await page({ ...accountsByState.ok, plan: lateNow }))).toBe(true);
  });
});

describe('what is down', () => {
  const down = (id: number, since?: number) =>
    checkWith({
      id,
      status: 'down',
      ...(since === undefined ? {} : { lastDownStartAtSeconds: since }),
    });

  const problemIds = (text: string) =>
    [
      ...text
        .slice(0, text.indexOf('Last outages'))
        .matchAll(/<tr><th scope="row"><a href="\.\/accounts\/main\/checks\/(\d+)"/g),
    ].map((match) => match[1]);

  test('is in order of its start, the latest first and the unknown last', async () => {
    const checks = [down(1, noon - 500), down(2), down(3, noon - 20), down(4, noon - 60)];
    const text = await page(healthyAccount({ checks }));

    expect(problemIds(text)).toEqual(['3', '4', '1', '2']);
  });

  test('of a check whose state is unknown shows since when, as its own page does', async () => {
    const check = checkWith({ id: 7, status: 'unknown' });
    const ofCheck = statesBy({
      7: [
        { state: 'up', fromSeconds: noon - 86_400, toSeconds: noon - 900 },
        { state: 'unknown', fromSeconds: noon - 900, toSeconds: noon - 60 },
      ],
    });
    const status: AccountStatus = {
      ...healthyAccount({ checks: [check] }),
      states: { ofCheck, ofTransaction: () => undefined },
    };
    const own = await request(testApp({ accounts: [status] })).get('/accounts/main/checks/7');
    expect(textIn(own.text)).toMatch(/Unknown for 15 min\s/);

    expect(await wordsOf(status)).toMatch(/Unknown 15 min since 2026-01-05 11:45 UTC/);
  });

  test('comes last while it is in maintenance', async () => {
    const planned = { ...down(1, noon - 5), maintenance: { active: true } };
    const checks = [planned, down(2, noon - 500), checkWith({ id: 3, status: 'unknown' })];
    const text = await page(healthyAccount({ checks }));

    expect(problemIds(text)).toEqual(['2', '3', '1']);
  });

  test('is cut after 20, with the number of the others', async () => {
    const checks = Array.from({ length: 23 }, (_, index) => down(index + 1, noon - index));
    const text = await page(healthyAccount({ checks }));

    expect(problemIds(text)).toHaveLength(20);
    expect(text).toContain('and 3 more');
  });

  test('of a check that was never tested says so', async () => {
    const { lastTestAtSeconds: _, ...row } = checkWith({ id: 7, status: 'unknown' });
    const words = await wordsOf(healthyAccount({ checks: [row] }));

    expect(words).toContain('Unknown never tested');
  });

  test('does not take the start of an outage that is over for its own', async () => {
    const check = {
      ...down(1, noon - 5_000),
      status: 'unconfirmed_down' as const,
      lastDownEndAtSeconds: noon - 4_000,
    };
    const words = await wordsOf(healthyAccount({ checks: [check] }));

    expect(words).toContain('Unconfirmed down start time unknown');
  });

  test('has no empty reason where no results were read, also beside an analysis', async () => {
    const outage = { fromSeconds: noon - 300, causes: [], analysisId: 77 };
    const words = await wordsOf({
      ...healthyAccount({ checks: [down(1, noon - 300)] }),
      past: { ofCheck: () => ({ outages: [outage] }), ofTransaction: () => undefined },
    });

    expect(words).toMatch(/since 2026-01-05 11:55 UTC no results read Last outages/);
    expect(words).toContain('going on no results read root cause analysis 77');
  });

  test('names the account of each row where there are several', async () => {
    const other = livelyAccount(3);
    const accounts = [livelyAccount(3), accountWith(other, { account: 'shop' })];
    const items = /<tr><th scope="row"><a href="[^"]*(?:checks|transactions)\/\d+.*?<\/th>/g;
    const rowsOf = async (...shown: AccountStatus[]) => (await page(...shown)).match(items) ?? [];
    const rows = await rowsOf(...accounts);
    const named = rows.filter((row) => /<small><bdi>(main|shop)<\/bdi><\/small>/.test(row));

    expect(named).toHaveLength(rows.length);
    expect(rows).toHaveLength(2 * (await rowsOf(other)).length);
    expect((await rowsOf(other)).join()).not.toContain('>main<');
  });

  test('is said to be nothing when nothing is', async () => {
    const words = await wordsOf(healthyAccount({ checks: [checkWith({ id: 1 })] }));
    expect(words).toContain('1 of 1 up');
    expect(words).toContain('Nothing is wrong now.');
  });
});

describe('what is wrong and what failed', () => {
  const fine = healthyAccount({ checks: [checkWith({ id: 1 })] });
  const buy = { id: 7, name: 'Buy', kind: 'script', tags: [] } as const;
  /** An account whose list of checks is too old. */
  const transactionsAlone = (status: 'failing' | 'successful') =>
    healthyAccount({
      transactions: [{ ...buy, status }],
      datasets: { checks: datasetWith({ stale: true }), transactions: datasetWith() },
    });

  test.each([
    ['stale', accountsByState.stale],
    ['unauthorized', accountsByState.unauthorized],
  ])('is not denied for an account that is %s', async (_, other) => {
    const words = await wordsOf(fine, other);

    expect(words).toContain('Not everything is known: none of 1 down');
    expect(words).toContain('Nothing was wrong when the lists that are shown were last read.');
    expect(words).toContain('Last outages No outage is known yet.');
    expect(words).not.toContain('No known outages');
  });

  test('is not denied for an account whose list failed after it was read', async () => {
    const checks = datasetWith({
      failure: { reason: 'timeout', message: 'late', sinceSeconds: noon - 9, consecutive: 1 },
    });
    const failing = {
      ...fine.snapshot,
      up: false,
      datasets: { ...fine.snapshot.datasets, checks },
    };
    const words = await wordsOf({ ...fine, snapshot: failing });

    expect(words).toContain('Not everything is known: none of 1 down');
    expect(words).not.toContain('Nothing is wrong now.');
    expect(words).not.toContain('lists that are not shown');
  });

  test('is not denied for transactions whose list is stale', async () => {
    const account = healthyAccount({
      checks: [checkWith({ id: 1 })],
      transactions: [{ ...buy, status: 'failing' }],
      datasets: { checks: datasetWith(), transactions: datasetWith({ stale: true }) },
    });
    const words = await wordsOf(account);

    expect(words).not.toMatch(/1 of 1 up|Nothing is wrong now\.|No known outages/);
    expect(words).toContain('Not everything is known: none of 1 down');
  });

  test('is counted among what can be read, and says so', async () => {
    const words = await wordsOf(transactionsAlone('failing'));

    expect(words).toContain('1 of 1 down; not everything is known');
    expect(words).toContain('All known outages , including those of lists that are not shown');
  });

  test('is not denied for entries of a list that cannot be read', async () => {
    const datasets = { checks: datasetWith({ isIncomplete: true }) };
    const words = await wordsOf(healthyAccount({ checks: [checkWith({ id: 1 })], datasets }));

    expect(words).toContain('Not everything is known: none of 1 down');
    expect(words).toContain(
      'checks: entries cannot be read. The objects that they describe are not watched',
    );
  });

  test('is not denied for checks whose list is stale while transactions are read', async () => {
    const words = await wordsOf(transactionsAlone('successful'));

    expect(words).toContain('Not everything is known: none of 1 down');
    expect(words).toContain('Groups Not known without a fresh check list.');
    expect(words).not.toMatch(/No known outages|No check is in a group/);
  });

  test('names the unknown items besides what cannot be read', async () => {
    const unknown = healthyAccount({ checks: [checkWith({ id: 1, status: 'unknown' })] });
    const words = await wordsOf(unknown, accountsByState.stale);

    expect(words).toContain('Not everything is known: none of 1 down, 1 unknown');
  });

  test('is not denied for a check that is down, whose outage is not read', async () => {
    const account = healthyAccount({ checks: [checkWith({ id: 1, status: 'down' })] });

    expect(await wordsOf(account)).toContain('No outage has been read yet.');
  });
});

describe('hostile text', () => {
  const hostile = `</td><script>alert(1)</script>"'&\u202e\n${'x'.repeat(5_000)}`;
  const shown = `&lt;/td>&lt;script>alert(1)&lt;/script>&quot;'&amp;\ufffd\ufffdxxx`;

  test.each(['name', 'hostname'] as const)('as %s of a check is text', async (field) => {
    const check = { ...checkWith({ id: 1, status: 'down' }), [field]: hostile };
    const text = await page(healthyAccount({ checks: [check] }));

    expect(text).toContain(`<bdi>${shown}`);
    expect(text).not.toContain('<script>');
    expect(text.length).toBeLessThan(20_000);
  });

  test('in an account, base URL or failure is text', async () => {
    const datasets = {
      ...accountsByState.failing.snapshot.datasets,
      checks: {
        ...accountsByState.failing.snapshot.datasets.checks,
        failure: {
          reason: 'not_json' as const,
          message: hostile,
          sinceSeconds: noon,
          consecutive: 2,
        },
      },
    };
    const account = healthyAccount({ account: hostile, baseUrl: hostile, datasets });
    const text = await page(account, accountsByState.ok);

    expect(text.split(`<bdi>${shown}`).length).toBeGreaterThan(4);
    expect(text).not.toContain('<script>');
  });
});

test('the note of an optional feature stands with the account, at the time of the service', async () => {
  const note = (nowSeconds: number) => h('p', {}, `noted at ${nowSeconds}`);
  const feature = { name: 'example', json: () => ({}), note };
  const status = { ...accountsByState.ok, clockOffsetSeconds: 7, features: [feature] };
  expect(await wordsOf(status)).toContain(`noted at ${noon + 7}`);
});

describe('the maintenance of the accounts', () => {
  const planned = { windows: [], next: new Map(), activeIds: new Set<number>() };
  const datasets = { checks: datasetWith(), maintenance: datasetWith() };
  const none = healthyAccount({ account: 'shop', maintenance: planned, datasets });
  const notKnown = healthyAccount({ account: 'old', apiVersion: '2.0' });

  test('is "none" only if that is known', async () => {
    const text = await wordsOf(none);

    expect(text).toContain('Maintenance None is planned.');
  });

  test('is not known where the service does not report it', async () => {
    const text = await wordsOf(notKnown);

    expect(text).toContain('Maintenance Not known.');
    expect(text).not.toContain('None is planned');
  });

  test('names the accounts for which it is not known', async () => {
    const text = await wordsOf(none, notKnown);

    expect(text).toContain('Maintenance None is planned. Not known for old.');
  });

  test('is listed as it was read, whatever the counters do with it', async () => {
    const why = 'list_maintenance: HTTP 502';
    const members = { checkIds: [1, 2], transactionIds: [3] };
    const windows = [{ id: 1, description: 'Move', recurrence: 'none', ...members }] as const;
    const span = { maintenanceId: 1, fromSeconds: noon - 60, toSeconds: noon + 600 };
    const next = new Map([[1, span]]);
    const maintenance = { ...planned, windows, next, activeIds: new Set([1]) };
    const account = healthyAccount({ maintenance, datasets });
    const lateSeconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };

    for (const [knowledge, note] of [
      [{ is: 'awaited', why }, 'The counters wait for maintenance to be read, for an hour at most'],
      [
        { is: 'earlier', why, readAtSeconds: noon - 3_600 },
        'Time is counted with the maintenance that was read at 2026-01-05 11:00:00 UTC ',
      ],
    ] as const) {
      const counting = { lagSeconds: 0, lateSeconds, maintenance: knowledge };
      const words = await wordsOf({ ...account, counting });
      expect(words).toContain(`${note}: ${why}.`);
      expect(words).toContain('Move under way 2 checks and 1 transaction, for another 10 min');
      expect(words).not.toMatch(/maintenance is not known/i);
    }
  });

  test('says how many of it are not in the list', async () => {
    const windows = Array.from({ length: 9 }, (_, place) => ({
      ...{ id: place, description: `Move ${place}`, recurrence: 'none' as const },
      ...{ checkIds: [1], transactionIds: [] },
    }));
    const next = new Map(
      windows.map(({ id }) => {
        const from = noon + 3_600 + id;
        return [id, { maintenanceId: id, fromSeconds: from, toSeconds: from + 600 }];
      }),
    );
    const maintenance = { ...planned, windows, next };
    const text = await wordsOf(healthyAccount({ maintenance, datasets }));

    expect(text).toContain('Move 5');
    expect(text).not.toContain('Move 6');
    expect(text).toContain('and 3 more');
  });

  const stale = { intervalSeconds: 300, stale: true, lastSuccessAtSeconds: noon - 3 * 86_400 };
  test.each([
    ['the last reading of it is stale', { maintenance: stale }],
    ['it is no longer read', {}],
  ])('is not known where %s', async (_, maintenance) => {
    const account = healthyAccount({
      account: 'shop',
      maintenance: planned,
      datasets: { checks: datasetWith(), ...maintenance },
    });
    const text = await wordsOf(account);

    expect(text).toContain('Maintenance Not known.');
    expect(text).not.toContain('None is planned');
    const reply = await request(testApp({ accounts: [account] }))
      .get('/checks/1')
      .redirects(1);
    expect(reply.text).toContain('<dt>Maintenance</dt><dd>not known</dd>');
  });
});
