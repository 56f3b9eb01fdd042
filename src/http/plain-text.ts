import type { Response } from 'express';

/** Answers with plain text; to HEAD with its headers alone. */
export function plainText(response: Response, statusCode: number, text: string): void {
  const body = Buffer.from(`${text}\n`);
  response
    .status(statusCode)
    .set('Content-Type', 'text/plain; charset=utf-8')
    .set('Content-Length', String(body.byteLength))
    .set('Cache-Control', 'no-store')
    .set('X-Content-Type-Options', 'nosniff')
    .end(body);
}
