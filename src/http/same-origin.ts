import type { RequestHandler } from 'express';
import { plainText } from './plain-text.ts';

/**
 * Refuses what a page of another site makes a browser send. Browsers that send no `Sec-Fetch-Site` send an `Origin`
 * with every POST; other clients send neither.
 */
export const requireSameOrigin: RequestHandler = (request, response, next) => {
  const site = request.get('Sec-Fetch-Site');
  const origin = request.get('Origin');
  const isOwn =
    site === undefined
      ? origin === undefined || hostOf(origin) === request.get('Host')
      : site === 'same-origin' || site === 'none';
  if (isOwn) next();
  else plainText(response, 403, 'Refused: the request comes from a page of another site.');
};

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
