import type { Response } from 'express';

/** Responds with plain text; to HEAD only with its headers. */
export function plainText(response: Response, statusCode: number, text: string): void {
  send(response, statusCode, 'text/plain; charset=utf-8', Buffer.from(`${text}\n`));
}

/** Responds with JSON text; to HEAD only with the headers. */
export function jsonText(response: Response, json: string, statusCode: number = 200): void {
  send(response, statusCode, 'application/json; charset=utf-8', Buffer.from(`${json}\n`));
}

/** Sends a complete response, which is not cached unless `headers` say so; to HEAD its headers. */
export function send(
  response: Response,
  statusCode: number,
  type: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .status(statusCode)
    .set({
      'Content-Type': type,
      'Content-Length': String(body.byteLength),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    })
    .end(body);
}
