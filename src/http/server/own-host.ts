import type { RequestListener } from 'node:http';
import { isIP } from 'node:net';

/**
 * Protects a server that listens on a loopback address against DNS rebinding: another site's page
 * can make a browser on this machine resolve the site's name to the loopback address, and would
 * then read everything. So only names that no other site can have are allowed: IP addresses, names
 * without a dot, names below `localhost`, and the host of the external URL.
 */
export function requireOwnHost(
  app: RequestListener,
  externalUrl: URL | undefined,
): RequestListener {
  return (request, response) => {
    const name = hostNameOf(request.headers.host ?? '');
    if (name === '' || isOwnName(name) || name === externalUrl?.hostname.toLowerCase()) {
      app(request, response);
      return;
    }
    const reason = `Refused: the exporter listens on the loopback address and does not know the host name of this request. If a proxy passes it on, set --web.external-url.\n`;
    response.writeHead(403, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(reason),
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : reason);
  };
}

/** Returns the name in a `Host` header, in lower case, without port, brackets and trailing dot. */
function hostNameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function isOwnName(name: string): boolean {
  return isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost');
}
