import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ApiError } from '../../../src/api/errors.ts';
import { bearerToken } from '../../../src/api/http/authentication.ts';
import { HttpClient } from '../../../src/api/http/client.ts';
import { Scrubber, Secret } from '../../../src/lib/secret.ts';
import { whole } from '../../../src/lib/whole.ts';
import { ResponseServer, sendJson, sendResponse } from '../../support/response-server.ts';
import { servedBench, TransportBench, token } from '../../support/transport-bench.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

describe('a request', () => {
  test('is a GET with credentials, that asks for compressed JSON', async () => {
    const { bench, server } = await servedBench(sendJson({ checks: [] }));

    const value = await bench.transport.get({
      operation: 'test',
      path: 'summary.average/12',
      query: { includeuptime: true, from: whole(5), tags: 'a,b&c' },
      signal: new AbortController().signal,
    });

    expect(value).toEqual({ checks: [] });
    expect(server.requests).toHaveLength(1);
    const { method, target, headers } = server.requests[0] ?? {};
    expect(method).toBe('GET');
    expect(target).toBe('/api/3.1/summary.average/12?includeuptime=true&from=5&tags=a%2Cb%26c');
    expect(headers?.get('authorization')).toBe(`Bearer ${token}`);
    expect(headers?.get('accept-encoding')).toBe('gzip');
  });

  test('goes below the path of the base URL, without its credentials, query and fragment', async () => {
    const server = await ResponseServer.start(sendJson({}));
    const baseUrl = `${server.url.replace('//', '//user:word@')}/proxy/?key=1#top`;
    const bench = new TransportBench({ baseUrl });

    await bench.get();

    expect(server.requests[0]?.target).toBe('/proxy/api/3.1/checks');
    expect(server.requests[0]?.headers.get('authorization')).toBe(`Bearer ${token}`);
    expect(bench.transport.baseUrl).toBe(`${server.url}/proxy`);
  });
});

test('a response contains neither the token nor the credentials of a proxy', async () => {
  const password = 'proxy/password-123';
  const sent = Buffer.from(`user:${password}`).toString('base64');
  const name = `${token} ${password} ${sent}`;
  const { bench } = await servedBench(sendJson({ checks: [{ name }] }), {
    proxy: {
      url: `http://user:${encodeURIComponent(password)}@proxy.invalid:3128`,
      except: '127.0.0.1',
    },
  });

  expect(await bench.get()).toEqual({ checks: [{ name: '<secret> <secret> <secret>' }] });
});

test('the size of a large response is told before it is decoded', async () => {
  const large = 'a'.repeat(2_000_001);
  const sizes: number[] = [];
  const workload = { decoding: (bytes: number) => sizes.push(bytes) };
  const { bench } = await servedBench(
    (...sent) => sendJson({ a: sizes.length === 0 ? large : 'b' })(...sent),
    { workload },
  );

  expect(await bench.get()).toEqual({ a: large });
  expect(sizes).toEqual([JSON.stringify({ a: large }).length]);

  expect(await bench.get()).toEqual({ a: 'b' });
  expect(sizes).toHaveLength(1);
});

