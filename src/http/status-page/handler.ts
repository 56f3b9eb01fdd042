import type { RequestHandler } from 'express';
import { type Clock, unixSeconds } from '../../lib/clock.ts';
import type { ConfigurationSource, StatusSource } from '../ports.ts';
import { statusPage } from './page.ts';
import { styleSource } from './style.ts';

export interface StatusPageOptions {
  readonly status: StatusSource;
  readonly telemetryPath: string;
  readonly version: string;
  readonly clock: Clock;
  readonly configuration?: ConfigurationSource;
}

/** Nothing but the page's own style sheet is loaded or run, whatever a name in it may hold. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${styleSource}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function statusPageHandler(options: StatusPageOptions): RequestHandler {
  const { status, telemetryPath, version, clock, configuration } = options;
  return (_request, response) => {
    const page = statusPage({
      accounts: status.accounts(),
      version,
      telemetryPath,
      nowSeconds: unixSeconds(clock),
      ...(configuration !== undefined && { configuration: configuration.last }),
    });
    const body = Buffer.from(page.toString());
    response
      .status(200)
      .set('Content-Type', 'text/html; charset=utf-8')
      .set('Content-Length', String(body.byteLength))
      .set('Cache-Control', 'no-store')
      .set('Content-Security-Policy', contentSecurityPolicy)
      .set('X-Content-Type-Options', 'nosniff')
      .set('Referrer-Policy', 'no-referrer')
      .end(body);
  };
}
