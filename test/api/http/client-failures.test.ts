import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiError, type ApiErrorReason } from '../../../src/api/errors.ts';
import { bearerToken } from '../../../src/api/http/authentication.ts';
import type { Timeouts } from '../../../src/api/http/limits.ts';
import { createServiceV31 } from '../../../src/api/versions.ts';
import { Secret } from '../../../src/lib/secret.ts';
import {
  flood,
  type Responder,
  type ResponseServer,
  reset,
  responseBytes,
  type ScriptedResponse,
  sendAndClose,
  sendAndHang,
  sendJson,
  sendResponse,
} from '../../support/response-server.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { servedBench, TransportBench, token } from '../../support/transport-bench.ts';

interface Stage {
  readonly server: ResponseServer;
  readonly bench: TransportBench;
}

/** Makes the client fail in one way. Rejects with the error. */
type Provocation = (use: (stage: Stage) => void) => Promise<unknown>;

const mebibyte = 1024 * 1024;

const stage = (respond: Responder, options: Parameters<typeof servedBench>[1] = {}) =>
  servedBench(respond, { maxBodyBytes: mebibyte, ...options });

function responding(respond: Responder, options?: Parameters<typeof stage>[1]): Provocation {
  return async (use) => {
    const made = await stage(respond, options);
    use(made);
    return made.bench.get();
  };
}

const failing = (status: number, body: ScriptedResponse['body'] = ''): Provocation =>
  responding(sendResponse({ status, body }));

const refusing = (status: number, errormessage: string): Provocation =>
  failing(status, JSON.stringify({ error: { statuscode: status, statusdesc: 'x', errormessage } }));

function listing(...pages: unknown[]): Provocation {
  return async (use) => {
    const made = await stage((socket, request) => {
      const page = pages[made.server.requests.length - 1] ?? pages.at(-1);
      return sendJson(page)(socket, request);
    });
    use(made);
    const service = createServiceV31(made.bench.transport);
    return service.listChecks(new AbortController().signal);
  };
}

const toPlainHttp: Provocation = async (use) => {
  const made = await stage(sendJson({}));
  const plain = createHttpServer().listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const { port } = plain.address() as AddressInfo;
  const bench = new TransportBench({ baseUrl: `https://127.0.0.1:${port}` });
  onTestFinished(() => void plain.close());
  use({ ...made, bench });
  return bench.get();
};

/** Waits for `sleeps` timers, then advances the clock. */
function hanging(
  respond: Responder,
  sleeps: number,
  milliseconds: number,
  options: Parameters<typeof stage>[1] = {},
): Provocation {
  return async (use) => {
    const made = await stage(respond, options);
    use(made);
    const result = made.bench.get();
    result.catch(() => {});
    await made.server.received(1);
    await made.bench.clock.sleptTimes(sleeps);
    await made.bench.clock.advance(milliseconds);
    return result;
  };
}

const patience = (timeouts: Partial<Timeouts>) => ({ timeouts });

/** Sends a byte of the body every ten seconds of virtual time. */
function dripping(totalSeconds = 30): Provocation {
  return async (use) => {
    let drip = () => {};
    const made = await stage(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n');
        drip = () => void socket.write(' ');
      },
      patience({ total: totalSeconds * 1000 }),
    );
    use(made);
    const result = made.bench.get();
    result.catch(() => {});
    await made.bench.clock.sleptTimes(3);
    for (let drops = 1; drops < totalSeconds / 10; drops++) {
      await made.bench.clock.advance(10_000);
      drip();
      await made.bench.clock.sleptTimes(3 + drops);
    }
    expect(made.bench.exchanges).toEqual([]);
    await made.bench.clock.advance(10_000);
    return result;
  };
}

/** Accepts the connection, and never begins TLS. The virtual clock stands still. */
const neverShakingHands: Provocation = async (use) => {
  const made = await stage(() => {});
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const baseUrl = `https://127.0.0.1:${port}`;
  let hasDefaultEnded = false;
  new TransportBench({ baseUrl }).get().catch(() => {
    hasDefaultEnded = true;
  });
  const bench = new TransportBench({ baseUrl, ...patience({ connect: 100 }) });
  use({ ...made, bench });
  return bench.get().finally(() => expect(hasDefaultEnded).toBe(false));
};

/** Resets the connection when the client has read half of the body. */
const resettingWithin: Provocation = async (use) => {
  let breakOff = () => {};
  const made = await stage((socket) => {
    socket.write(halfABody);
    breakOff = () => void socket.resetAndDestroy();
  });
  use(made);
  const result = made.bench.get();
  result.catch(() => {});
  await made.bench.clock.sleptTimes(4);
  breakOff();
  return result;
};