describe('a response', () => {
  test.each([
    ['plain', {}, JSON.stringify({ a: 'ä' })],
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync(JSON.stringify({ a: 'ä' }))],
    ['GZIP in capitals', { 'Content-Encoding': 'GZIP' }, gzipSync(JSON.stringify({ a: 'ä' }))],
    ['with another content type', { 'content-type': 'text/html' }, JSON.stringify({ a: 'ä' })],
    ['with a byte order mark', {}, `\ufeff${JSON.stringify({ a: 'ä' })}`],
  ])('is read when it is %s', async (_kind, headers, body) => {
    const { bench } = await servedBench(sendResponse({ headers, body }));

    expect(await bench.get()).toEqual({ a: 'ä' });

    expect(bench.exchanges).toMatchObject([
      { operation: 'test', path: 'checks', code: '200', responseBytes: Buffer.byteLength(body) },
    ]);
  });

  test.each([200, 404, 429, 500])('with status %i tells the gate of the limits', async (status) => {
    const headers = {
      'Req-Limit-Short': 'Remaining: 394 Time until reset: 3589',
      'Req-Limit-Long': 'Remaining: 71994 Time until reset: 2591989',
    };
    const { bench } = await servedBench(sendJson({}, { status, headers }));

    await bench.get().catch(() => {});

    const limits = {
      short: { remaining: 394, resetSeconds: 3589 },
      long: { remaining: 71_994, resetSeconds: 2_591_989 },
    };
    expect(bench.releases).toEqual([[{ statusCode: status, limits }]]);
    expect(bench.exchanges.map(({ code }) => code)).toEqual([`${status}`]);
  });

  test.each([
    ['Sun, 01 Feb 2026 00:00:00 GMT', Date.UTC(2026, 1)],
    ['Sun Feb  1 00:00:00 2026', Date.UTC(2026, 1)],
    ['2026', undefined],
    ['today', undefined],
  ])('is dated %s wherever this machine is', async (date, at) => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { bench } = await servedBench(sendJson({}, { headers: { date } }));

    await bench.get();

    expect(bench.exchanges[0]?.dated?.date).toBe(at);
  });

  test('settles the permit when the headers are there, not when the body is', async () => {
    const { bench } = await servedBench((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n');
    });
    const caller = new AbortController();
    const result = bench.get(caller.signal);
    await bench.clock.sleptTimes(3);

    expect(bench.releases).toEqual([[{ statusCode: 200, limits: {} }]]);
    expect(bench.exchanges).toEqual([]);

    caller.abort();
    await expect(result).rejects.toMatchObject({ reason: 'aborted' });
  });

  test('that never arrives releases the permit without limits, and has a duration', async () => {
    const { bench, server } = await servedBench(() => {});
    const result = bench.get();
    result.catch(() => {});
    await server.received(1);
    await bench.clock.advance(15_000);

    await expect(result).rejects.toMatchObject({ reason: 'timeout' });
    expect(bench.releases).toEqual([[{}]]);
    expect(bench.exchanges).toEqual([
      { operation: 'test', path: 'checks', code: 'timeout', durationSeconds: 15, responseBytes: 0 },
    ]);
  });
});

describe('an error', () => {
  const refusal = (errormessage: string, status = 400) =>
    sendJson({ error: { statuscode: status, statusdesc: 'x', errormessage } }, { status });

  test("holds the service's own words", async () => {
    const { bench } = await servedBench(refusal('Request limit exceeded, try again later', 429));

    await expect(bench.get()).rejects.toMatchObject({
      message: 'test: HTTP 429: Request limit exceeded, try again later',
      statusCode: 429,
    });
  });

  test.each([
    ['too much of it', refusal('x'.repeat(70_000), 500)],
    [
      'broken gzip',
      sendResponse({ status: 500, headers: { 'content-encoding': 'gzip' }, body: 'x' }),
    ],
  ])('does without them when the body has %s', async (_kind, respond) => {
    const { bench } = await servedBench(respond);
    await expect(bench.get()).rejects.toMatchObject({
      message: 'test: HTTP 500',
    });
  });

  const forms = [
    ['as it is', token],
    ['encoded for a URL', encodeURIComponent(token)],
    ['in base64', Buffer.from(token).toString('base64')],
    ['as basic credentials', Buffer.from(`${token}:`).toString('base64')],
    ['where it would be cut', `${'x'.repeat(180)}${token}`],
  ] as const;

  test.each(forms)('shows no token that the service echoes %s', async (_form, echoed) => {
    const { bench } = await servedBench(refusal(`Bad token ${echoed} given`));

    const error = (await bench.get().catch((raised: unknown) => raised)) as ApiError;

    const shown = [
      error.message,
      `${error.stack}`,
      inspect(error.cause),
      JSON.stringify(error),
      inspect(error, { showHidden: true, depth: 9 }),
    ].join('\n');
    expect(shown).toContain('Bad token');
    expect(shown).not.toContain(echoed);
    expect(shown).not.toContain(token.slice(0, 12));
  });

  test('shows no token from a body that is not JSON', async () => {
    const { bench } = await servedBench(sendResponse({ body: `${token} is not a token` }));

    const error = await bench.get().catch((raised: unknown) => raised);

    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('is not a token');
  });
});

test('leaves nothing on the signal of a caller that makes many requests', async () => {
  const { bench } = await servedBench(sendJson({}));
  const caller = new AbortController();

  for (let count = 0; count < 20; count++) await bench.get(caller.signal);

  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  expect(bench.clock.sleepers).toBe(0);
});

test('leaves no deadline where nobody listens to its requests', async () => {
  const server = await ResponseServer.start(sendJson({}));
  const clock = new VirtualClock();
  const client = new HttpClient({
    baseUrl: server.url,
    version: '3.1',
    authentication: bearerToken(new Secret(token)),
    gate: { admit: () => ({ release: () => {} }) },
    clock,
    scrubber: new Scrubber([]),
  });
  onTestFinished(() => client.close());

  await client.get({ operation: 'test', path: 'checks', signal: new AbortController().signal });

  expect(clock.sleepers).toBe(0);
});
