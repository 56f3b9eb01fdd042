import type { RequestHandler } from 'express';
import type { Health } from './ports.ts';
import { plainText } from './text-reply.ts';

/** Whether the process works; a restart is what helps when it does not. Never depends on the API. */
export function healthyHandler(health: Health): RequestHandler {
  return (_request, response) => {
    if (health.alive()) plainText(response, 200, 'ok');
    else plainText(response, 503, 'not healthy: the poller has stopped; restart the exporter');
  };
}

/** Whether there is something to scrape. */
export function readyHandler(health: Health): RequestHandler {
  return (_request, response) => {
    if (health.ready()) plainText(response, 200, 'ready');
    else plainText(response, 503, 'not ready: no data yet; the status page at / says why');
  };
}
