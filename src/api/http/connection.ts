import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { present } from '../../lib/present.ts';

export interface ProxyServer {
  /** `http:` or `https:`, with user and password if the proxy needs them. */
  readonly url: string;
  /** Hosts to reach without the proxy, comma-separated as in NO_PROXY. */
  readonly except: string;
}

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

/** The address of the proxy through which an address is reached; undefined without one. */
export function proxyTo(address: string, { proxy }: ConnectionOptions): string | undefined {
  return proxy === undefined || isExcepted(address, proxy.except) ? undefined : proxy.url;
}

/** An exception is a host with its subdomains, such as `example.com` or `.example.com:8443`. */
function isExcepted(address: string, except: string): boolean {
  const { protocol, hostname, port } = new URL(address);
  const targetPort = port || (protocol === 'https:' ? '443' : '80');
  return except.split(/[,\s]+/).some((entry) => {
    if (entry === '*') return true;
    const [, host = '', onPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (host === '' || (onPort !== undefined && onPort !== targetPort)) return false;
    return hostname === host || hostname.endsWith(`.${host}`);
  });
}
