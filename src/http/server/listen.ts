import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../lib/clock.ts';
import { codeOf, messageOf } from '../../lib/error-text.ts';
import type { TlsSettings } from '../web-config/load-web-config.ts';
import type { ClientAuthType } from '../web-config/schema.ts';
import type { WebSecurity } from '../web-config/web-security.ts';
import {
  formatListenAddress,
  isLoopback,
  ListenError,
  type ListenOn,
  parseListenAddress,
} from './listen-address.ts';
import { requireOwnHost } from './own-host.ts';
import { logPlainClients, logTlsClients, type ProtocolLog } from './wrong-protocol.ts';

/**
 * More open requests close a connection: real clients read a response first. Without this, clients that
 * read none delay each scrape from their address by a minute.
 */
const mostOpenRequests = 10;

interface Connection {
  readonly socket: Socket;
  answering: number;
}

/**
 * The connections of a server, idle or with a request in progress. Under TLS, a request has a TLS
 * socket on top of the socket of its connection; both have the same peer address. Clients of a UNIX
 * socket have no peer address, so the socket itself is the key.
 */
class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #ofPeer = new Map<string, Connection>();
  #draining = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket);
      const connection = { socket, answering: 0 };
      this.#open.set(socket, connection);
      this.#ofPeer.set(peer, connection);
      socket.once('close', () => {
        this.#open.delete(socket);
        if (this.#ofPeer.get(peer) === connection) this.#ofPeer.delete(peer);
      });
    });
    // This listener runs before the application receives the request.
    server.prependListener('request', (request, response) => {
      const { socket } = request;
      const connection = this.#open.get(socket) ?? this.#ofPeer.get(peerOf(socket));
      if (connection === undefined) return;
      connection.answering++;
      if (connection.answering > mostOpenRequests) socket.destroy();
      response.once('close', () => {
        connection.answering--;
        if (this.#draining && connection.answering === 0) socket.destroySoon();
      });
    });
  }

  /** Returns whether a request of the connection awaits its response. */
  readonly isAnswering = (socket: Socket) => (this.#open.get(socket)?.answering ?? 0) > 0;

  /**
   * Closes the idle connections now, and the others after their response. `closeIdleConnections` of
   * Node.js would leave a connection open that has sent nothing yet, as browsers open in advance.
   */
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
  /** The listen address, with the real port where 0 was given. */
  readonly address: string;
  /** The address for a browser on this machine. */
  readonly url: string;
  /** Stops accepting, gives requests in flight this time, and closes their connections. */
  close(graceMilliseconds: number): Promise<void>;
}

/** A connection without traffic is closed after this time. */
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

/** Throws a `ListenError` if the exporter cannot listen on this address now. */
export async function requireFree(address: string): Promise<void> {
  const server = createNetServer();
  server.listen(parseListenAddress(address));
  await listening(server, address);
  await new Promise((resolve) => server.close(resolve));
}

interface ListenOptions {
  readonly security?: WebSecurity;
  /** The URL under which clients reach the exporter, if it differs from the listen address. */
  readonly externalUrl?: URL;
  /** Responds to requests for what everyone may read, before the host name is looked at. */
  readonly publicPages?: { before(rest: RequestListener): RequestListener };
  /** Receives a warning when a client uses TLS where there is none, or the reverse. */
  readonly log?: ProtocolLog;
}

/**
 * Starts to serve `app`, over TLS when the web configuration says so. Every response has the
 * configured headers.
 *
 * @throws {ListenError} when the address is malformed or cannot be bound
 */
