import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to connections, and to listeners that do not name one. */
const [lowest, highest] = [20_000, 32_000];

/**
 * A free TCP port, for a program that cannot choose one itself. As long as this process runs,
 * no other call in any process gets it: the UDP port of the same number is held.
 */
export async function freePort(
  first = Math.floor(lowest + Math.random() * (highest - lowest)),
): Promise<number> {
  for (let tried = 0, port = first; tried < highest - lowest; tried++) {
    if (await isFree(port)) return port;
    port = port < highest ? port + 1 : lowest;
  }
  throw new Error(`no free port from ${lowest} to ${highest}`);
}

async function isFree(port: number): Promise<boolean> {
  const held = createSocket('udp4').unref();
  held.bind({ port, address: '127.0.0.1', exclusive: true });
  const server = createServer();
  const isFree =
    (await happens(held, 'listening')) &&
    (await happens(server.listen(port, '127.0.0.1'), 'listening'));
  server.close();
  if (!isFree) held.close();
  return isFree;
}

/** Whether `event` comes before an error. */
function happens(emitter: NodeJS.EventEmitter, event: string): Promise<boolean> {
  return once(emitter, event).then(
    () => true,
    () => false,
  );
}
