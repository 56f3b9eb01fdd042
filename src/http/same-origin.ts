import type { RequestHandler } from 'express';
import { plainText } from './text-reply.ts';

/**
 * Refuses what a page of another site makes a browser send. Browsers that send no `Sec-Fetch-Site` send an `Origin`
 * with every POST; other clients send neither. Behind a proxy that changes the host, the own origin is that of the
 * external URL.
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
