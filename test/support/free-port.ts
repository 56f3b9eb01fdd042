import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to connections, and to listeners that do not name one. */
const [lowest, highest] = [20_000, 32_000];

/**
 * A port that was free a moment ago, for a program that cannot choose one itself. Nothing else that
 * runs beside it gets this port by chance.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
