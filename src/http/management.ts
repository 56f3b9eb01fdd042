import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { plainText } from './common/text-response.ts';
import type { BackupResult, ConfigurationSource, Health, Hook, UnreadyReason } from './ports.ts';

/** Responds whether the process works; if not, a restart helps. Independent of the API. */
export function healthyHandler(health: Health): RequestHandler {
  return (_request, response) => {
    if (health.alive()) plainText(response, 200, 'ok');
    else plainText(response, 503, 'not healthy: the poller has stopped; restart the exporter');
  };
}

const unreadyTexts: { readonly [R in UnreadyReason]: string } = {
  'no data': 'no data yet; the status page at / says why',
  'no database': 'the database does not answer; the log says why',
};

/** Responds whether there are data to scrape. */
export function readyHandler(health: Health): RequestHandler {
  return (_request, response) => {
    const reason = health.unready();
    if (reason === undefined) plainText(response, 200, 'ready');
    else plainText(response, 503, `not ready: ${unreadyTexts[reason]}`);
  };
}

/** Responds with the configuration in use, without its secrets. */
export function configurationHandler(configuration: ConfigurationSource): RequestHandler {
  return (_request, response) => plainText(response, 200, configuration.shown().trimEnd());
}

/** Responds when the configuration has been reloaded, or with the reason for a failure. */
export function reloadHandler(configuration: ConfigurationSource): RequestHandler {
  return async (_request, response) => {
    const { failure } = await configuration.reload();
    if (failure === undefined) plainText(response, 200, 'reloaded');
    else
      plainText(response, 500, `Configuration reload failed; keeping the current one:\n${failure}`);
  };
}

/** Responds with the path of the copy when it is written, or with the reason for a failure. */
export function backupHandler(backup: () => Promise<BackupResult>): RequestHandler {
  return async (_request, response) => {
    const result = await backup();
    if ('path' in result) plainText(response, 200, result.path);
    else plainText(response, 500, `No backup was written: ${result.failure}`);
  };
}

/**
 * Rejects requests that a page of another site makes a browser send. Browsers without
 * `Sec-Fetch-Site` send an `Origin` with every POST; other clients send neither. Behind a proxy
 * that changes the host, the allowed origin is the origin of the external URL.
 */
export function requireSameOrigin(externalUrl?: URL): RequestHandler {
  return (request, response, next) => {
    const site = request.get('Sec-Fetch-Site');
    const origin = request.get('Origin');
    const isOwn =
      site === undefined
        ? origin === undefined || isOwnOrigin(origin, request.get('Host'), externalUrl)
        : site === 'same-origin' || site === 'none';
    if (isOwn) next();
    else plainText(response, 403, 'Refused: the request comes from a page of another site.');
  };
}

function isOwnOrigin(origin: string, host: string | undefined, externalUrl?: URL): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: originHost, origin: canonical } = new URL(origin);
  return originHost === host || canonical === externalUrl?.origin;
}

const prefix = '/hooks/';

/**
 * Handles the webhook of the service: POST, and GET from older integrations. The secret is its
 * path; a wrong secret or method is an unknown path. The handler ignores query and body, and runs
 * before the password check, because the service cannot send passwords.
 */
export function hookHandler(hooks: () => readonly Hook[]): RequestHandler {
  return ({ method, path }, response, next) => {
    const isCall = (method === 'POST' || method === 'GET') && path.startsWith(prefix);
    const called = isCall ? matching(hooks(), path) : [];
    if (called.length === 0) {
      next();
      return;
    }
    for (const hook of called) hook.called();
    plainText(response, 202, 'accepted');
  };
}

/** Compares the path with every secret, in a time that does not depend on the matching part. */
function matching(hooks: readonly Hook[], path: string): readonly Hook[] {
  const given = digest(path.slice(prefix.length));
  return hooks.filter(({ secret }) => timingSafeEqual(digest(secret.reveal()), given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
