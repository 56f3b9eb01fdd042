import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
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

/** The connections to the service; `connectTimeout` in milliseconds. */
export function createDispatcher(
  connectTimeout: number,
  { caCertificates, proxy }: ConnectionOptions,
): Dispatcher {
  const connect = present({ timeout: connectTimeout, ca: caCertificates });
  // The deadlines of an attempt replace undici's own timeouts, because they use the injected clock.
  const options = { connect, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    requestTls: connect,
    proxyTls: connect,
    httpProxy: proxy.url,
    httpsProxy: proxy.url,
    noProxy: proxy.except,
  });
}
