import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { Secret } from '../../lib/secret.ts';

export interface ProxyServer {
  /** `http:` or `https:`, with the user and password in it if the proxy wants them. */
  readonly url: string;
  /** Hosts that are asked without the proxy, separated by commas, as in the variable NO_PROXY. */
  readonly except: string;
}

/** How the service is reached. */
export interface ConnectionOptions {
  /** Certificates in PEM of the authorities to trust, in place of those that Node.js brings. */
  readonly caCertificates?: string;
  readonly proxy?: ProxyServer;
}

/** The connections to the service; `connectTimeout` in milliseconds. */
export function createDispatcher(
  connectTimeout: number,
  { caCertificates, proxy }: ConnectionOptions,
): Dispatcher {
  const connect = {
    timeout: connectTimeout,
    ...(caCertificates !== undefined && { ca: caCertificates }),
  };
  // The deadlines of an attempt stand in for both: they run on the injected clock.
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

/**
 * What the address of a proxy holds that must never be shown, as it stands there and as it is meant; the user
 * too where there is no password, since it is a key then.
 */
export function proxySecrets({ proxy }: ConnectionOptions): Secret[] {
  if (proxy === undefined) return [];
  const { username, password } = new URL(proxy.url);
  const [user, key] = [decodeURIComponent(username), decodeURIComponent(password)];
  // In base64 the pair looks different from its parts, so that it is a secret of its own.
  const texts = password === '' ? [username, user] : [password, key, `${user}:${key}`];
  return [...new Set(texts)].filter((text) => text !== '').map((text) => new Secret(text));
}
