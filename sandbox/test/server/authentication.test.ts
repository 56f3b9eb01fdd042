import { describe, expect, test } from 'vitest';
import {
  bearer,
  legacyHeaders,
  readOnlyToken,
  refused,
  startTestSandbox,
} from '../start-test-sandbox.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const credentials = { email: 'ops@example.org', password: 'se:cret ä', appKey: 'key-1' };
const good = { authorization: basic('ops@example.org:se:cret ä'), 'app-key': 'key-1' };

describe.each(['2.0', '2.1'])('version %s', (version) => {
  const path = `/api/${version}/credits`;

  test('takes e-mail address, password and application key', async () => {
    const { send } = await startTestSandbox(credentials);

    expect((await send('GET', path, { headers: good })).status).toBe(200);
  });

  test('has credentials for a demonstration', async () => {
    const { send } = await startTestSandbox();

    expect((await send('GET', path, { headers: legacyHeaders })).status).toBe(200);
  });

  test('may name the account', async () => {
    const { send } = await startTestSandbox({ ...credentials, accountEmail: 'boss@example.org' });
    const as = async (account: string) =>
      (await send('GET', path, { headers: { ...good, 'account-email': account } })).status;

    expect(await as('boss@example.org')).toBe(200);
    expect(await as('ops@example.org')).toBe(200);
    expect(await as('other@example.org')).toBe(401);
  });

  test.each([
    ['another password', { ...good, authorization: basic('ops@example.org:other') }],
    ['another address', { ...good, authorization: basic('other@example.org:se:cret ä') }],
    ['another application key', { ...good, 'app-key': 'key-2' }],
    ['no application key', { authorization: good.authorization }],
    ['an API token as bearer', { ...bearer, 'app-key': 'key-1' }],
    ['an API token as user', { authorization: basic('token-for-tests:'), 'app-key': 'key-1' }],
  ])('refuses %s, and the account is not charged', async (_what, headers) => {
    const { send, sandbox } = await startTestSandbox(credentials);

    expect(await send('GET', path, { headers })).toMatchObject(
      refused(401, 'The credentials are not a valid e-mail address, password and application key'),
    );
    expect(sandbox.limits.reading('short').remaining).toBe(400);
  });

  test('shows what is missing', async () => {
    const { send } = await startTestSandbox();

    const { status, headers, body } = await send('GET', path, { headers: {} });

    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Basic');
    expect(body).toMatchObject({ error: { statuscode: 403, statusdesc: 'Forbidden' } });
  });

  test('answers a path it does not have with status 404 at the cost of a request', async () => {
    const { send } = await startTestSandbox();

    expect(await send('GET', `/api/${version}/tms/check`)).toMatchObject({
      ...refused(404, `There is nothing at /api/${version}/tms/check`),
      headers: { 'req-limit-short': 'Remaining: 399 Time until reset: 3600' },
    });
  });
});

test('account credentials do not open version 3.1', async () => {
  const { send } = await startTestSandbox();

  expect((await send('GET', '/api/3.1/credits', { headers: legacyHeaders })).status).toBe(401);
});

test.each(['POST', 'PUT', 'DELETE'] as const)(
  'a read-only token may not %s, and nothing happens',
  async (method) => {
    const { send, sandbox } = await startTestSandbox();
    const headers = { authorization: `Bearer ${readOnlyToken}` };
    const [check] = sandbox.world.checks;
    const path = method === 'POST' ? '/api/3.1/checks' : `/api/3.1/checks/${check?.id}`;

    expect(await send(method, path, { headers })).toMatchObject(
      refused(403, 'This API token has read access only'),
    );
    expect(sandbox.world.checks).toHaveLength(24);
  },
);
