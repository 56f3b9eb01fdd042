import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A listening server. */
export interface Listening {
  /** Without a trailing slash. */
  readonly url: string;
  /** Stops listening and closes every connection, even with a request in progress. */
  close(): Promise<void>;
}

/**
 * Listens on a port, 0 for any free one. Rejects with an `Error` that names the address when it
 * cannot.
 */
export async function listenOn(
  app: RequestListener,
  host: string,
  port: number,
): Promise<Listening> {
  const server = createServer(app);
  await listen(server, host, port);
  const { address, family, port: bound } = server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${name}:${bound}`,
    close: () => {
      closed ??= stop(server);
      return closed;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException) => {
      const inUse = 'another process uses the port; choose another one, or 0 for any';
      const reason = cause.code === 'EADDRINUSE' ? inUse : cause.message;
      const message = `The sandbox cannot listen on ${host}:${port}: ${reason}`;
      reject(new Error(message, { cause }));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
