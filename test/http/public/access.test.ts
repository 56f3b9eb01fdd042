import { afterEach, describe, expect, test } from 'vitest';
import { PublicPages } from '../../../src/http/public/public-pages.ts';
import type { PublicPage } from '../../../src/http/public/public-status.ts';
import { listen, type RunningServer } from '../../../src/http/server/listen.ts';
import { testApp } from '../../support/http-app.ts';
import { livelyAccount } from '../../support/lively-account.ts';
import { exchange } from '../../support/raw-http.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { securityOfAlice } from '../../support/web-files.ts';

const running: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(0)));
});

const account = livelyAccount(6);
const shop: PublicPage = { name: 'shop', title: 'Shop', account: 'main', group: 'team:1' };
const gone: PublicPage = { ...shop, name: 'gone', group: 'team:9' };

interface ServerOptions {
  readonly pages?: readonly PublicPage[];
  readonly routePrefix?: string;
  readonly isRestored?: boolean;
}

/** An exporter whose every other path needs a password, and a host name of its own. */
async function serverWith({ pages = [shop, gone], routePrefix, isRestored = true }: ServerOptions) {
  const clock = new VirtualClock();
  const security = securityOfAlice();
  const prefix = routePrefix === undefined ? {} : { routePrefix };
  const publicPages = new PublicPages({
    pages: () => pages,
    status: { accounts: () => [account] },
    clock,
    timeZone: () => 'UTC',
    isRestored: () => isRestored,
    ...prefix,
  });
  const app = testApp({ accounts: [account], security, clock, ...prefix });
  const server = await listen(app, '127.0.0.1:0', clock, { security, publicPages });
  running.push(server);
  const send = (line: string, host: string, headers = '') =>
    exchange(
      server.url.replace('localhost', '127.0.0.1'),
      `${line} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`,
    );
  return {
    clock,
    /** The status for a reader from outside, and for one that uses an address of the exporter. */
    statusOf: async (line: string, host = 'status.example.com') =>
      (await send(line, host)).split(' ')[1],
    read: (line: string, headers = '') => send(line, 'status.example.com', headers),
  };
}

describe('a reader without a password', () => {
  test.each([
    'GET /status/shop',
    'GET /status/shop.json',
    'HEAD /status/shop',
    'GET /status/shop?utm_source=news',
    'GET /status/shop?/../../config',
  ])('may read %s', async (line) => {
    const { statusOf } = await serverWith({});
    expect(await statusOf(line)).toBe('200');
  });

  test('may read the style sheet that the page names', async () => {
    const { read, statusOf } = await serverWith({});
    const [, style] =
      /<link rel="stylesheet" href="([^"]+)"/.exec(await read('GET /status/shop')) ?? [];
    expect(style).toMatch(/^page-[0-9a-f]{12}\.css$/);
    expect(await statusOf(`GET /status/${style}`)).toBe('200');
  });

  test.each([
    '/',
    '/metrics',
    '/status',
    '/status/',
    '/status.json',
    '/status/shop/',
    '/status/shop/x',
    '/status/sho',
    '/status/shop2',
    '/status/shop.jso',
    '/status/shop.json/',
    '/status/Shop',
    '/STATUS/shop',
    '//status/shop',
    '/status//shop',
    '/./status/shop',
    '/x/../status/shop',
    '/status/shop/..',
    '/status/shop/../../metrics',
    '/status/shop/%2e%2e/%2e%2e/metrics',
    '/status/%2e%2e/metrics',
    '/status/..%2fmetrics',
    '/status%2fshop',
    '/status/shop%2f',
    '/status/sh%6fp',
    '/status/sh%256fp',
    '/status/shop%00',
    '/status/shop;x',
    '/status/shop%3f',
    '/status/shop#x',
    '/status\\shop',
    '/status/unknown',
    '/status/gone',
    '/status/gone.json',
    '/status/page-000000000000.css',
    '/assets/page.css',
    'http://status.example.com/status/shop',
  ])('may not read %s', async (path) => {
    const { statusOf } = await serverWith({});
    expect(await statusOf(`GET ${path}`)).toBe('403');
    expect(await statusOf(`GET ${path}`, 'localhost')).toBe('401');
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND'])(
    'gets 405 for %s of a page, and no more',
    async (method) => {
      const { read } = await serverWith({});
      const reply = await read(`${method} /status/shop`);
      expect(reply).toMatch(/^HTTP\/1\.1 405 /);
      expect(reply).toContain('\r\nAllow: GET, HEAD\r\n');
      expect(reply).not.toContain('Service');
    },
  );

  test('finds nothing while no page is configured, not even the style sheet', async () => {
    const { statusOf } = await serverWith({ pages: [] });
    expect(await statusOf('GET /status/shop', 'localhost')).toBe('401');
  });

  test('gets the page below the prefix of all paths only', async () => {
    const { statusOf } = await serverWith({ routePrefix: '/uptime' });
    expect(await statusOf('GET /uptime/status/shop')).toBe('200');
    expect(await statusOf('GET /uptime/uptime/status/shop')).toBe('403');
    expect(await statusOf('GET /status/shop')).toBe('403');
  });

  test('waits until the stored state is restored', async () => {
    const { statusOf } = await serverWith({ isRestored: false });
    expect(await statusOf('GET /status/shop')).toBe('503');
  });
});

test.each(['GET', 'HEAD', 'POST'])(
  'a page without its group answers %s as an unknown path does',
  async (method) => {
    const { read } = await serverWith({});
    const withoutDate = (reply: string) => reply.replace(/^Date: .*$/m, '');
    const unknown = await read(`${method} /status/unknown`);
    expect(withoutDate(await read(`${method} /status/gone`))).toBe(withoutDate(unknown));
  },
);

describe('the response', () => {
  test('may be kept for half a minute, and is not sent again to a reader that has it', async () => {
    const { read, clock } = await serverWith({});
    const first = await read('GET /status/shop');
    expect(first).toContain('\r\nCache-Control: public, max-age=30\r\n');
    expect(first).toContain('\r\nConnection: close\r\n');
    const [, tag] = /\r\nETag: (\S+)\r\n/.exec(first) ?? [];
    const again = await read('GET /status/shop', `If-None-Match: "other", ${tag}\r\n`);
    expect(again).toMatch(/^HTTP\/1\.1 304 /);
    expect(again.split('\r\n\r\n')[1]).toBe('');
    const opaque = tag?.replace('W/', '');
    expect(await read('GET /status/shop', `If-None-Match: ${opaque}\r\n`)).toMatch(
      /^HTTP\/1\.1 304 /,
    );
    await clock.advance(31_000);
    const later = await read('GET /status/shop', `If-None-Match: ${tag}\r\n`);
    expect(later).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('is rendered once in half a minute', async () => {
    const { read, clock } = await serverWith({});
    const bodyOf = (reply: string) => reply.split('\r\n\r\n')[1];
    const first = bodyOf(await read('GET /status/shop.json'));
    await clock.advance(29_000);
    expect(bodyOf(await read('GET /status/shop.json'))).toBe(first);
    await clock.advance(2_000);
    expect(bodyOf(await read('GET /status/shop.json'))).not.toBe(first);
  });
});
