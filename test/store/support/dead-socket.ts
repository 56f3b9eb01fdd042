import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { createServer } from 'node:net';

/** What a process that was killed leaves behind: a socket on which nobody listens. */
export async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer();
  server.listen(`${path}~`);
  await once(server, 'listening');
  await rename(`${path}~`, path);
  server.close();
  await once(server, 'close');
}
