import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { scrapeTimeoutMilliseconds } from '../../../src/http/metrics/metrics.ts';
import type { AppOptions } from '../../../src/http/server/create-app.ts';
import { listen, type RunningServer } from '../../../src/http/server/listen.ts';
import { exposed, largeSource, testApp } from '../../support/http-app.ts';
import { connectTo, exchange, readToEnd, scrapeWithoutReading } from '../../support/raw-http.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** More than the two sockets can buffer. */
const mebibytes = 32;

const running: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(0)));
});

async function start(options: Partial<AppOptions> = {}) {
  const clock = new VirtualClock();
  const server = await listen(testApp({ clock, ...options }), '127.0.0.1:0', clock);
  running.push({ ...server, close: (grace) => closeNow(server, clock, grace) });
  return { server, clock, url: server.url };
}

async function closeNow(server: RunningServer, clock: VirtualClock, grace: number) {
  const closed = server.close(grace);
  await clock.advance(grace);
  await closed;
}

async function statusOf(url: string, path = '/metrics'): Promise<number> {
  const reply = await fetch(`${url}${path}`, { headers: { 'Accept-Encoding': 'identity' } });
  await reply.arrayBuffer();
  return reply.status;
}

/**
 * Repeats the request until the response has `status`: a slot becomes free after an unknown number
 * of turns of the event loop.
 */
async function untilStatus(url: string, status: number): Promise<void> {
  while ((await statusOf(url)) !== status) await new Promise(setImmediate);
}

/** The bytes that a scraper received before its connection ended. */
function cutOff(socket: Socket | undefined): Promise<string> {
  return socket === undefined ? Promise.reject() : readToEnd(socket).catch(() => '');
}

/** Waits until this many scrapes are being served, each of which has a deadline on the clock. */
async function untilSleepers(clock: VirtualClock, count: number): Promise<void> {
  while (clock.sleepers !== count) await new Promise(setImmediate);
}

/** A source that responds on request, and reports when it was called `count` times. */
function heldSource() {
  let asked = 0;
  let release: () => void = () => undefined;
  let notify: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    release: () => release(),
    async askedTimes(count: number) {
      while (asked < count) {
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
    },
    read: async () => {
      asked++;
      notify();
      await released;
      return exposed([Buffer.from('a 1\n')]);
    },
  };
}

describe('listening', () => {
  test('serves at the address it names', async () => {
    const { server } = await start();

    expect(server.address).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);
    expect(server.url).toBe(`http://${server.address}`);
    expect(await statusOf(server.url, '/-/healthy')).toBe(200);
  });

  test('every address of the machine is reached by localhost', async () => {
    const clock = new VirtualClock();
    const server = await listen(testApp(), ':0', clock);
    running.push(server);

    expect(server.url).toMatch(/^http:\/\/localhost:\d+$/);
    expect(await statusOf(server.url, '/-/healthy')).toBe(200);
  });

  test('a port in use is refused with what to do about it', async () => {
    const { server } = await start();

    await expect(listen(testApp(), server.address, new VirtualClock())).rejects.toMatchObject({
      name: 'ListenError',
      message: `cannot listen on ${server.address}: the port is in use. Stop the program that has it, or choose another address with --web.listen-address`,
    });
  });

  test('an address of another machine is refused with what to do about it', async () => {
    await expect(listen(testApp(), '192.0.2.1:0', new VirtualClock())).rejects.toThrow(
      'cannot listen on 192.0.2.1:0: this machine does not have that address.',
    );
  });

  test('a malformed address is refused before anything is bound', async () => {
    await expect(listen(testApp(), 'nonsense', new VirtualClock())).rejects.toThrow(
      'bad listen address: ',
    );
  });
});

describe('a hostile client', () => {
  test.each([
    ['what is not HTTP', 'hello\r\n\r\n', '400'],
    [
      'a header that is too large',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431',
    ],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['a malformed escape', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '404'],
    ['bytes that are not ASCII', 'GET /é HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '400'],
    [
      'an absolute address',
      'GET http://x/-/healthy HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      '200',
    ],
    [
      'a broken absolute address',
      'GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      '404',
    ],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '400'],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '405'],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '404'],
  ])('%s gets an answer and harms nobody', async (_name, bytes, status) => {
    const { url } = await start();

    const reply = await exchange(url, bytes);

    expect(reply.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(await statusOf(url, '/-/healthy')).toBe(200);
  });

  test('HEAD sends no byte after the headers', async () => {
    const { url } = await start();

    const reply = await exchange(
      url,
      'HEAD /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );

    expect(reply).toMatch(/Content-Length: 19\r\n/);
    expect(reply.endsWith('\r\n\r\n')).toBe(true);
  });
});

