import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { present } from '../../lib/present.ts';
import { Secret } from '../../lib/secret.ts';

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

/** The secrets in a proxy's URL, encoded and decoded. A user without password is an access key. */
export function proxySecrets({ proxy }: ConnectionOptions): Secret[] {
  if (proxy === undefined) return [];
  const { username, password } = new URL(proxy.url);
  const [user, key] = [decodeURIComponent(username), decodeURIComponent(password)];
  // In base64 the pair differs from its parts, so it is a separate secret.
  const texts = password === '' ? [username, user] : [password, key, `${user}:${key}`];
  return [...new Set(texts)].filter((text) => text !== '').map((text) => new Secret(text));
}
