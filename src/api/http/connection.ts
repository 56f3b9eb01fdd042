import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { codeOf, messageOf } from '../../lib/error-text.ts';
import { present } from '../../lib/present.ts';
import { type ProxyServer, proxyTo } from './proxy-server.ts';

/** How to reach the service. */
export interface ConnectionOptions {
  /** CA certificates (PEM) to trust instead of those built into Node.js. */
  readonly caCertificates?: string;
  readonly proxy?: ProxyServer;
}

interface ConnectionLimits {
  /** In milliseconds. */
  readonly connectTimeout: number;
  /**
   * Ends connections that are being made, which undici's `destroy` leaves until their timeout; not a
   * TLS handshake through a proxy's tunnel.
   */
  readonly closed: AbortSignal;
}

/** The connections to an address. */
export function createDispatcher(
  address: string,
  { connectTimeout, closed }: ConnectionLimits,
  connection: ConnectionOptions,
): Dispatcher {
  const connect = present({ timeout: connectTimeout, ca: connection.caCertificates });
  // The deadlines of an attempt replace undici's own timeouts, because they use the injected clock.
  const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
  const proxy = proxyTo(address, connection);
  // Each connection that is being made has a listener.
  setMaxListeners(0, closed);
  if (proxy === undefined) {
    return new Agent({ ...timeouts, connect: endedBy(closed, buildConnector(connect)) });
  }
  const token = proxyAuthorization(proxy);
  return new ProxyAgent({
    ...timeouts,
    ...present({ token }),
    uri: proxy,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (origin, { connect }: { connect: buildConnector.connector }) =>
      proxyConnections(origin, endedBy(closed, connect), connectTimeout),
  });
}

function endedBy(closed: AbortSignal, connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    const end = () => void socket.destroy();
    // The types of undici omit that the socket is returned.
    const socket = connect(options, (...result) => {
      closed.removeEventListener('abort', end);
      callback(...result);
    }) as unknown as Socket;
    closed.addEventListener('abort', end);
  };
}

/**
 * The connections to a proxy, which must answer the request for a tunnel within the timeout of a
 * connection. An error with undici's own code for a broken connection is replaced: undici would ask
 * again at once, without end.
 */
function proxyConnections(
  origin: URL,
  connectToProxy: buildConnector.connector,
  timeout: number,
): Dispatcher {
  const pool = new Pool(origin, { connect: connectToProxy, headersTimeout: timeout });
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: async (tunnel: Dispatcher.ConnectOptions) => {
      try {
        return await connect(tunnel);
      } catch (error) {
        const code = codeOf(error);
        if (code !== 'UND_ERR_HEADERS_TIMEOUT') throw new Error(messageOf(error), { cause: error });
        // The message of undici names the headers, as if the limit were that of a response.
        const text = `the proxy did not answer CONNECT within timeouts.connect of ${timeout / 1000} s`;
        throw Object.assign(new Error(text), { code });
      }
    },
  });
}

/** Undici sends nothing for a user without a password, which is an access key. */
function proxyAuthorization(proxy: string): string | undefined {
  const { username, password } = new URL(proxy);
  if (username === '') return undefined;
  const pair = [username, password].map(decodeURIComponent).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
