export interface ProxyServer {
  /** `http:` or `https:`, with user and password if the proxy needs them. */
  readonly url: string;
  /** Hosts to reach without the proxy, comma-separated as in NO_PROXY. */
  readonly except: string;
}

/** The address of the proxy through which an address is reached; undefined without one. */
export function proxyTo(
  address: string,
  { proxy }: { readonly proxy?: ProxyServer },
): string | undefined {
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