function aborting(respond: Responder, sleeps: number): Provocation {
  return async (use) => {
    const made = await stage(respond);
    use(made);
    const caller = new AbortController();
    const result = made.bench.get(caller.signal);
    result.catch(() => {});
    await made.server.received(1);
    await made.bench.clock.sleptTimes(sleeps);
    caller.abort(new Error('stopping'));
    return result;
  };
}

const checks = (...ids: number[]) => ids.map((id) => ({ id }));
const halfABody = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"checks":';
const gzipped = (body: Uint8Array): Responder =>
  sendResponse({ headers: { 'content-encoding': 'gzip' }, body });
const goodGzip = gzipSync(JSON.stringify({ checks: checks(1, 2, 3) }));
const wrongChecksum = Buffer.from(goodGzip).fill(0, goodGzip.length - 8);
const corruptGzip = Buffer.from(goodGzip).fill(0xff, 10, 20);

/** The others depend on several responses (`src/state/refusals.ts`). */
type ClientReason = Exclude<ApiErrorReason, 'refused' | 'blocked_or_unauthorized'>;

const provocations: Readonly<
  Record<ClientReason, readonly (readonly [name: string, Provocation])[]>
> = {
  timeout: [
    ['no headers within 15 s', hanging(() => {}, 2, 15_000)],
    ['half the headers and then nothing', hanging(sendAndHang('HTTP/1.1 200 OK\r\n'), 2, 15_000)],
    ['a pause of 15 s within the body', hanging(sendAndHang(halfABody), 4, 15_000)],
    ['a body that drips for 30 s', dripping()],
    [
      'no headers within a configured 3 s',
      hanging(() => {}, 2, 3_000, patience({ headers: 3_000 })),
    ],
    [
      'a pause of a configured 3 s within the body',
      hanging(sendAndHang(halfABody), 4, 3_000, patience({ body: 3_000 })),
    ],
    ['a body that drips for a configured 20 s', dripping(20)],
    ['a handshake of more than the configured time', neverShakingHands],
  ],
  dns: [
    [
      'a host name that cannot be resolved',
      async (use) => {
        const { server } = await stage(() => {});
        // Longer than a label may be, so that the resolver refuses it without a query.
        const bench = new TransportBench({ baseUrl: `http://${'a'.repeat(70)}.invalid` });
        use({ server, bench });
        return bench.get();
      },
    ],
  ],
  connection: [
    [
      'nobody listening',
      async (use) => {
        const made = await stage(() => {});
        await made.server.close();
        use(made);
        return made.bench.get();
      },
    ],
    ['a reset before the headers', responding(reset)],
    ['a close before the headers', responding(sendAndClose(''))],
    ['something that is not HTTP', responding(sendAndClose('SSH-2.0-OpenSSH_9.2\r\n'))],
  ],
  not_tls: [['plain HTTP', toPlainHttp]],
  tls: [['a self-signed certificate', responding(sendJson({}), { tls: selfSigned })]],
  truncated: [
    ['a close within the body', responding(sendAndClose(halfABody))],
    ['a reset within the body', resettingWithin],
    [
      'a close within a chunked body',
      responding(sendAndClose('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"che')),
    ],
    ['gzip that ends early', responding(gzipped(goodGzip.subarray(0, -12)))],
  ],
  encoding: [
    ['corrupt gzip', responding(gzipped(corruptGzip))],
    ['gzip with a wrong checksum', responding(gzipped(wrongChecksum))],
    ['text that calls itself gzip', responding(gzipped(Buffer.from('{"checks":[]}')))],
    [
      'text that is not UTF-8',
      responding(sendResponse({ body: Buffer.from('{"a":"\xe9"}', 'latin1') })),
    ],
    [
      'a compression not asked for',
      responding(
        sendResponse({ headers: { 'content-encoding': 'deflate' }, body: deflateSync('{}') }),
      ),
    ],
  ],
  too_large: [
    ['a large body', responding(sendResponse({ body: ' '.repeat(mebibyte + 1) }))],
    ['a gzip bomb', responding(gzipped(gzipSync(Buffer.alloc(64 * mebibyte))))],
  ],
  not_json: [
    ['an HTML page', responding(sendResponse({ body: '<html>It works!</html>' }))],
    ['an empty body', responding(sendResponse({ body: '' }))],
    [
      'JSON cut short in a good frame',
      responding(sendResponse({ body: '{"checks":[{"id":1},{"i' })),
    ],
  ],
  shape: [
    ['a list of something else', listing({ probes: [] })],
    ['checks that are no list', listing({ checks: { id: 1 } })],
    ['an empty list with a total', listing({ checks: [], counts: { total: 3 } })],
    ['a list without one valid entry', listing({ checks: [{ name: 'a' }, 7] })],
    ['a response that is null', listing(null)],
  ],
  redirect: [301, 302, 303, 307, 308].map(
    (status) => [`status ${status}`, failing(status)] as const,
  ),
  bad_request: [
    ['status 400', refusing(400, 'Interval is too big for this resolution')],
    ['status 405', failing(405)],
    ['status 418', failing(418)],
  ],
  unauthorized: [['status 401', refusing(401, 'User credentials missing')]],
  blocked: [
    ['status 401 with a text', failing(401, 'error code: 1020')],
    ['status 401 without a body', failing(401)],
    ['status 401 with JSON of another form', failing(401, '{"message":"Unauthorized"}')],
    ['status 403 with a page', failing(403, '<html><title>Denied</title></html>')],
  ],
  forbidden: [['status 403', refusing(403, 'Not permitted for the account type')]],
  not_found: [
    ['status 404', failing(404)],
    ['status 403 for an unknown check', refusing(403, 'Invalid check identifier')],
  ],
  rate_limited: [['status 429', refusing(429, 'Request limit exceeded, try again later')]],
  server_error: [
    ['status 500', failing(500)],
    ['status 503 with a page', failing(503, '<html>error code: 1020</html>')],
    [
      'status 502 cut short',
      responding(sendAndClose('HTTP/1.1 502 X\r\nContent-Length: 9\r\n\r\n{')),
    ],
  ],
  inconsistent: [
    [
      'a check on two pages',
      listing(
        { checks: checks(1, 2), counts: { total: 4 } },
        { checks: checks(2, 3), counts: { total: 4 } },
      ),
    ],
    [
      'a total that changes',
      listing(
        { checks: checks(1, 2), counts: { total: 4 } },
        { checks: checks(3), counts: { total: 3 } },
      ),
    ],
    [
      'an end before the total',
      listing({ checks: checks(1), counts: { total: 2 } }, { checks: [], counts: { total: 2 } }),
    ],
  ],
  budget: [
    [
      'a gate that is closed',
      async (use) => {
        const made = await stage(sendJson({}));
        made.bench.open = false;
        use(made);
        return made.bench.get();
      },
    ],
  ],
  internal: [
    [
      'a header that cannot be sent',
      async (use) => {
        const { server } = await stage(sendJson({}));
        const authentication = bearerToken(new Secret(`${token}\n`));
        const bench = new TransportBench({ baseUrl: server.url, authentication });
        use({ server, bench });
        return bench.get();
      },
    ],
  ],
  unsupported: [
    [
      'an operation that the version lacks',
      async (use) => {
        const made = await stage(sendJson({}));
        use(made);
        const service = createServiceV31(made.bench.transport);
        return service.serverTime(new AbortController().signal);
      },
    ],
  ],
  aborted: [
    ['given up while it waits for headers', aborting(() => {}, 2)],
    ['given up within the body', aborting(sendAndHang(halfABody), 4)],
    [
      'given up within the body of an error',
      aborting(sendAndHang('HTTP/1.1 500 X\r\nContent-Length: 100\r\n\r\n{'), 4),
    ],
    [
      'aborted before it was sent',
      async (use) => {
        const made = await stage(sendJson({}));
        use(made);
        return made.bench.get(AbortSignal.abort());
      },
    ],
  ],
};

