import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AppOptions } from '../../../src/http/server/create-app.ts';
import { WebSecurity } from '../../../src/http/web-config/web-security.ts';
import { testApp } from '../../support/http-app.ts';
import { FilesInMemory } from '../../support/web-files.ts';

/** The password is `U*U`: a test vector of crypt_blowfish. */
const users =
  'basic_auth_users: {alice: $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW}';

function guardedApp(text: string, options: Partial<AppOptions> = {}) {
  const files = new FilesInMemory();
  files.put('/etc/web.yml', text);
  const errors: object[] = [];
  const log = { info: () => undefined, error: (facts: object) => errors.push(facts) };
  const security = new WebSecurity({ path: '/etc/web.yml', files, log });
  const slept: number[] = [];
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    /** The delay after a wrong password ends at once, and the timeout of a scrape never occurs. */
    sleep: async (milliseconds: number) => {
      if (milliseconds > 8_000) await new Promise(() => undefined);
      slept.push(milliseconds);
    },
  };
  return { app: testApp({ security, clock, ...options }), files, errors, slept };
}

const paths = [
  '/metrics',
  '/',
  '/status.json',
  '/sd',
  '/outages.json',
  '/metrics?compat=kokuwaio',
  '/-/healthy',
  '/-/ready',
  '/nothing',
  '/%',
];

describe('with users', () => {
  test.each(paths)('%s is for them alone', async (path) => {
    const { app } = guardedApp(users);
    const free = await request(testApp()).get(path);

    const nobody = await request(app).get(path);
    const wrong = await request(app).get(path).auth('alice', 'U*V');
    const unknown = await request(app).get(path).auth('mallory', 'U*U');
    const right = await request(app).get(path).auth('alice', 'U*U');

    for (const { status, text, headers } of [nobody, wrong, unknown]) {
      expect(status).toBe(401);
      expect(text).toBe('Unauthorized\n');
      expect(headers['www-authenticate']).toBe('Basic realm="uptime-exporter", charset="UTF-8"');
    }
    expect(right.status).toBe(free.status);
  });

  test.each(['Basic', 'Basic !', 'Bearer x', 'Basic YWxpY2U=', 'Digest username="alice"'])(
    'an authorization of %j has no credentials',
    async (authorization) => {
      const reply = await request(guardedApp(users).app)
        .get('/metrics')
        .set('Authorization', authorization);

      expect(reply.status).toBe(401);
    },
  );

  test('a guesser waits for the response, a client without a password does not', async () => {
    const { app, slept } = guardedApp(users);
    await request(app).get('/metrics');

    expect(slept).toEqual([]);
    await request(app).get('/metrics').auth('alice', 'one');
    await request(app).get('/metrics').auth('alice', 'two');
    expect(slept).toEqual([2_000, 2_000]);
  });

  test('the health checks need no password if the operator allows it, and nothing else does', async () => {
    const { app } = guardedApp(users, { unauthenticatedProbes: true, routePrefix: '/uptime' });
    const statusOf = async (path: string) => (await request(app).get(path)).status;

    expect(await statusOf('/uptime/-/healthy')).toBe(200);
    expect(await statusOf('/uptime/-/ready')).toBe(200);
    for (const path of [
      '/uptime/metrics',
      '/uptime/',
      '/uptime/status.json',
      '/uptime/-/healthy/',
      '/uptime/-/HEALTHY',
      '/uptime//-/healthy',
      '/uptime/-/healthy/..%2f..%2fmetrics',
      '/uptime/-%2fhealthy',
    ]) {
      expect([path, await statusOf(path)]).toEqual([path, 401]);
    }
  });

  test('a file that has become invalid changes nothing, and is logged once', async () => {
    const { app, files, errors } = guardedApp(users);

    files.put('/etc/web.yml', 'basic_auth_users: {alice: oops}');

    expect((await request(app).get('/metrics')).status).toBe(401);
    expect((await request(app).get('/metrics').auth('alice', 'U*U')).status).toBe(200);
    expect(errors).toEqual([
      { file: '/etc/web.yml', error: expect.stringContaining('/etc/web.yml:1:27:') },
    ]);
  });

  test.each(['', 'basic_auth_users:\n', 'http_server_config:\n'])(
    'a file that has lost all users, as one that is being written, opens nothing: %j',
    async (text) => {
      const { app, files, errors } = guardedApp(users);

      files.put('/etc/web.yml', text);

      expect((await request(app).get('/metrics')).status).toBe(401);
      expect((await request(app).get('/metrics').auth('alice', 'U*U')).status).toBe(200);
      expect(errors).toEqual([
        {
          file: '/etc/web.yml',
          error:
            '/etc/web.yml: it has no users any more; serving everybody without a password needs a restart',
        },
      ]);
    },
  );
});
