import type { RequestHandler } from 'express';
import { type Clock, unixSeconds } from '../../lib/clock.ts';
import type { ConfigurationSource, StatusSource } from '../ports.ts';
import { statusJson } from './status-json.ts';

export interface StatusJsonOptions {
  readonly status: StatusSource;
  readonly version: string;
  readonly clock: Clock;
  readonly configuration?: ConfigurationSource;
}

export function statusJsonHandler(options: StatusJsonOptions): RequestHandler {
  const { status, version, clock, configuration } = options;
  return (_request, response) => {
    const json = statusJson({
      accounts: status.accounts(),
      version,
      nowSeconds: unixSeconds(clock),
      ...(configuration !== undefined && { configuration: configuration.last }),
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
