import type { Response } from 'express';

/** Responds with plain text; to HEAD only with its headers. */
export function plainText(response: Response, statusCode: number, text: string): void {
  send(response, statusCode, 'text/plain', text);
}

/** Responds with JSON text and status 200; to HEAD only with the headers. */
export function jsonText(response: Response, json: string): void {
  send(response, 200, 'application/json', json);
}

function send(response: Response, statusCode: number, type: string, text: string): void {
  const body = Buffer.from(`${text}\n`);
  response
    .status(statusCode)
    .set('Content-Type', `${type}; charset=utf-8`)
    .set('Content-Length', String(body.byteLength))
    .set('Cache-Control', 'no-store')
    .set('X-Content-Type-Options', 'nosniff')
    .end(body);
}