describe.each(Object.keys(provocations) as ClientReason[])('reason %s', (reason) => {
  test('is provoked by at least one test', () => {
    expect(provocations[reason].length).toBeGreaterThan(0);
  });

  test.each(provocations[reason])('stands for %s', async (_name, provoke) => {
    let used: Stage | undefined;
    const error = await provoke((made) => {
      used = made;
    }).then(
      () => undefined,
      (raised: unknown) => raised,
    );

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ reason });
    const { bench } = used as Stage;
    expect(bench.releases.every((outcomes) => outcomes.length === 1)).toBe(true);
    expect(bench.exchanges).toHaveLength(bench.releases.length);
    expect(bench.clock.sleepers).toBe(0);
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain(token);
  });
});

test.each([
  ['a text', 'error code: 1020', 'error code: 1020'],
  [
    'a page',
    '<html><head><title>Denied</title><style>p{}</style></head><p>Ray 7f</html>',
    'Denied Ray 7f',
  ],
  ['a long text', 'word '.repeat(40), `${'word '.repeat(12)}…`],
  ['a text with the token', `no: ${token}`, 'no: <secret>'],
  [
    'JSON of a proxy in PHP with the token',
    JSON.stringify({ message: `no: ${token}` }).replaceAll('/', '\\/'),
    '{"message":"no: <secret>"}',
  ],
])('reports the first words of %s in place of an error', async (_name, body, words) => {
  const { bench } = await stage(sendResponse({ status: 401, body }));

  const error: unknown = await bench.get().catch((raised: unknown) => raised);

  expect((error as ApiError).message).toBe(`test: HTTP 401: ${words}`);
});

