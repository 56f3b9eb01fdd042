import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/lib/secret.ts';
import { testApp } from '../../support/http-app.ts';

describe('with a prefix', () => {
  const app = (options = {}) => testApp({ routePrefix: '/a/b', ...options });

  test.each(['/metrics', '/', '/status.json', '/-/healthy', '/-/ready'])(
    '%s is below it and nowhere else',
    async (path) => {
      expect((await request(app()).get(`/a/b${path}`)).status).toBe(200);
      for (const other of [`/a${path}x`, `/a/bc${path}`, `/A/B${path}`, `/x${path}`]) {
        const { status, text } = await request(app()).get(other);
        expect([other, status, text]).toEqual([
          other,
          404,
          'Not found. Everything is below /a/b/\n',
        ]);
      }
    },
  );

  test.each(['/', '/a/b'])('%s leads to the status page', async (path) => {
    const { status, headers } = await request(app()).get(path);

    expect([status, headers.location]).toEqual([302, '/a/b/']);
  });

  test('behind a proxy it leads to the external URL', async () => {
    const externalUrl = new URL('https://example.com/x/y');
    const { headers } = await request(app({ externalUrl })).get('/');

    expect(headers.location).toBe('https://example.com/x/y/');
  });

  test('a query and a webhook keep theirs', async () => {
    let calls = 0;
    const hooks = () => [{ secret: new Secret('a-webhook-secret'), called: () => calls++ }];

    expect((await request(app()).get('/a/b/metrics?dataset=chekcs')).status).toBe(400);
    await request(app({ hooks })).post('/a/b/hooks/a-webhook-secret');
    expect(calls).toBe(1);
  });

  test('what is not found names the metrics with it', async () => {
    expect((await request(app()).get('/a/b/x')).text).toContain('The metrics are at /a/b/metrics');
  });
});

describe('a POST that a browser sends', () => {
  const configuration = {
    shown: () => '',
    last: { succeededAtSeconds: 0 },
    reload: async () => ({ succeededAtSeconds: 0 }),
  };
  const externalUrl = new URL('https://uptime.example.com/');

  test.each([
    [{ Origin: 'https://uptime.example.com' }, 200],
    [{ Origin: 'http://uptime.example.com' }, 403],
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' }, 200],
    [{ 'Sec-Fetch-Site': 'none' }, 200],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{}, 200],
  ])('through a proxy with %j gets %i', async (headers, status) => {
    const app = testApp({ configuration, externalUrl });

    expect((await request(app).post('/-/reload').set(headers)).status).toBe(status);
  });
});
