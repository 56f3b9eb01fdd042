import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../../src/config/problems.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { RetryingClient, type RetryingClientOptions } from '../../src/remote/retrying-client.ts';
import {
  ResponseServer,
  responseBytes,
  sendAndClose,
  sendResponse,
} from '../support/response-server.ts';

const now = Date.UTC(2026, 0, 5, 12);
const idleClock: Clock = { now: () => now, monotonic: () => 0, sleep: async () => {} };

/** A client of an exporter at this address, without waits. */
function clientOf(url: string, others: Partial<RetryingClientOptions> = {}): RetryingClient {
  return new RetryingClient({
    url,
    server: 'the exporter',
    authFlag: '--auth-file',
    clock: idleClock,
    signal: new AbortController().signal,
    ...others,
  });
}
const date = 'Mon, 05 Jan 2026 08:00:00 GMT';

/** The waits of a client whose server responds once with an error, with these headers. */
async function waitsAfter(
  headers: Readonly<Record<string, string>>,
  status = 503,
): Promise<number[]> {
  const overloaded = sendResponse({ status, headers, body: 'overloaded' });
  const fine = sendResponse({ status: 200, body: '{}' });
  const server = await ResponseServer.start((socket, request) =>
    (server.requests.length === 1 ? overloaded : fine)(socket, request),
  );
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  await clientOf(server.url, { clock: { ...idleClock, sleep } }).json('GET', '/status.json');
  return waits;
}

test.each([
  ['no header', {}, 500],
  ['seconds', { 'Retry-After': '45' }, 45_000],
  ['a date', { 'Retry-After': 'Mon, 05 Jan 2026 12:01:00 GMT' }, 60_000],
  ['a date and a Date', { 'Retry-After': 'Mon, 05 Jan 2026 08:00:30 GMT', Date: date }, 30_000],
  ['nonsense', { 'Retry-After': 'later' }, 500],
  ['more than its patience', { 'Retry-After': '3600' }, 600_000],
])('a client waits as its server asks: %s', async (_, headers, milliseconds) => {
  expect(await waitsAfter(headers)).toEqual([milliseconds]);
});

test.each([429, 500])('after a response of %i a client tries again', async (status) => {
  expect(await waitsAfter({}, status)).toEqual([500]);
});

test.each([400, 404])('after a response of %i a client gives up', async (status) => {
  await expect(waitsAfter({}, status)).rejects.toMatchObject({ status });
});

test('a client says in plain words that its server does not use TLS', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const client = clientOf(url, { patienceMilliseconds: 0 });
  await expect(client.json('GET', '/status.json')).rejects.toThrow(
    `cannot reach the exporter at ${url}: it does not use TLS on this port; write http://`,
  );
});

const refused = new Error('connect ECONNREFUSED ::1:9158');

test.each([
  ['of one address', refused, refused.message],
  [
    'of each address of its name',
    new AggregateError([refused, new Error('other')]),
    refused.message,
  ],
  ['without a text', new Error(), 'fetch failed'],
  ['that is none', undefined, 'fetch failed'],
  [
    'of a certificate of an own authority',
    Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    'self-signed certificate; NODE_EXTRA_CA_CERTS names a file with the certificate of your authority',
  ],
  [
    'of a server that is silent',
    Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' }),
    'it accepted the request, but did not respond within five minutes',
  ],
])('a client says why its server cannot be reached, with an error %s', async (_, cause, reason) => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  fetched.mockRejectedValue(new TypeError('fetch failed', { cause }));
  const client = clientOf('http://localhost:9158', { patienceMilliseconds: 0 });

  await expect(client.json('GET', '/status.json')).rejects.toThrow(
    new UsageError(`cannot reach the exporter at http://localhost:9158: ${reason}`),
  );
});

test.each(['json', 'lines'] as const)(
  'a response that breaks off is reported in plain words (%s)',
  async (reading) => {
    const whole = responseBytes({ body: '{"checks": []}' });
    const server = await ResponseServer.start(sendAndClose(whole.subarray(0, -1)));
    const client = clientOf(server.url);
    const read = async () => {
      if (reading === 'json') await client.json('GET', '/');
      else for await (const line of client.lines('/')) expect(line).toBe('');
    };
    await expect(read()).rejects.toThrow(
      new UsageError('the response broke off (other side closed); run the same command again'),
    );
  },
);

test.each(['GET', 'POST'] as const)(
  'a redirect of a %s is not followed, because it may lose the method and the credentials',
  async (method) => {
    const headers = { Location: 'https://uptime.example.com/-/backfill?state=hunter2' };
    const server = await ResponseServer.start(sendResponse({ status: 301, headers }));
    const client = clientOf(server.url);
    await expect(client.json(method, '/-/backfill')).rejects.toThrow(
      `the exporter at ${server.url} redirects to https://uptime.example.com; give the address to which it redirects`,
    );
  },
);

test('a port that Node.js refuses is not tried again', async () => {
  const sleep = () => Promise.reject(new Error('waits'));
  const client = clientOf('http://127.0.0.1:10080', { clock: { ...idleClock, sleep } });

  await expect(client.json('GET', '/status.json')).rejects.toThrow(
    new UsageError(
      'cannot reach the exporter at http://127.0.0.1:10080: Node.js sends no request to this port, as browsers do not; let the server listen on another one',
    ),
  );
});

test('a client waits twice as long each time, up to 15 seconds, as long as its patience lasts', async () => {
  const server = await ResponseServer.start(sendResponse({ status: 503 }));
  const waits: number[] = [];
  const waited = () => waits.reduce((sum, wait) => sum + wait, 0);
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  const client = clientOf(server.url, {
    clock: { now: () => now, monotonic: waited, sleep },
    patienceMilliseconds: 30_500,
  });

  await expect(client.json('GET', '/')).rejects.toMatchObject({ status: 503 });
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000]);
});
