import type { RequestHandler } from 'express';
import { type Clock, unixSeconds } from '../../lib/clock.ts';
import type { StatusSource } from '../ports.ts';
import { statusJson } from './status-json.ts';

export interface StatusJsonOptions {
  readonly status: StatusSource;
  readonly version: string;
  readonly clock: Clock;
}

export function statusJsonHandler({ status, version, clock }: StatusJsonOptions): RequestHandler {
  return (_request, response) => {
    const json = statusJson({
      accounts: status.accounts(),
      version,
      nowSeconds: unixSeconds(clock),
    });
    const body = Buffer.from(`${JSON.stringify(json, undefined, 2)}\n`);
    response
      .status(200)
      .set('Content-Type', 'application/json; charset=utf-8')
      .set('Content-Length', String(body.byteLength))
      .set('Cache-Control', 'no-store')
      .set('X-Content-Type-Options', 'nosniff')
      .end(body);
  };
}
