import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { Connections } from './connections.ts';
import { createServer } from './create-server.ts';
import { formatListenAddress, parseListenAddress } from './listen-address.ts';
import { ListenError } from './listen-error.ts';
import type { WebSecurity } from './web-config/web-security.ts';

export interface RunningServer {
  /** The address it listens on, with the port that was chosen for 0. */
  readonly address: string;
  /** Where a browser on this machine finds it. */
  readonly url: string;
  /** Stops accepting, gives the requests in flight this long to end, then cuts them off. */
  close(graceMilliseconds: number): Promise<void>;
}

/** A connection on which nothing moves for this long is closed. */
const idleTimeoutMilliseconds = 120_000;

const advice: { readonly [code: string]: string } = {
  EADDRINUSE:
    'the port is in use. Stop the program that has it, or choose another address with --web.listen-address',
  EACCES:
    'permission denied. Ports below 1024 need the capability CAP_NET_BIND_SERVICE; or choose a higher one with --web.listen-address',
  EADDRNOTAVAIL:
    'this machine does not have that address. Use ":PORT" to listen on all it has, or choose another with --web.listen-address',
  ENOTFOUND: 'the host name does not resolve. Use an IP address with --web.listen-address',
  EAI_AGAIN: 'the host name does not resolve now. Use an IP address with --web.listen-address',
};

/**
 * Starts to serve `app` on an address such as `:9158` or `[::1]:9158`, over TLS when the web
 * configuration says so.
 *
 * @throws {ListenError} when the address is malformed or cannot be bound
 */
export async function listen(
  app: RequestListener,
  address: string,
  clock: Clock,
  security?: WebSecurity,
): Promise<RunningServer> {
  const target = parseListenAddress(address);
  const server = createServer(app, security);
  server.timeout = idleTimeoutMilliseconds;
  const connections = new Connections(server);
  server.listen(target);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ListenError(`cannot listen on ${address}: ${explain(error)}`, { cause: error });
  }
  const { address: host, port } = server.address() as AddressInfo;
  const scheme = security?.current.tls === undefined ? 'http' : 'https';
  let closing: Promise<void> | undefined;
  return {
    address: formatListenAddress(host, port),
    url: `${scheme}://${formatListenAddress(target.host ?? 'localhost', port)}`,
    close: (graceMilliseconds) => {
      closing ??= close(server, connections, graceMilliseconds, clock);
      return closing;
    },
  };
}

async function close(
  server: Server,
  connections: Connections,
  graceMilliseconds: number,
  clock: Clock,
): Promise<void> {
  const closed = once(server, 'close');
  const over = new AbortController();
  server.close();
  connections.drain();
  clock.sleep(graceMilliseconds, over.signal).then(
    () => connections.destroyAll(),
    () => undefined,
  );
  await closed;
  over.abort();
}

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return advice[code] ?? (error instanceof Error ? error.message : String(error));
}
