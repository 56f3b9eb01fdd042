import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import type { Clock } from '../src/lib/clock.ts';
import { startSandbox } from '../src/running-sandbox.ts';
import { scaledClock } from '../src/simulation/clocks.ts';
import { startTestSandbox } from './start-test-sandbox.ts';
import { VirtualClock } from './support/virtual-clock.ts';

test('a port in use is named in the error', async () => {
  const { sandbox, clock } = await startTestSandbox();
  const port = Number(new URL(sandbox.url).port);

  await expect(
    startSandbox({ clock, limitsClock: clock, token: 't', host: '127.0.0.1', port }),
  ).rejects.toThrow(
    `The sandbox cannot listen on 127.0.0.1:${port}: another process uses the port`,
  );
});

test('closing cuts a request that is never answered', async () => {
  const { sandbox } = await startTestSandbox();
  sandbox.faults.inject({ kind: 'hang' });
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  socket.write(
    'GET /api/3.1/checks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer token-for-tests\r\n\r\n',
  );
  await expect.poll(() => sandbox.journal.total).toBe(1);
  const cut = once(socket, 'close');
  socket.on('error', () => {});
  socket.resume();

  await sandbox.close();
  await sandbox.close();

  await cut;
});

test('a faster clock speeds up the data and not the request windows', async () => {
  const real = new VirtualClock();
  const startedAt = real.now() / 1000;
  const { get } = await startTestSandbox({ clock: scaledClock(real, 3600), limitsClock: real });
  await get('/api/3.1/checks');

  await real.advance(10_000);
  const { headers, json } = await get('/api/3.1/checks');

  expect(headers['req-limit-short']).toBe('Remaining: 398 Time until reset: 3590');
  expect(json().checks[0]?.lasttesttime).toBeGreaterThan(startedAt + 36_000 - 60);
});

const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    setTimeout(milliseconds, undefined, { ...(signal && { signal }) }),
};

test('works on the system clock and an address of the sixth version of IP', async () => {
  const sandbox = await startSandbox({
    clock: systemClock,
    limitsClock: systemClock,
    token: 't',
    host: '::1',
    port: 0,
  });
  try {
    const response = await request(`${sandbox.url}/api/3.1/credits`, {
      headers: { authorization: 'Bearer t' },
    });
    expect(sandbox.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(response.statusCode).toBe(200);
    await response.body.dump();
  } finally {
    await sandbox.close();
  }
});

test.each([
  [{ port: 70_000 }, 'port must be a whole number from 0 to 65535, not 70000'],
  [{ adminPort: -1 }, 'adminPort must be a whole number from 0 to 65535, not -1'],
  [{ host: '' }, 'host must not be empty'],
  [{ webhook: 'nowhere' }, 'webhook must be an address'],
])('refuses %o', async (options, message) => {
  const clock = new VirtualClock();
  const start = { clock, limitsClock: clock, token: 't', host: '127.0.0.1', port: 0, ...options };

  await expect(startSandbox(start)).rejects.toThrow(new RangeError(message));
});
