import {
  createServer as createHttpServer,
  type RequestListener,
  type ServerOptions,
} from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { TlsSettings } from '../web-config/load-web-config.ts';
import type { ClientAuthType } from '../web-config/schema.ts';
import type { WebSecurity } from '../web-config/web-security.ts';

/** What is asked of it are GETs without a body, from tools that keep connections between scrapes. */
const limits: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
};
const handshakeMilliseconds = 10_000;

/** A server for plain HTTP, or for TLS with the certificate that the files hold when a connection opens. */
export function createServer(app: RequestListener, security: WebSecurity | undefined) {
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

/** Before the handshake, so that the connection at hand gets the new certificate already. */
function renewCertificate(server: HttpsServer, security: WebSecurity, first: TlsSettings): void {
  let applied = first;
  server.prependListener('connection', () => {
    const { tls = applied } = security.current;
    if (tls === applied) return;
    applied = tls;
    server.setSecureContext(tls.context);
  });
}

/** The policies that OpenSSL has no name for; `RequireAndVerifyClientCert` fails in the handshake. */
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
