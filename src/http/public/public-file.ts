import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';

const compress = promisify(gzip);

/** A file that everyone may read. */
export interface PublicFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly compressed: Buffer;
  readonly tag: string;
  readonly caching: string;
}

export async function publicFile(
  type: string,
  text: string | Buffer,
  caching: string,
): Promise<PublicFile> {
  const plain = Buffer.from(text);
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, plain, compressed: await compress(plain), tag, caching };
}

/** Readers rarely need a second page, and idle connections would add up. */
const closing = { Connection: 'close' } as const;

/** Browsers load the style sheet and nothing else, even if a name contains markup. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends a file, or 304 to a reader that has it; to HEAD only the headers. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { type, plain, compressed, tag, caching }: PublicFile,
): void {
  const common = { ...closing, ETag: tag, 'Cache-Control': caching, Vary: 'Accept-Encoding' };
  if (hasVersion(request.headers['if-none-match'], tag)) {
    response.writeHead(304, common).end();
    return;
  }
  const isCompressed = new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip';
  const body = isCompressed ? compressed : plain;
  response.writeHead(200, {
    ...common,
    'Content-Type': type,
    'Content-Length': body.byteLength,
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** RFC 9110, section 13.1.2: tags are compared without their `W/`, which a cache may have removed. */
function hasVersion(header: string | undefined, tag: string): boolean {
  const opaque = (one: string) => one.trim().replace(/^W\//, '');
  return header?.split(',').some((one) => [opaque(tag), '*'].includes(opaque(one))) === true;
}

/** Sends a line of text that nobody may keep; to HEAD only the headers. */
export function sendLine(
  request: IncomingMessage,
  response: ServerResponse,
  statusCode: number,
  text: string,
): void {
  const body = Buffer.from(`${text}\n`);
  response.writeHead(statusCode, {
    ...closing,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.byteLength,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
