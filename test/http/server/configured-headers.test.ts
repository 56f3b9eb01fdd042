import { request as httpRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/http/server/listen.ts';
import { WebSecurity } from '../../../src/http/web-config/web-security.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { testApp } from '../../support/http-app.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { FilesInMemory } from '../../support/web-files.ts';

const configuration = `
http_server_config: {headers: {Strict-Transport-Security: max-age=60, X-Frame-Options: deny}}
basic_auth_users: {alice: $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW}
`;

async function start() {
  const files = new FilesInMemory();
  files.put('/etc/web.yml', configuration);
  const log = { info: () => undefined, error: () => undefined };
  const security = new WebSecurity({ path: '/etc/web.yml', files, log });
  const clock = new VirtualClock();
  const app = testApp({
    clock,
    security,
    routePrefix: '/uptime',
    unauthenticatedProbes: true,
    hooks: () => [{ secret: new Secret('the-hook-secret'), called: () => undefined }],
  });
  const running = await listen(app, '127.0.0.1:0', clock, { security });
  onTestFinished(() => running.close(0));
  return running.url;
}

test.each([
  ['GET', '/uptime/-/healthy', {}, 200],
  ['POST', '/uptime/hooks/the-hook-secret', {}, 202],
  ['GET', '/', {}, 302],
  ['GET', '/uptime/metrics', {}, 401],
  ['GET', '/uptime/metrics', { host: 'other.example' }, 403],
  ['GET', '/elsewhere', {}, 404],
  ['POST', '/uptime/-/healthy', {}, 405],
] as const)(
  'the response to %s %s with %j, a %i, has the headers of the web configuration',
  async (method, path, headers, status) => {
    const url = await start();
    const response = await new Promise<{ status?: number | undefined; headers: object }>(
      (resolve, reject) => {
        httpRequest(`${url}${path}`, { method, headers, agent: false }, (answer) => {
          answer.resume();
          resolve({ status: answer.statusCode, headers: answer.headers });
        })
          .once('error', reject)
          .end();
      },
    );
    expect(response).toMatchObject({
      status,
      headers: { 'strict-transport-security': 'max-age=60', 'x-frame-options': 'deny' },
    });
  },
);
