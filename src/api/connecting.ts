import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { Secret } from '../lib/secret.ts';

export interface ProxyServer {
  /** `http:` or `https:`, with the user and password in it if the proxy wants them. */
  readonly url: string;
  /** Hosts that are asked without the proxy, separated by commas, as in the variable NO_PROXY. */
  readonly except: string;
}

/** How the service is reached. */
export interface Connecting {
  /** Certificates in PEM of the authorities to trust, in place of those that Node.js brings. */
  readonly authorities?: string;
  readonly proxy?: ProxyServer;
}

/** The connections to the service; `connectTimeout` in milliseconds. */
export function connections(
  connectTimeout: number,
  { authorities, proxy }: Connecting,
): Dispatcher {
  const connect = {
    timeout: connectTimeout,
    ...(authorities !== undefined && { ca: authorities }),
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

/** The password in the address of a proxy, as it stands there and as it is meant. */
export function proxySecrets({ proxy }: Connecting): Secret[] {
  const password = proxy === undefined ? '' : new URL(proxy.url).password;
  return password === '' ? [] : [new Secret(password), new Secret(decodeURIComponent(password))];
}
