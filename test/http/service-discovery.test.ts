import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { SharedAccountView } from '../../src/http/ports.ts';
import { targetOf } from '../../src/http/service-discovery.ts';
import { testApp } from '../support/http-app.ts';
import { accountsByState, checkWith, healthyAccount } from '../support/snapshots.ts';

const tagged = (name: string) => ({ name, source: 'user' }) as const;
const main = healthyAccount({
  checks: [
    checkWith({ id: 1, name: 'Shop "EU"', tags: [tagged('prod'), tagged('team:web')] }),
    checkWith({ id: 2, status: 'paused', severity: 'high', tags: [tagged('prod')] }),
    { id: 3, name: 'no host', type: 'http', status: 'up', tags: [] },
  ],
});
const second = healthyAccount({
  account: 'second',
  checks: [checkWith({ id: 9, status: 'down' })],
});

async function hosts(query: string): Promise<unknown[]> {
  const { status, body } = await request(testApp({ accounts: [main, second] })).get(`/sd${query}`);
  expect(status).toBe(200);
  return body.flatMap(({ targets }: { readonly targets: unknown }) => targets);
}

describe('targetOf', () => {
  test.each([
    ['shop.example.com', 'shop.example.com'],
    ['192.0.2.7', '192.0.2.7'],
    ['localhost', 'localhost'],
    ['my_host-1.internal', 'my_host-1.internal'],
    ['SHOP.example.com.', 'shop.example.com.'],
    ['2001:db8::7', '[2001:db8::7]'],
    ['::ffff:192.0.2.7', '[::ffff:192.0.2.7]'],
    ['[2001:db8::7]', '[2001:db8::7]'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('of %j is %s', (hostname, target) => {
    expect(targetOf(hostname)).toBe(target);
  });

  test.each([
    '',
    'https://shop.example.com/cart?id=1',
    'shop.example.com/',
    'shop.example.com?q',
    'shop.example.com#top',
    'shop.example.com:8443',
    '[2001:db8::7]:443',
    '2001:db8::7::1',
    '[shop.example.com]',
    'user:secret@shop.example.com',
    'sh op.example.com',
    ' shop.example.com',
    '*.example.com',
    'a,b.example.com',
    'shop..example.com',
    '-shop.example.com',
    '.example.com',
    '192.0.2.256',
    '192.0.2',
    'shop\\example.com',
    'shop.example.com\n',
    '\ud800.example.com',
    'x'.repeat(64),
    'x.'.repeat(128),
  ])('of %j is undefined', (hostname) => {
    expect(targetOf(hostname)).toBeUndefined();
  });
});

describe('/sd', () => {
  test('has a target group for each check with a host', async () => {
    const { headers, body } = await request(testApp({ accounts: [main] })).get('/sd');

    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toEqual([
      {
        targets: ['host1.example.com'],
        labels: {
          __meta_uptime_account: 'main',
          __meta_uptime_check_id: '1',
          __meta_uptime_check_name: 'Shop "EU"',
          __meta_uptime_check_type: 'http',
          __meta_uptime_check_state: 'up',
          __meta_uptime_check_resolution_seconds: '60',
          __meta_uptime_check_tags: ',prod,team:web,',
        },
      },
      {
        targets: ['host2.example.com'],
        labels: {
          __meta_uptime_account: 'main',
          __meta_uptime_check_id: '2',
          __meta_uptime_check_name: 'check 2',
          __meta_uptime_check_type: 'http',
          __meta_uptime_check_state: 'paused',
          __meta_uptime_check_severity: 'high',
          __meta_uptime_check_resolution_seconds: '60',
          __meta_uptime_check_tags: ',prod,',
        },
      },
    ]);
  });

  test('documents every label', async () => {
    const path = join(import.meta.dirname, '..', '..', 'docs', 'http.md');
    const documented = readFileSync(path, 'utf8').match(/__meta_uptime_\w+/g);
    const { body } = await request(testApp({ accounts: [main] })).get('/sd');
    const labels = body.flatMap((group: { labels: object }) => Object.keys(group.labels));

    expect(new Set(documented)).toEqual(new Set(labels));
  });

  test.each([
    ['', ['host1.example.com', 'host2.example.com', 'host9.example.com']],
    ['?account=second', ['host9.example.com']],
    ['?tag=prod', ['host1.example.com', 'host2.example.com']],
    ['?tag=team:web&tag=none', ['host1.example.com']],
    ['?state=down&state=paused', ['host2.example.com', 'host9.example.com']],
    ['?account=main&tag=prod&state=up', ['host1.example.com']],
    ['?tag=none', []],
  ])('%s selects %j', async (query, selected) => {
    expect(await hosts(query)).toEqual(selected);
  });

  test.each([
    ['?account=third', /unknown account "third": expected one of main, second/],
    ['?state=dead', /unknown state "dead": expected one of up, down, unconfirmed_down/],
    ['?tag=', /tag must not be empty/],
    ['?tags=prod', /unknown parameter "tags": expected one of account, tag, state/],
  ])('%s is refused', async (query, reason) => {
    const { status, text } = await request(testApp({ accounts: [main, second] })).get(
      `/sd${query}`,
    );
    expect(status).toBe(400);
    expect(text).toMatch(reason);
  });

  test('an account without a list yet keeps its targets, and those of others are there by name', async () => {
    const starting = accountsByState.starting;
    const app = testApp({ accounts: [main, starting] });
    expect((await request(app).get('/sd')).status).toBe(503);
    for (const [name, status] of [
      [starting.snapshot.account, 503],
      ['main', 200],
    ]) {
      expect((await request(app).get(`/sd?account=${name}`)).status).toBe(status);
    }
  });

  test('without any list yet it answers 503, so that Prometheus keeps its targets', async () => {
    const { status } = await request(testApp({ accounts: [accountsByState.starting] })).get('/sd');
    expect(status).toBe(503);
  });

  test('it also responds with a stale list', async () => {
    const { body } = await request(testApp({ accounts: [accountsByState.stale] })).get('/sd');
    expect(body).toHaveLength(5);
  });

  describe('of a replica', () => {
    const elsewhere = { account: 'third', holder: 'r2', isHeld: false, remainingSeconds: 0 };
    const replicas = (isDatabaseUp: boolean, third: SharedAccountView) => () => ({
      replica: 'r1',
      isDatabaseUp,
      accounts: [{ account: 'main', holder: 'r1', isHeld: true, remainingSeconds: 20 }, third],
    });
    const replica = (...view: Parameters<typeof replicas>) => {
      const status = { accounts: () => [main], replicas: replicas(...view) };
      return request(testApp({ status }));
    };

    test('has no targets of an account that another replica serves', async () => {
      const named = await replica(true, elsewhere).get('/sd?account=third');
      expect([named.status, named.body]).toEqual([200, []]);
      const all = await replica(true, elsewhere).get('/sd');
      expect([all.status, all.body.length]).toEqual([200, 2]);
    });

    const { holder: _, ...unowned } = elsewhere;
    test.each([
      ['no replica owns it', true, unowned],
      ['its owner is not known', false, unowned],
      ['this replica has just taken it', true, { ...elsewhere, holder: 'r1', isHeld: true }],
    ] as const)(
      'answers 503 for an account, so that its targets stay, while %s',
      async (...row) => {
        const [, isDatabaseUp, third] = row;
        for (const query of ['', '?account=third', '?account=main&account=third']) {
          const { status, text } = await replica(isDatabaseUp, third).get(`/sd${query}`);
          expect([query, status]).toEqual([query, 503]);
          expect(text).toContain('No replica serves the account "third" now');
        }
        expect((await replica(isDatabaseUp, third).get('/sd?account=main')).status).toBe(200);
      },
    );

    test('refuses an account that no replica has', async () => {
      const { status, text } = await replica(true, elsewhere).get('/sd?account=fourth');
      expect(status).toBe(400);
      expect(text).toContain('expected one of main, third');
    });
  });
});
