import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Link } from './support/link.ts';

/** A server that repeats what it reads, behind a link. */
async function linkToEcho(): Promise<Link> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link = await Link.to((server.address() as AddressInfo).port);
  onTestFinished(async () => {
    await link.close();
    server.close();
  });
  return link;
}

function connectTo({ port }: Link): Socket {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  return socket;
}

function endOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function repeated(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [bytes] = await once(socket, 'data');
  return String(bytes);
}

/** Resolves with whether nothing has come back after other connections would have brought it. */
async function isSilent(socket: Socket): Promise<boolean> {
  let isSilent = true;
  socket.once('data', () => {
    isSilent = false;
  });
  const other = await linkToEcho();
  const probe = connectTo(other);
  for (let times = 0; times < 5; times++) await repeated(probe, 'probe');
  return isSilent;
}

describe('a link', () => {
  test('passes bytes both ways', async () => {
    expect(await repeated(connectTo(await linkToEcho()), 'hello')).toBe('hello');
  });

  test('brings what it held late', async () => {
    const link = await linkToEcho();
    const socket = connectTo(link);
    await repeated(socket, 'before');
    link.hold(['to client']);
    socket.write('held');
    expect(await isSilent(socket)).toBe(true);
    const arrived = once(socket, 'data');
    link.heal();
    expect(String(await arrived)).toBe('held');
  });

  test('loses what it held, with the connection', async () => {
    const link = await linkToEcho();
    const socket = connectTo(link);
    await repeated(socket, 'before');
    link.hold();
    socket.write('held');
    const closed = endOf(socket);
    link.heal({ isLost: true });
    await closed;
    expect(await repeated(connectTo(link), 'after')).toBe('after');
  });

  test('hides the end of a connection while it holds it', async () => {
    const link = await linkToEcho();
    const ended: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('close', () => ended.push('closed')).pipe(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    link.leadTo((server.address() as AddressInfo).port);
    const socket = connectTo(link);
    await repeated(socket, 'before');
    link.hold();
    socket.destroy();
    await endOf(socket);
    expect(ended).toEqual([]);
    link.heal();
    await expect.poll(() => ended).toEqual(['closed']);
  });

  test('refuses connections until it is healed', async () => {
    const link = await linkToEcho();
    link.refuse();
    const refused = connectTo(link);
    await endOf(refused);
    link.heal();
    expect(await repeated(connectTo(link), 'after')).toBe('after');
  });

  test('shows what passes, before it does', async () => {
    const link = await linkToEcho();
    const socket = connectTo(link);
    const seen: string[] = [];
    link.watch = (bytes, direction) => seen.push(`${direction}: ${bytes}`);
    await repeated(socket, 'hello');
    expect(seen).toEqual(['to server: hello', 'to client: hello']);
  });
});
