import { compare } from 'bcryptjs';
import type { RequestHandler } from 'express';
import { plainText } from '../plain-text.ts';
import type { WebConfig } from '../web-config/load-web-config.ts';
import {
  type BasicCredentials,
  PasswordChecks,
  parseBasicCredentials,
  type Verdict,
} from './password-checks.ts';

/** Stands before every path: the headers of every reply, and who may have one. */
export function accessHandler(
  security: { readonly current: WebConfig },
  checks = new PasswordChecks(compare),
): RequestHandler {
  return async (request, response, next) => {
    const { headers, users } = security.current;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const credentials = parseBasicCredentials(request.headers.authorization);
    const verdict = users.size === 0 ? 'accepted' : await authorize(checks, users, credentials);
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

async function authorize(
  checks: PasswordChecks,
  users: ReadonlyMap<string, string>,
  credentials: BasicCredentials | undefined,
): Promise<Verdict> {
  return credentials === undefined ? 'refused' : checks.check(users, credentials);
}