export async function listen(
  app: RequestListener,
  on: ListenOn,
  clock: Clock,
  { security, externalUrl, publicPages, log }: ListenOptions = {},
): Promise<RunningServer> {
  const target = typeof on === 'string' ? parseListenAddress(on) : on;
  const withPublicPages = (rest: RequestListener) => publicPages?.before(rest) ?? rest;
  let guarded = withPublicPages(app);
  const server = createServer((request, response) => {
    // Requests that arrived together are passed on even when the first of them closed the
    // connection.
    if (request.socket.destroyed) return;
    const { headers = {} } = security?.current ?? {};
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    guarded(request, response);
  }, security);
  server.timeout = idleTimeoutMilliseconds;
  const connections = new Connections(server);
  const isTls = security?.current.tls !== undefined;
  if (log !== undefined && isTls) logPlainClients(server, { clock, log });
  else if (log !== undefined) logTlsClients(server, { clock, log }, connections.isAnswering);
  server.listen(target);
  await listening(server, on);
  const bound = server.address();
  const scheme = isTls ? 'https' : 'http';
  // A UNIX socket from systemd: only systemd knows its path.
  let address = bound === null || typeof bound === 'string' ? 'socket of systemd' : bound.address;
  let url = address;
  if (typeof bound === 'object' && bound !== null) {
    if (isLoopback(bound.address)) {
      guarded = withPublicPages(requireOwnHost(app, externalUrl));
    }
    address = formatListenAddress(bound.address, bound.port);
    const host = 'fd' in target ? bound.address : (target.host ?? 'localhost');
    url = `${scheme}://${formatListenAddress(host, bound.port)}`;
  }
  let closing: Promise<void> | undefined;
  return {
    address,
    url,
    close: (graceMilliseconds) => {
      closing ??= close(server, connections, graceMilliseconds, clock);
      return closing;
    },
  };
}

async function listening(server: NetServer, on: ListenOn): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    const place = typeof on === 'string' ? on : `the socket of systemd, descriptor ${on.fd}`;
    throw new ListenError(`cannot listen on ${place}: ${describeListenError(error)}`, {
      cause: error,
    });
  }
}

/** Serves on all of them or on none: rejects with the `ListenError` of the first that fails. */
export async function listenOnAll(
  app: RequestListener,
  places: readonly ListenOn[],
  clock: Clock,
  options: ListenOptions,
): Promise<readonly RunningServer[]> {
  const servers: RunningServer[] = [];
  try {
    for (const place of places) servers.push(await listen(app, place, clock, options));
  } catch (error) {
    await Promise.all(servers.map((server) => server.close(0)));
    throw error;
  }
  return servers;
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
  return advice[codeOf(error)] ?? messageOf(error);
}

/** Most requests are GETs without a body, from tools that keep connections between scrapes. */
const limits: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
};
const handshakeMilliseconds = 10_000;

/** Creates a server for HTTP, or for TLS with the files' certificate at each connection. */
function createServer(app: RequestListener, security: WebSecurity | undefined) {
  const tls = security?.current.tls;
  if (security === undefined || tls === undefined) return createHttpServer(limits, app);
  const { clientAuth, context } = tls;
  const server = createHttpsServer(
    {
      ...limits,
      ...context,
      handshakeTimeout: handshakeMilliseconds,
      requestCert: clientAuth !== 'NoClientCert',
      rejectUnauthorized: clientAuth === 'RequireAndVerifyClientCert',
    },
    app,
  );
  renewCertificate(server, security, tls);
  server.prependListener('secureConnection', (socket) => {
    if (!admits(clientAuth, socket)) socket.destroy();
  });
  return server;
}

/** Runs before the handshake, so that this connection already gets the new certificate. */
function renewCertificate(server: HttpsServer, security: WebSecurity, first: TlsSettings): void {
  let applied = first;
  server.prependListener('connection', () => {
    const { tls = applied } = security.current;
    if (tls === applied) return;
    applied = tls;
    server.setSecureContext(tls.context);
  });
}

/** Policies that OpenSSL lacks; `RequireAndVerifyClientCert` fails in the handshake. */
function admits(clientAuth: ClientAuthType, socket: TLSSocket): boolean {
  const given = Object.keys(socket.getPeerCertificate() ?? {}).length > 0;
  switch (clientAuth) {
    case 'RequireClientCert':
    case 'RequireAnyClientCert':
      return given;
    case 'VerifyClientCertIfGiven':
      return !given || socket.authorized;
    default:
      return true;
  }
}
