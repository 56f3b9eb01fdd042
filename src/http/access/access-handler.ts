import type { Request, RequestHandler } from 'express';
import type { Sleeper } from '../../lib/clock.ts';
import { plainText } from '../common/text-response.ts';
import type { WebConfig } from '../web-config/load-web-config.ts';
import { addressOf } from './address.ts';
import { PasswordChecks, type PasswordResult, parseBasicCredentials } from './password-checks.ts';
import { PasswordThreads } from './password-threads.ts';

interface AccessOptions {
  readonly security: { readonly current: WebConfig };
  readonly clock: Sleeper;
  /** Paths that need no credentials. */
  readonly openPaths?: ReadonlySet<string>;
  readonly checks?: PasswordChecks;
}

/** Checks user and password, for every handler after this one. */
export function accessHandler({
  security,
  clock,
  openPaths = new Set(),
  checks = threadedChecks(clock),
}: AccessOptions): RequestHandler {
  return async (request, response, next) => {
    const { users } = security.current;
    if (users.size === 0 || openPaths.has(request.path)) {
      next();
      return;
    }
    const verdict = await authorize(checks, users, request);
    if (verdict === 'accepted') {
      next();
    } else if (verdict === 'busy') {
      plainText(response, 503, 'Too many passwords are being checked, try again later.');
    } else {
      response.set('WWW-Authenticate', 'Basic realm="uptime-exporter", charset="UTF-8"');
      plainText(response, 401, 'Unauthorized');
    }
  };
}

function threadedChecks(clock: Sleeper): PasswordChecks {
  const threads = new PasswordThreads();
  return new PasswordChecks({
    compare: (password, hash) => threads.compare(password, hash),
    concurrency: threads.size,
    clock,
  });
}

async function authorize(
  checks: PasswordChecks,
  users: ReadonlyMap<string, string>,
  request: Request,
): Promise<PasswordResult> {
  const credentials = parseBasicCredentials(request.headers.authorization);
  if (credentials === undefined) return 'refused';
  return checks.check(users, credentials, addressOf(request));
}
