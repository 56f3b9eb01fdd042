import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { present } from '../../lib/present.ts';
import { type ProxyServer, proxyTo } from './proxy-server.ts';

/** How to reach the service. */
export interface ConnectionOptions {
  /** CA certificates (PEM) to trust instead of those built into Node.js. */
  readonly caCertificates?: string;
  readonly proxy?: ProxyServer;
}

/** The connections to an address; `connectTimeout` in milliseconds. */
export function createDispatcher(
  address: string,
  connectTimeout: number,
  connection: ConnectionOptions,
): Dispatcher {
  const connect = present({ timeout: connectTimeout, ca: connection.caCertificates });
  // The deadlines of an attempt replace undici's own timeouts, because they use the injected clock.
  const options = { connect, headersTimeout: 0, bodyTimeout: 0 };
  const proxy = proxyTo(address, connection);
  if (proxy === undefined) return new Agent(options);
  const token = proxyAuthorization(proxy);
  return new ProxyAgent({
    ...options,
    ...present({ token }),
    uri: proxy,
    requestTls: connect,
    proxyTls: connect,
  });
}

/** Undici sends nothing for a user without a password, which is an access key. */
function proxyAuthorization(proxy: string): string | undefined {
  const { username, password } = new URL(proxy);
  if (username === '') return undefined;
  const pair = [username, password].map(decodeURIComponent).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
