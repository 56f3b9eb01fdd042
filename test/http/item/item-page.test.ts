import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AppOptions } from '../../../src/http/server/create-app.ts';
import { reportRoutes } from '../../../src/months/http/handlers.ts';
import { testApp } from '../../support/http-app.ts';
import { accountWith, datasetWith, noon } from '../../support/snapshots.ts';
import { account, app, changed, other, stale } from './support.ts';

describe('the page of an item', () => {
  test('is found by its id alone where that is unique', async () => {
    const reply = await app(account).get('/checks/3');
    expect([reply.status, reply.headers.location]).toEqual([302, '../accounts/main/checks/3']);
    const journey = await app(account).get('/transactions/502');
    expect(journey.headers.location).toBe('../accounts/main/transactions/502');
  });

  test.each(['/checks/%', '/accounts/%ZZ/checks/1', '/badge/%E0.svg'])(
    'is not looked for at %s, which is no path',
    async (path) => {
      const errors: object[] = [];
      const logger = { error: (facts: object) => errors.push(facts) };
      const reply = await request(testApp({ accounts: [account], logger })).get(path);
      expect([reply.status, errors]).toEqual([400, []]);
    },
  );

  test('counts the open outage of a stale list on, because its alert lasts', async () => {
    const labels = { importance: 'high', hostname: '' } as const;
    const outage = { ...labels, open: true, sinceSeconds: noon - 2_400 } as const;
    const { checks = [] } = changed(() => ({ outage })).snapshot;
    const { text } = await app(accountWith(stale, { checks })).get('/accounts/main/checks/3');
    expect(text).toContain('<title>(down) check 3 ');
    expect(text).toContain('for 40 min ');
  });

  test('shows the last known state where the list is stale', async () => {
    const reply = await app(stale).get('/accounts/main/checks/3');
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('The list is stale');
    expect(reply.text).toContain('<title>(not known) check 3 ');
    expect(reply.text).toMatch(/Down <small>last known<\/small>/);
    // The check was down for 40 minutes when the list was read, 25 seconds ago.
    expect(reply.text).toContain('for 39 min 35 s ');
    const words = reply.text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
    expect(words).toContain('Availability and error budget end at 2026-01-05 11:59:00 UTC.');
    expect((await app(stale).get('/')).text).not.toMatch(/All \d+ up/);
  });

  test.each([
    [0.9, 1, '3 d of downtime allowed. 3 d left, 100 %.'],
    [0.9995, 0.5, '21 min 36 s of downtime allowed. 10 min 48 s left, 50 %.'],
    [0.9999, -1, '4 min 19 s of downtime allowed. Overspent by 4 min 19 s.'],
  ])('shows the downtime that an objective of %d allows', async (ratio, remainingRatio, text) => {
    const budget = {
      ...{ objective: { ratio, reason: 'default' }, remainingRatio },
      ...{ errorRatios: {}, burnRates: {} },
    };
    const reply = await app(changed(() => ({ budget }))).get('/accounts/main/checks/1');

    const words = reply.text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(words).toContain(text);
  });

  test('does not say 100 % beside an outage that is not counted yet', async () => {
    const { states, past } = account;
    const counted = states?.ofCheck(1);
    if (states === undefined || past === undefined || counted === undefined) throw new Error();
    const down = { status: 'down', lastDownStartAtSeconds: noon - 40 } as const;
    const outages = [{ fromSeconds: noon - 40, causes: [] }];
    const failing = {
      ...changed(({ id }) => (id === 1 ? down : {})),
      states: { ...states, ofCheck: () => counted },
      past: { ...past, ofCheck: () => ({ outages }) },
    };
    const { text } = await app(failing).get('/accounts/main/checks/1');
    expect(text).toContain('<p class="rest">down 40 s.</p>');
    const list = await app(failing).get('/?q=host1.example');
    expect(list.text).toContain('aria-label="Last 24h: down 40 s"');
    expect(text).not.toContain('100 % up');
  });

  test('is not guessed where accounts share the id', async () => {
    const reply = await app(account, other).get('/checks/3');
    expect(reply.status).toBe(404);
    expect(reply.text).toContain('/accounts/main/checks/3, /accounts/a%2Fb%20%C3%BC/checks/3');
    const below = testApp({ accounts: [account, other], routePrefix: '/uptime' });
    expect((await request(below).get('/uptime/checks/3')).text).toContain(
      ' /uptime/accounts/main/checks/3, /uptime/accounts/a%2Fb%20%C3%BC/checks/3',
    );
  });

  test('belongs to the account in its path', async () => {
    const reply = await app(account, other).get('/accounts/a%2Fb%20%C3%BC/checks/3');
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('in account <bdi>a/b ü</bdi>');
    expect(reply.text).toContain(
      'uptime_check_up{account=&quot;a/b ü&quot;,check_id=&quot;3&quot;}',
    );
    for (const path of ['/accounts/x/checks/3', '/accounts/main/checks/501', '/checks/0x3']) {
      expect((await app(account, other).get(path)).status).toBe(404);
    }
  });

  test('has its badges with the text to copy', async () => {
    const { text } = await app(account).get('/accounts/main/checks/3');

    const pictures = [...text.matchAll(/<img src="\.\.\/\.\.\/\.\.\/(badge[^"]*)"/g)];
    expect(pictures).toHaveLength(3);
    for (const [, path = ''] of pictures) {
      const picture = await app(account).get(`/${path.replaceAll('&amp;', '&')}`);
      expect([path, picture.status]).toEqual([path, 200]);
      expect(text).toContain(`(../../../${path})</code>`);
    }
  });

  test('shows a long name whole, where the list cuts it', async () => {
    const name = 'long '.repeat(100).trim();
    const long = changed(() => ({ name }));

    expect((await app(long).get('/accounts/main/checks/3')).text).toContain(`<bdi>${name}</bdi>`);
    expect((await app(long).get('/')).text).not.toContain(name);
  });

  test.each([
    ['results', 3_600, 60, 'results 1 h on a change, at the latest in 1 min'],
    ['results', 3_600, 0, 'results 1 h due'],
    // A budget that reads 25,000 checks in years names no time for one of them.
    ['results', 1e9, 0, 'results never as the budget allows'],
    ['results', 1e9, 1e9, 'results never on a change'],
    ['outages', 1e9, 1e9, 'outages on events on a change'],
    ['outages', 604_800, 60, 'outages 7 d on a change, at the latest in 1 min'],
  ] as const)(
    'says of %s, read every %d s and next in %d s: %s',
    async (name, every, next, said) => {
      const dataset = datasetWith({ intervalSeconds: every });
      const datasets = { ...account.snapshot.datasets, [name]: dataset };
      const status = { ...accountWith(account, { datasets }), nextReadSeconds: () => next };
      const { text } = await app(status).get('/accounts/main/checks/3');
      expect(text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toContain(said);
    },
  );

  test('has links that work wherever it is mounted', async () => {
    const routes: AppOptions['routes'] = (site) =>
      reportRoutes({ status: { accounts: () => [] }, site, months: () => [] });
    const mounted = testApp({ accounts: [account], routePrefix: '/uptime', routes });
    const page = '/uptime/accounts/main/checks/3';
    const { text } = await request(mounted).get(page);
    const links = [...text.matchAll(/(?:href|src)="([^"#]*)"/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(8);
    for (const link of links) {
      const { pathname } = new URL(link, `http://localhost${page}`);
      expect([link, (await request(mounted).get(pathname)).status]).toEqual([link, 200]);
    }
  });

  test('of a transaction leads to the service as configured', async () => {
    const links = { transaction: 'https://service.example.com/tx/{id}' };
    const linked = testApp({ accounts: [account], links: () => links });
    const { text } = await request(linked).get('/accounts/main/transactions/501');
    expect(text).toContain('href="https://service.example.com/tx/501"');
  });

  test.each([
    ['https://g.example.com/', 'https://g.example.com/d/uptime-check?'],
    ['https://g.example.com', 'https://g.example.com/d/uptime-check?'],
    ['https://example.com/g/?orgId=2', 'https://example.com/g/d/uptime-check?orgId=2&amp;'],
  ])('leads to the service and to Grafana as configured, such as %s', async (grafana, board) => {
    const links = { check: 'https://service.example.com/#check={id}', grafana };
    const linked = testApp({ accounts: [other], links: () => links });
    const { text } = await request(linked).get('/accounts/a%2Fb%20%C3%BC/checks/3');
    expect(text).toContain('href="https://service.example.com/#check=3"');
    expect(text).toContain(`href="${board}var-account=a%2Fb+%C3%BC&amp;var-check=3"`);
  });
});
