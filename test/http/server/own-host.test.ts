import { afterEach, describe, expect, test } from 'vitest';
import { listen, type RunningServer } from '../../../src/http/server/listen.ts';
import { testApp } from '../../support/http-app.ts';
import { exchange } from '../../support/raw-http.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const running: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(0)));
});

/** The status of the response to a request with this `Host`. */
async function statusFor(host: string, on: string, externalUrl?: URL): Promise<string> {
  const options = externalUrl === undefined ? {} : { externalUrl };
  const server = await listen(testApp(), on, new VirtualClock(), options);
  running.push(server);
  const line = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const reply = await exchange(server.url.replace('localhost', '127.0.0.1'), line);
  return reply.split(' ')[1] ?? '';
}

describe('a server on the loopback address', () => {
  test.each([
    ['127.0.0.1:9158', '200'],
    ['localhost', '200'],
    ['LOCALHOST:80', '200'],
    ['uptime.localhost:9158', '200'],
    ['[::1]:9158', '200'],
    ['10.1.2.3:9158', '200'],
    ['exporter:9158', '200'],
    ['evil.example', '403'],
    ['evil.example:9158', '403'],
    ['127.0.0.1.evil.example:9158', '403'],
    ['localhost.evil.example', '403'],
    ['notlocalhost.', '200'],
    ['evil.example.:9158', '403'],
  ])('answers a request for %s with %s', async (host, status) => {
    expect(await statusFor(host, '127.0.0.1:0')).toBe(status);
  });

  test('knows the name of the external URL', async () => {
    const external = new URL('https://Uptime.Example.com/exporter/');

    expect(await statusFor('uptime.example.com', '127.0.0.1:0', external)).toBe('200');
    expect(await statusFor('uptime.example.org', '127.0.0.1:0', external)).toBe('403');
  });
});

test('a server on every address answers to every name, as pods and machines have many', async () => {
  expect(await statusFor('exporter.monitoring.svc.cluster.local:9158', ':0')).toBe('200');
});
