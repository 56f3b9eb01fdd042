import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/http/server/listen.ts';
import { WebSecurity } from '../../../src/http/web-config/web-security.ts';
import { Authority } from '../../support/certificates.ts';
import { testApp } from '../../support/http-app.ts';
import { connectTo, exchange, readToEnd } from '../../support/raw-http.ts';
import { missing } from '../../support/tools.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { FilesInMemory } from '../../support/web-files.ts';

const hourMilliseconds = 3_600_000;

async function start(security?: WebSecurity) {
  const clock = new VirtualClock();
  const logged: [fields: object, message: string][] = [];
  const log = { warn: (fields: object, message: string) => logged.push([fields, message]) };
  const options = { log, ...(security !== undefined && { security }) };
  const running = await listen(testApp({ clock }), '127.0.0.1:0', clock, options);
  onTestFinished(() => running.close(0));
  return { clock, logged, url: running.url };
}

/** A server with a certificate. */
async function startWithTls() {
  const folder = mkdtempSync(join(tmpdir(), 'uptime-protocol-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { cert, key } = new Authority(folder).issue('server');
  const files = new FilesInMemory();
  files.put('/etc/server.pem', cert);
  files.put('/etc/server.key', key);
  files.put('/etc/web.yml', 'tls_server_config: {cert_file: server.pem, key_file: server.key}\n');
  const log = { info: () => undefined, error: () => undefined };
  return start(new WebSecurity({ path: '/etc/web.yml', files, log }));
}

/** Ends when the server has refused the handshake. */
async function beginTls(url: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
}

async function sendPlain(url: string): Promise<void> {
  const request = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  await exchange(url, request).catch(() => undefined);
}

describe('a client of a server without TLS', () => {
  test('that begins TLS is logged once per hour', async () => {
    const { clock, logged, url } = await start();
    for (let attempt = 0; attempt < 3; attempt++) await beginTls(url);
    const line = [{ client: '127.0.0.1' }, 'client began a TLS handshake with an HTTP server'];
    expect(logged).toEqual([line]);

    await clock.advance(hourMilliseconds);
    await beginTls(url);
    await beginTls(url);

    expect(logged).toEqual([line, line]);
  });

  test.each([
    ['what is not HTTP', 'hello\r\n\r\n', '400 Bad Request'],
    [
      'a request with large headers',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
    ],
  ])('that sends %s gets an error that is not logged', async (_, bytes, status) => {
    const { logged, url } = await start();

    expect(await exchange(url, bytes)).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    expect(logged).toEqual([]);
  });

  test('also gets an error on a connection that has had a response', async () => {
    const { url } = await start();
    const socket = await connectTo(url);
    socket.write('HEAD /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    expect(String(socket.read())).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    socket.write('hello\r\n\r\n');

    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});

describe.skipIf(missing('openssl'))('a client of a server with TLS', () => {
  test('that sends plain HTTP is logged once per hour', async () => {
    const { clock, logged, url } = await startWithTls();
    for (let attempt = 0; attempt < 3; attempt++) await sendPlain(url);
    const line = [{ client: '127.0.0.1' }, 'client sent an HTTP request to an HTTPS server'];
    expect(logged).toEqual([line]);

    await clock.advance(hourMilliseconds);
    await sendPlain(url);

    expect(logged).toEqual([line, line]);
  });

  test('that does not trust the certificate is not logged', async () => {
    const { logged, url } = await startWithTls();
    await beginTls(url);

    expect(logged).toEqual([]);
  });
});
