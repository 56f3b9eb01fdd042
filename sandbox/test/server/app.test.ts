import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { bearer, readOnlyToken, refused, startTestSandbox, token } from '../start-test-sandbox.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('credits have the documented attributes and agree with the check list', async () => {
  const { get } = await startTestSandbox();

  const { status, json } = await get('/api/3.1/credits');

  expect(status).toBe(200);
  expect(json()).toEqual({
    credits: {
      checklimit: 50,
      availablechecks: 26,
      useddefault: 24,
      usedtransaction: 3,
      availablesms: expect.any(Number),
      availablesmstests: expect.any(Number),
      autofillsms: expect.any(Boolean),
      autofillsms_amount: expect.any(Number),
      autofillsms_when_left: expect.any(Number),
      max_sms_overage: expect.any(Number),
      availablerumsites: expect.any(Number),
      usedrumsites: expect.any(Number),
      maxrumfilters: expect.any(Number),
      maxrumpageviews: expect.any(Number),
    },
  });
});

test.each([
  ['bearer', `Bearer ${token}`],
  ['bearer in another case', `bearer ${token}`],
  ['basic with an empty password', `Basic ${base64(`${token}:`)}`],
  ['bearer with the read-only token', `Bearer ${readOnlyToken}`],
  ['basic with the read-only token', `Basic ${base64(`${readOnlyToken}:`)}`],
])('lets a request in with %s', async (_what, authorization) => {
  const { get } = await startTestSandbox();

  expect((await get('/api/3.1/credits', { authorization })).status).toBe(200);
});

test.each([
  ['another bearer', 'Bearer other'],
  ['a basic password', `Basic ${base64(`${token}:secret`)}`],
  ['basic without a colon', `Basic ${base64(token)}`],
  ['an empty bearer', 'Bearer '],
  ['the bare token', token],
  ['another scheme', `Digest ${token}`],
])('refuses %s with status 401, and the account is not charged', async (_what, authorization) => {
  const { send, sandbox } = await startTestSandbox();

  const reply = await send('GET', '/api/3.1/checks', { headers: { authorization } });

  expect(reply).toMatchObject(refused(401, 'The credentials are not a valid API token'));
  expect(reply.headers).not.toHaveProperty('req-limit-short');
  expect(sandbox.limits.reading('short').remaining).toBe(400);
});

test('answers a request without credentials with status 401 and the documented body that says 403', async () => {
  const { get } = await startTestSandbox();

  const { status, json } = await get('/api/3.1/checks', {});

  expect(status).toBe(401);
  expect(json().error).toMatchObject({ statuscode: 403, statusdesc: 'Forbidden' });
});

test('without a read-only token, none can be guessed', async () => {
  const clock = (await startTestSandbox()).clock;
  const { get } = await startTestSandbox({ clock, token: 'another-token' });

  expect((await get('/api/3.1/credits', { authorization: 'Bearer undefined' })).status).toBe(401);
});

test.each(['/', '/api/3.1', '/api/3.1/Checks', '/api/3.1/nothing', '/api/4.0/checks', '/%'])(
  'answers %s with the documented body and status 404',
  async (path) => {
    const { get } = await startTestSandbox();

    const { status, headers, json } = await get(path);

    expect(status).toBe(404);
    expect(json().error).toMatchObject({ statuscode: 404, statusdesc: 'Not Found' });
    expect(headers['req-limit-short']).toBe('Remaining: 399 Time until reset: 3600');
  },
);

test('rejects another method with status 405 and names the allowed one', async () => {
  const { sandbox } = await startTestSandbox();

  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    const response = await request(`${sandbox.url}/api/3.1/credits`, { method, headers: bearer });

    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET');
    expect(await response.body.json()).toMatchObject({
      error: { statuscode: 405, statusdesc: 'Method Not Allowed' },
    });
  }
});

test('every authenticated response has the remaining requests of both windows', async () => {
  const { get, clock } = await startTestSandbox();

  const first = await get('/api/3.1/checks');
  await clock.advance(60_000);
  const second = await get('/api/3.1/credits');

  expect(first.headers['req-limit-short']).toBe('Remaining: 399 Time until reset: 3600');
  expect(first.headers['req-limit-long']).toBe('Remaining: 71999 Time until reset: 2592000');
  expect(second.headers['req-limit-short']).toBe('Remaining: 398 Time until reset: 3540');
  expect(second.headers['req-limit-long']).toBe('Remaining: 71998 Time until reset: 2591940');
});

test('beyond the limit requests are refused with the documented message until the window ends', async () => {
  const { get, clock, sandbox } = await startTestSandbox({ shortLimit: 2 });

  await get('/api/3.1/checks');
  await get('/api/3.1/checks');
  const refused = await get('/api/3.1/checks');
  await clock.advance(3_600_000);
  const afterwards = await get('/api/3.1/checks');

  expect(refused.status).toBe(429);
  expect(refused.json()).toEqual({
    error: {
      statuscode: 429,
      statusdesc: 'Too Many Requests',
      errormessage: 'Request limit exceeded, try again later',
    },
  });
  expect(refused.headers['req-limit-short']).toBe('Remaining: 0 Time until reset: 3600');
  expect(refused.headers['req-limit-long']).toBe('Remaining: 71997 Time until reset: 2592000');
  expect(afterwards.status).toBe(200);
  expect(sandbox.journal.countOfStatus(429)).toBe(1);
});

test('packs the body with gzip when asked, and only then', async () => {
  const { sandbox, get } = await startTestSandbox();
  const plain = await get('/api/3.1/checks');

  const packed = await request(`${sandbox.url}/api/3.1/checks`, {
    headers: { ...bearer, 'accept-encoding': 'gzip' },
  });
  const refused = await get('/api/3.1/checks', { ...bearer, 'accept-encoding': 'gzip;q=0' });

  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(plain.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(Buffer.from(await packed.body.arrayBuffer())).toString()).toBe(plain.text);
  expect(refused.headers).not.toHaveProperty('content-encoding');
  expect(refused.text).toBe(plain.text);
});

test('does not reveal its software', async () => {
  const { get } = await startTestSandbox();

  const { headers } = await get('/api/3.1/credits');

  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('etag');
});

test('the journal has the requests and the responses', async () => {
  const { get, sandbox, clock } = await startTestSandbox();
  const time = clock.now();

  await get('/api/3.1/checks?limit=3');
  await get('/api/3.1/nothing');
  await get('/api/3.1/credits', {});

  expect(sandbox.journal.recent).toEqual([
    { operation: 'list_checks', path: '/api/3.1/checks', query: { limit: '3' }, time, status: 200 },
    { operation: undefined, path: '/api/3.1/nothing', query: {}, time, status: 404 },
    { operation: 'get_credits', path: '/api/3.1/credits', query: {}, time, status: 401 },
  ]);
});

test('a failure of the sandbox itself has the documented body', async () => {
  const { clock } = await startTestSandbox();
  const broken = {
    now: () => {
      throw new Error('the clock stopped');
    },
    monotonic: () => 0,
    sleep: () => Promise.resolve(),
  };
  const startedAt = clock.now() / 1000;
  const { get } = await startTestSandbox({ clock: broken, limitsClock: clock, startedAt });

  const { status, json } = await get('/api/3.1/checks');

  expect(status).toBe(500);
  expect(json().error).toEqual({
    statuscode: 500,
    statusdesc: 'Internal Server Error',
    errormessage: 'The sandbox failed: the clock stopped',
  });
});