describe('the limit of scrapes', () => {
  test('the 41st scrape at a time is refused with the reason, the others are served', async () => {
    const source = heldSource();
    const { url } = await start({ metrics: source, maxRequests: 40 });
    const scrapes = Array.from({ length: 40 }, () => statusOf(url));
    await source.askedTimes(40);

    const refused = await fetch(`${url}/metrics`);

    expect(refused.status).toBe(503);
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await refused.text()).toBe(
      'Limit of concurrent requests reached (40), try again later.\n',
    );
    expect(await statusOf(url, '/-/healthy')).toBe(200);
    source.release();
    expect(new Set(await Promise.all(scrapes))).toEqual(new Set([200]));
    await untilStatus(url, 200);
  });

  test('0 is no limit', async () => {
    const source = heldSource();
    const { url } = await start({ metrics: source, maxRequests: 0 });
    const scrapes = Array.from({ length: 60 }, () => statusOf(url));
    await source.askedTimes(60);
    source.release();

    expect(new Set(await Promise.all(scrapes))).toEqual(new Set([200]));
  });

  test('scrapers of different addresses that do not read hold one slot each', async () => {
    const { url, clock } = await start({ metrics: largeSource(mebibytes), maxRequests: 2 });
    const slow = await scrapeWithoutReading(url, { from: '127.0.0.2' });
    await untilSleepers(clock, 1);

    expect(await statusOf(url)).toBe(200);
    await untilSleepers(clock, 1);
    const slower = await scrapeWithoutReading(url, { from: '127.0.0.3' });
    await untilSleepers(clock, 2);

    expect(await statusOf(url)).toBe(503);
    expect(await statusOf(url, '/-/ready')).toBe(200);
    slow.destroy();
    slower.destroy();
  });

  test.each(['127.0.0.1', '127.0.0.2'])(
    'forty scrapers of %s that do not read leave the others served, and end with the oldest',
    async (from) => {
      const { url, clock } = await start({ metrics: largeSource(mebibytes), maxRequests: 40 });
      const slow: Socket[] = [];
      for (let scraper = 0; scraper < 40; scraper++) {
        slow.push(await scrapeWithoutReading(url, { from }));
        await untilSleepers(clock, scraper + 1);
      }

      const served = [];
      for (let scrape = 0; scrape < 3; scrape++) served.push(await statusOf(url));

      expect(served).toEqual([200, 200, 200]);
      const [oldest, second] = slow;
      expect((await cutOff(oldest)).length).toBeLessThan(mebibytes * 2 ** 20);
      expect(second?.destroyed).toBe(false);
      for (const socket of slow) socket.destroy();
    },
  );

  test('the slot of a scraper that went away is free again', async () => {
    const { url } = await start({ metrics: largeSource(mebibytes), maxRequests: 1 });
    const slow = await scrapeWithoutReading(url);
    await untilStatus(url, 503);

    slow.destroy();

    await untilStatus(url, 200);
  });

  test('a scraper that goes away before its data are there is nothing to log', async () => {
    const source = heldSource();
    const errors: object[] = [];
    const logger = { error: (facts: object) => errors.push(facts) };
    const { url } = await start({ metrics: source, maxRequests: 1, logger });
    const gone = await scrapeWithoutReading(url);
    await source.askedTimes(1);

    gone.destroy();
    await untilNotRefused(url, source);

    expect(errors).toEqual([]);
  });

  test('a scraper that is too slow is cut off', async () => {
    const { url, clock } = await start({ metrics: largeSource(mebibytes), maxRequests: 1 });
    const slow = await scrapeWithoutReading(url);
    await untilStatus(url, 503);

    await clock.advance(scrapeTimeoutMilliseconds - 1);
    expect(await statusOf(url)).toBe(503);
    await clock.advance(1);

    await untilStatus(url, 200);
    expect((await readToEnd(slow).catch(() => '')).length).toBeLessThan(mebibytes * 2 ** 20);
  });

  test('a scrape that ended leaves no timer behind', async () => {
    const { url, clock } = await start({ metrics: largeSource(mebibytes) });
    const slow = await scrapeWithoutReading(url);
    await untilSleepers(clock, 1);

    slow.destroy();

    await untilSleepers(clock, 0);
  });
});

/** Releases the held source once the next scrape has reached it, which takes a free slot. */
async function untilNotRefused(url: string, source: ReturnType<typeof heldSource>): Promise<void> {
  let asked = false;
  const second = source.askedTimes(2).then(() => {
    asked = true;
    source.release();
  });
  while (!asked) await statusOf(url);
  await second;
}

describe('closing', () => {
  test('closes idle connections at once, without waiting for the grace period', async () => {
    const { server, url } = await start();
    const silent = await connectTo(url);
    const kept = await connectTo(url);
    kept.write('GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(kept, 'data');
    const ended = [once(silent, 'close'), once(kept, 'close')];
    for (const socket of [silent, kept]) socket.resume();

    await server.close(10_000);
    await Promise.all(ended);

    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('lets a scrape in flight finish, and then ends its connection', async () => {
    const source = heldSource();
    const { server, url } = await start({ metrics: source });
    const socket = await connectTo(url);
    const reply = readToEnd(socket);
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    await source.askedTimes(1);

    const closed = server.close(10_000);
    source.release();
    await closed;

    expect(await reply).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\na 1\n$/);
  });

  test('cuts off what is still in flight when the grace period is over', async () => {
    const { server, url, clock } = await start({ metrics: largeSource(mebibytes), maxRequests: 1 });
    const slow = await scrapeWithoutReading(url);
    await untilStatus(url, 503);
    let over = false;

    const closed = server.close(5_000).then(() => {
      over = true;
    });
    await clock.advance(4_999);
    expect(over).toBe(false);
    await clock.advance(1);
    await closed;

    expect(clock.sleepers).toBe(0);
    slow.destroy();
  });

  test('closing twice is closing once', async () => {
    const { server, clock } = await start();

    await Promise.all([server.close(1_000), server.close(1_000)]);
    await server.close(1_000);
    await clock.advance(0);

    expect(clock.sleepers).toBe(0);
  });

  test('frees the port', async () => {
    const { server } = await start();
    await server.close(0);
    const next = createServer().listen(Number(new URL(server.url).port), '127.0.0.1');
    await once(next, 'listening');

    expect((next.address() as AddressInfo).port).toBe(Number(new URL(server.url).port));
    next.close();
  });
});

test('a connection is kept between scrapes', async () => {
  const { url } = await start();
  const reply = await new Promise<string>((resolve) => {
    get(`${url}/-/healthy`, { headers: { Connection: 'keep-alive' } }, (response) => {
      response.resume();
      resolve(String(response.headers['keep-alive']));
    });
  });

  expect(reply).toBe('timeout=75');
});
