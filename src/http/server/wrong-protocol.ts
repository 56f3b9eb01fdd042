import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { MonotonicClock } from '../../lib/clock.ts';

export interface ProtocolLog {
  warn(fields: object, message: string): void;
}

interface WrongProtocolOptions {
  readonly clock: MonotonicClock;
  readonly log: ProtocolLog;
}

/** A server logs one such client in this time, because clients try again. */
const quietMilliseconds = 3_600_000;

/** The first byte of a TLS connection: a record of the type handshake (RFC 8446, section 5.1). */
const handshakeRecord = 0x16;

/** The responses of Node.js to a request that it cannot read; 400 for any other error. */
const statusLines: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

interface ClientError extends Error {
  readonly code?: string;
  /** The bytes that could not be read as HTTP. */
  readonly rawPacket?: Uint8Array;
}

/** Logs clients that send plain HTTP to a server with TLS. */
export function logPlainClients(server: Server, options: WrongProtocolOptions): void {
  const { log } = options;
  const isDue = oncePerHour(options);
  server.on('tlsClientError', ({ code }: ClientError, { remoteAddress }: Socket) => {
    if (code !== 'ERR_SSL_HTTP_REQUEST' || !isDue()) return;
    log.warn({ client: remoteAddress }, 'client sent an HTTP request to an HTTPS server');
  });
}

/** Logs TLS clients of a plain HTTP server; `isAnswering`: a request awaits its response. */
export function logTlsClients(
  server: Server,
  options: WrongProtocolOptions,
  isAnswering: (socket: Socket) => boolean,
): void {
  const { log } = options;
  const isDue = oncePerHour(options);
  server.on('clientError', ({ code = '', rawPacket }: ClientError, socket: Socket) => {
    if (rawPacket?.[0] === handshakeRecord && isDue()) {
      const client = socket.remoteAddress;
      log.warn({ client }, 'client began a TLS handshake with an HTTP server');
    }
    // A listener of this event replaces the response of Node.js.
    if (socket.writable && !isAnswering(socket)) {
      socket.write(
        `HTTP/1.1 ${statusLines[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`,
      );
    }
    socket.destroySoon();
  });
}

/** Returns a function that returns true at its first call, and then at most once per hour. */
function oncePerHour({ clock }: WrongProtocolOptions): () => boolean {
  let dueAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonic();
    if (now < dueAt) return false;
    dueAt = now + quietMilliseconds;
    return true;
  };
}
