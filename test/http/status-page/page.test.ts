import { createHash } from 'node:crypto';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AccountStatus } from '../../../src/http/ports.ts';
import { testApp } from '../../support/http-app.ts';
import {
  accountsByState,
  budgetWith,
  checkWith,
  healthySnapshot,
  noon,
  refusedAccount,
} from '../../support/snapshots.ts';

async function page(...accounts: AccountStatus[]): Promise<string> {
  return (await request(testApp({ accounts })).get('/')).text;
}

/** What a reader of the page gets to see, with one space wherever there is any. */
async function wordsOf(...accounts: AccountStatus[]): Promise<string> {
  const body = (await page(...accounts)).replace(/^[\s\S]*<body>/, '');
  return body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('the reply', () => {
  test('allows its own style sheet and nothing else', async () => {
    const reply = await request(testApp()).get('/');

    const style = /<style>([\s\S]*?)<\/style>/.exec(reply.text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(style.length).toBeGreaterThan(0);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  test('has no script, inline style or outside resource', async () => {
    const text = await page(...Object.values(accountsByState));

    expect(text).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|\sstyle=|url\(|@import|src=/i);
  });

  test('says its language, its title, its size on phones, and when to load anew', async () => {
    const text = await page();

    expect(text).toContain('<html lang="en">');
    expect(text).toContain('<title>uptime-exporter</title>');
    expect(text).toContain('content="width=device-width, initial-scale=1"');
    expect(text).toContain('<meta http-equiv="refresh" content="30">');
    for (const landmark of ['<header>', '<main>', '<footer>', '<nav aria-label="Endpoints">']) {
      expect(text).toContain(landmark);
    }
  });

  test('names the version and links to the endpoints, wherever it is mounted', async () => {
    const app = testApp({ telemetryPath: '/custom:metrics', version: '4.5.6' });
    const { text } = await request(app).get('/');

    expect(text).toContain('4.5.6');
    for (const link of ['./custom:metrics', './-/healthy', './-/ready']) {
      expect(text).toContain(`href="${link}"`);
    }
  });

  test('says so when there is no account', async () => {
    expect(await wordsOf()).toContain('No account is configured.');
  });
});

describe('an account', () => {
  test('that is well shows what it is, its checks by status and its budget', async () => {
    const words = await wordsOf(accountsByState.ok);

    for (const phrase of [
      'main Up The check list is fresh.',
      'API 3.1 at https://api.example.com',
      'Checks 5 in all',
      '1 Up 1 Down 1 Unconfirmed down 1 Unknown 1 Paused',
      'Down now 2',
      'check 2 host2.example.com · check 2 Down 1 h 4 min 2026-01-05 10:56:00 UTC',
      'check 3 host3.example.com · check 3 Unconfirmed down not known',
      'checks 25 s 1 min 5',
      'credits 6 min 40 s 15 min 1',
      'The exporter may send 72 requests an hour; 0 in flight.',
      'Short window resets in 25 min 312 of 400 left. Below 80, the mark,',
      'Long window resets in 21 d 51,840 of 72,000 left. Below 14,400, the mark,',
      'As of 2026-01-05 12:00:00 UTC . This page',
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
        'The service has not told yet',
        'The service has not said what is left of it.',
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
        'What to do: The service does not accept the credentials. Check or renew the token.',
      ],
    ],
    [
      'paused',
      [
        'spent Out of budget',
        'Paused No request is sent until a window resets.',
        'Short window resets in 1 min 35 s 0 of 400 left.',
      ],
    ],
  ] as const)('that is %s says so, and why', async (state, phrases) => {
    const words = await wordsOf(accountsByState[state]);

    for (const phrase of phrases) expect(words).toContain(phrase);
  });

  test('that is refused without an exhausted window says when it asks again', async () => {
    const words = await wordsOf(refusedAccount);

    for (const phrase of [
      'refused Refused The service refuses requests (429) and names no window of the rate limit that is used up. The exporter asks again in 3 min 20 s, and waits longer after each refusal.',
      'Paused No request is sent for 3 min 20 s; then one finds out whether the service still refuses.',
    ]) {
      expect(words).toContain(phrase);
    }
    expect(words).not.toMatch(/Out of budget|until a window/);
  });

  test('that is refused says so when it is asking again', async () => {
    const budget = budgetWith({ paused: true, retrySeconds: 0 });
    const words = await wordsOf({ ...refusedAccount, budget });

    expect(words).toContain('The exporter is asking again, and waits longer after each refusal.');
    expect(words).toContain('Paused One request finds out whether the service still refuses.');
  });

  test('that is refused is told apart in the list of accounts', async () => {
    const words = await wordsOf(accountsByState.paused, refusedAccount);

    expect(words).toContain('spent Out of budget refused Refused');
  });

  test('shows no checks when it has none to show, rather than none down', async () => {
    const words = await wordsOf(accountsByState.stale);

    expect(words).not.toContain('No check is down.');
    expect(words).not.toContain('in all');
  });

  test('says that the configured rate holds when the service tells nothing', async () => {
    const budget = budgetWith({ mode: 'fallback', windows: {} });

    expect(await wordsOf({ ...accountsByState.ok, budget })).toContain(
      'so the configured rate holds.',
    );
  });

  test('one of several can be found from the top, with its state', async () => {
    const text = await page(accountsByState.ok, accountsByState.stale);

    expect(text).toContain('<a href="#account-2"><bdi>cut off</bdi></a>');
    expect(text).toContain('<h2 id="account-2"><bdi>cut off</bdi>');
  });
});

describe('the budget bars', () => {
  test('show what is left and mark the reserve', async () => {
    const text = await page(accountsByState.ok);

    expect(text).toContain('role="img" aria-label="78 % left, 20 % reserved"');
    expect(text).toMatch(/class="left" width="78%"/);
    expect(text).toMatch(/class="reserve" x="20%"/);
  });

  test('look different at the reserve', async () => {
    expect(await page(accountsByState.paused)).toMatch(/class="low" width="19.4%"/);
  });

  test('stay within the bar for a window of size 0 and for more left than the limit', async () => {
    const windows = {
      short: { limit: 0, remaining: 0, reserve: 0, resetSeconds: 0 },
      long: { limit: 10, remaining: 15, reserve: 2, resetSeconds: 60 },
    };
    const text = await page({ ...accountsByState.ok, budget: budgetWith({ windows }) });

    expect(text).toContain('aria-label="0 % left, 0 % reserved"');
    expect(text).toContain('aria-label="100 % left, 20 % reserved"');
    expect(text).toContain('is resetting now');
  });
});

describe('what is down', () => {
  const down = (id: number, since?: number) =>
    checkWith({
      id,
      status: 'down',
      ...(since === undefined ? {} : { lastDownStartAtSeconds: since }),
    });

  test('is in order of its start, the latest first and the unknown last', async () => {
    const checks = [down(1, noon - 500), down(2), down(3, noon - 20), down(4, noon - 60)];
    const text = await page({ ...accountsByState.ok, snapshot: healthySnapshot({ checks }) });

    const ids = [...text.matchAll(/· check (\d+)/g)].map((match) => match[1]);
    expect(ids).toEqual(['3', '4', '1', '2']);
  });

  test('is cut after 50, with the number of the others', async () => {
    const checks = Array.from({ length: 53 }, (_, index) => down(index + 1, noon - index));
    const text = await page({ ...accountsByState.ok, snapshot: healthySnapshot({ checks }) });

    expect([...text.matchAll(/· check \d+/g)]).toHaveLength(50);
    expect(text).toContain('and 3 more');
  });

  test('does not take the start of an outage that is over for its own', async () => {
    const check = {
      ...down(1, noon - 5_000),
      status: 'unconfirmed_down' as const,
      lastDownEndAtSeconds: noon - 4_000,
    };
    const words = await wordsOf({
      ...accountsByState.ok,
      snapshot: healthySnapshot({ checks: [check] }),
    });

    expect(words).toContain('Unconfirmed down not known');
  });

  test('is said to be nothing when nothing is', async () => {
    const snapshot = healthySnapshot({ checks: [checkWith({ id: 1 })] });

    expect(await wordsOf({ ...accountsByState.ok, snapshot })).toContain('No check is down.');
  });
});

describe('hostile text', () => {
  const hostile = `</td><script>alert(1)</script>"'&\u202e\n${'x'.repeat(5_000)}`;
  const shown = '&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\ufffd\ufffdxxx';

  test.each(['name', 'hostname'] as const)('as %s of a check is text', async (field) => {
    const check = { ...checkWith({ id: 1, status: 'down' }), [field]: hostile };
    const text = await page({
      ...accountsByState.ok,
      snapshot: healthySnapshot({ checks: [check] }),
    });

    expect(text).toContain(`<bdi>${shown}`);
    expect(text).not.toContain('<script');
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
    const snapshot = healthySnapshot({ account: hostile, baseUrl: hostile, datasets });
    const text = await page({ ...accountsByState.ok, snapshot }, accountsByState.ok);

    expect(text.split(`<bdi>${shown}`)).toHaveLength(5);
    expect(text).not.toContain('<script');
  });
});
