import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from './free-port.ts';

test('A port is given only once, even if nothing listens on it yet', async () => {
  const port = await freePort();
  const next = await freePort(port);
  const third = await freePort(port);
  expect(new Set([port, next, third]).size).toBe(3);
});

test('A port with a listener is not given', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await freePort(port)).not.toBe(port);
});
