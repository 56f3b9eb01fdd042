import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { WebSecurity } from '../web-config/web-security.ts';
import { createServer } from './create-server.ts';
import { formatListenAddress, ListenError, parseListenAddress } from './listen-address.ts';

interface Connection {
  readonly socket: Socket;
  answering: number;
}

/**
 * The connections of a server, told apart by whether a request is being answered on them. Under TLS a
 * request has a socket of its own, above that of the connection; both have the same peer.
 */
class Connections {
  readonly #open = new Map<string, Connection>();
  #draining = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket);
      const connection = { socket, answering: 0 };
      this.#open.set(peer, connection);
      socket.once('close', () => {
        if (this.#open.get(peer) === connection) this.#open.delete(peer);
      });
    });
    server.on('request', (request, response) => {
      const { socket } = request;
      const connection = this.#open.get(peerOf(socket));
      if (connection === undefined) return;
      connection.answering++;
      response.once('close', () => {
        connection.answering--;
        if (this.#draining && connection.answering === 0) socket.destroySoon();
      });
    });
  }

  /** Closes the idle connections now, and the others as soon as they have their answer. */
  drain(): void {
    this.#draining = true;
    for (const { socket, answering } of this.#open.values()) {
      if (answering === 0) socket.destroy();
    }
  }

  destroyAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

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
    throw new ListenError(`cannot listen on ${address}: ${describeListenError(error)}`, {
      cause: error,
    });
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

function describeListenError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return advice[code] ?? (error instanceof Error ? error.message : String(error));
}
