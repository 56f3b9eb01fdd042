import type { Response } from 'express';

/** Answers with plain text; to HEAD with its headers alone. */
export function plainText(response: Response, statusCode: number, text: string): void {
  send(response, statusCode, 'text/plain', text);
}

/** Answers with JSON text, 200; to HEAD with its headers alone. */
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
