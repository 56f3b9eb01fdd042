import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../support/http-app.ts';
import { accountsByState } from '../../support/snapshots.ts';

const paths = ['/metrics', '/-/healthy', '/-/ready', '/', '/status.json', '/sd', '/outages.json'];

describe('health', () => {
  test.each([
    ['/-/healthy', { alive: true, unready: 'no data' }, 200, 'ok\n'],
    [
      '/-/healthy',
      { alive: false },
      503,
      'not healthy: the poller has stopped; restart the exporter\n',
    ],
    ['/-/ready', { alive: false }, 200, 'ready\n'],
    [
      '/-/ready',
      { alive: true, unready: 'no data' },
      503,
      'not ready: no data yet; the status page at / says why\n',
    ],
    [
      '/-/ready',
      { alive: true, unready: 'no database' },
      503,
      'not ready: the database does not answer; the log says why\n',
    ],
  ] as const)('%s with %j answers %i', async (path, health, status, body) => {
    const unready = 'unready' in health ? health.unready : undefined;
    const app = testApp({ health: { alive: () => health.alive, unready: () => unready } });

    const get = await request(app).get(path);
    const head = await request(app).head(path);

    expect(get.status).toBe(status);
    expect(get.text).toBe(body);
    expect(get.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(head.status).toBe(status);
    expect(head.text).toBeUndefined();
    expect(head.headers['content-length']).toBe(String(body.length));
  });
});

describe('methods', () => {
  const refused = ['post', 'put', 'patch', 'delete', 'options'] as const;
  test.each(paths.flatMap((path) => refused.map((method) => [method, path] as const)))(
    '%s %s is not allowed',
    async (method, path) => {
      const reply = await request(testApp())[method](path);

      expect(reply.status).toBe(405);
      expect(reply.headers.allow).toBe('GET, HEAD');
      expect(reply.text).toBe('Method not allowed: use GET or HEAD.\n');
    },
  );

  test.each(paths)('HEAD %s has the length of GET and no body', async (path) => {
    const app = testApp({ accounts: [accountsByState.ok] });
    const get = await request(app).get(path).set('Accept-Encoding', 'identity');
    const head = await request(app).head(path).set('Accept-Encoding', 'identity');

    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
    expect(head.text).toBeUndefined();
  });
});

describe('anything else', () => {
  test.each([
    '/assets/page.js',
    '/metrics/',
    '/METRICS',
    '/metrics/x',
    '//metrics',
    '/-/healthy/',
    '/-/reload',
    '/-/quit',
    '/..%2f..%2fetc/passwd',
    '/%',
    '/%E0%A4%A',
    '/%00',
  ])('%s is not found, with a hint to the metrics', async (path) => {
    const reply = await request(testApp({ telemetryPath: '/metrics' })).get(path);

    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.text).toBe('Not found. The metrics are at /metrics\n');
    expect(reply.headers).not.toHaveProperty('x-powered-by');
    expect(reply.headers).not.toHaveProperty('etag');
  });

  test.each([
    ['/checks/99999', '../'],
    ['/accounts/main/checks/99', '../../../'],
    ['/nothing', './'],
    ['/nothing/at/all', '../../'],
  ])('%s is not found, and a browser gets a way back', async (path, home) => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const reply = await request(testApp()).get(path).set(browser);

    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toContain(`<a href="${home}">All checks and transactions</a>`);
  });

  test.each(['/metrics?', '/metrics?a=%', '/metrics?a[b]=1&a[__proto__]=2', '/metrics?%E0%A4%A'])(
    'a query that means nothing is ignored: %s',
    async (path) => {
      expect((await request(testApp()).get(path)).status).toBe(200);
    },
  );
});