describe('a request that is not sent', () => {
  test.each([
    ['because the budget is closed', false, new AbortController().signal],
    ['because its caller has given up', true, AbortSignal.abort()],
  ])('takes no permit and reaches nobody, %s', async (_why, isOpen, signal) => {
    const { bench, server } = await stage(sendJson({}));
    bench.open = isOpen;

    await expect(bench.get(signal)).rejects.toBeInstanceOf(ApiError);

    expect(bench.releases).toEqual([]);
    expect(bench.exchanges).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

test('does not follow a redirect, and sends no credentials to where it points', async () => {
  const elsewhere = await stage(sendJson({ checks: [] }));
  const location = `${elsewhere.server.url}/api/3.1/checks`;
  const { bench, server } = await stage(sendResponse({ status: 302, headers: { location } }));

  await expect(bench.get()).rejects.toMatchObject({
    ...{ reason: 'redirect', statusCode: 302 },
    message: `test: HTTP 302: redirects to ${elsewhere.server.url}`,
  });

  expect(server.requests).toHaveLength(1);
  expect(elsewhere.server.requests).toEqual([]);
});

test.each([
  ['/login?next=secret', 'redirects to BASE'],
  ['https://me:password@example.com/api', 'redirects to https://example.com'],
  [`/${token}/checks`, 'redirects to BASE'],
  ['mailto:me@example.com', 'Moved'],
  ['https://[', 'Moved'],
])('names where a redirect leads, without secrets: %s', async (location, text) => {
  const moved = sendResponse({ status: 302, headers: { location }, body: 'Moved' });
  const { bench, server } = await stage(moved);

  await expect(bench.get()).rejects.toMatchObject({
    message: `test: HTTP 302: ${text.replace('BASE', server.url)}`,
  });
});

test.each([
  ['a gzip bomb', 'Content-Encoding: gzip\r\n', gzipSync(Buffer.alloc(mebibyte))],
  ['an endless plain body', '', Buffer.alloc(64 * 1024, ' ')],
])('stops taking %s when the limit is reached', async (_name, header, chunk) => {
  const limit = 512 * mebibyte;
  let sent: Promise<number> | undefined;
  const { bench } = await stage((socket) => {
    sent = flood(socket, `HTTP/1.1 200 OK\r\n${header}\r\n`, chunk, limit);
  });

  await expect(bench.get()).rejects.toMatchObject({ reason: 'too_large' });

  expect(await sent).toBeLessThan(64 * mebibyte);
  expect(bench.exchanges[0]?.responseBytes).toBeLessThan(2 * mebibyte);
});

test('gives every cut of a response an outcome, and settles its permit once', async () => {
  const whole = responseBytes({
    headers: {
      'content-encoding': 'gzip',
      'req-limit-short': 'Remaining: 394 Time until reset: 3589',
    },
    body: goodGzip,
  });
  let cut = 0;
  const { bench } = await stage((socket) => void socket.end(whole.subarray(0, cut)));
  const reasons = new Set<string>();

  for (cut = 0; cut < whole.length; cut++) {
    const error = await bench.get().catch((raised: unknown) => raised);
    expect(error).toBeInstanceOf(ApiError);
    reasons.add((error as ApiError).reason);
  }
  const last = await bench.get();

  expect([...reasons].sort()).toEqual(['connection', 'truncated']);
  expect(last).toEqual({ checks: checks(1, 2, 3) });
  expect(bench.releases).toHaveLength(whole.length + 1);
  expect(bench.releases.every((outcomes) => outcomes.length === 1)).toBe(true);
  expect(bench.exchanges).toHaveLength(whole.length + 1);
});

test('aborts by closing the connection, so that the service can stop working', async () => {
  let closed: Promise<unknown> | undefined;
  const { bench, server } = await stage((socket) => {
    closed = once(socket, 'close');
  });
  const caller = new AbortController();
  const result = bench.get(caller.signal);
  await server.received(1);
  caller.abort();

  await expect(result).rejects.toMatchObject({ reason: 'aborted' });
  await closed;
});
