import type { RequestHandler } from 'express';
import { plainText } from '../text-reply.ts';

/**
 * Takes the prefix off every path, so that nothing behind it knows of it. As in Prometheus, `/` leads to where the pages
 * are; everything else outside of the prefix is not found.
 *
 * @param prefix such as `/uptime`; empty for none
 * @param home the address of the status page for browsers
 */
export function routePrefix(prefix: string, home: string): RequestHandler {
  return (request, response, next) => {
    const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(request.url) ?? [];
    if (path.startsWith(`${prefix}/`)) {
      request.url = path.slice(prefix.length) + query;
      next();
    } else if (path === '/' || path === prefix) {
      response.redirect(302, home);
    } else {
      plainText(response, 404, `Not found. Everything is below ${prefix}/`);
    }
  };
}
