import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/http/server/listen.ts';
import { testApp } from '../../support/http-app.ts';
import { connectTo } from '../../support/raw-http.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { securityOfAlice } from '../../support/web-files.ts';

/** A server whose clock does not advance, so that no wrong password gets its response. */
async function guardedServer() {
  const security = securityOfAlice();
  const clock = new VirtualClock();
  const server = await listen(testApp({ security, clock }), '127.0.0.1:0', clock, { security });
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close(0);
  });
  const ask = async (from: string, password: string): Promise<Socket> => {
    const socket = await connectTo(server.url, { from });
    sockets.push(socket);
    const credentials = Buffer.from(`alice:${password}`).toString('base64');
    // Anybody can add this header, so it must not make the client another one.
    const headers = `Host: x\r\nX-Forwarded-For: ${sockets.length}\r\nAuthorization: Basic ${credentials}`;
    socket.write(`GET /metrics HTTP/1.1\r\n${headers}\r\n\r\n`);
    return socket;
  };
  return { clock, ask };
}

async function statusOf(socket: Socket): Promise<string> {
  const [head] = await once(socket, 'data');
  return String(head).split(' ')[1] ?? '';
}

test('eighty guessers of one address are held there, and all others are served', async () => {
  const { clock, ask } = await guardedServer();
  const answers: string[] = [];
  const guess = async (n: number) => {
    const socket = await ask('127.0.0.2', `guess ${n}`);
    socket.once('data', (head) => answers.push(String(head).split(' ')[1] ?? ''));
  };
  for (let n = 0; n < 80; n++) await guess(n);
  await expect.poll(() => answers).toEqual(Array.from({ length: 64 }, () => '503'));

  for (let scrape = 0; scrape < 5; scrape++) {
    expect(await statusOf(await ask('127.0.0.1', 'U*U'))).toBe('200');
  }
  expect(answers).toHaveLength(64);
  // An accepted password is accepted from every address, also from that of the guessers.
  expect(await statusOf(await ask('127.0.0.2', 'U*U'))).toBe('200');
  await expect.poll(() => clock.sleepers).toBe(16);
  await clock.advance(2_000);
  await expect.poll(() => answers.slice(64)).toEqual(Array.from({ length: 16 }, () => '401'));
});
