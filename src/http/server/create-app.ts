import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { CompatExposition } from '../../exposition/compat/compat-exposition.ts';
import {
  type CompatOptions,
  defaultCompatOptions,
} from '../../exposition/compat/compat-options.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { accessHandler } from '../access/access-handler.ts';
import { otherAccounts } from '../common/query.ts';
import type { PageOptions, SiteAt } from '../common/site.ts';
import { plainText } from '../common/text-response.ts';
import { statusJsonHandler } from '../home/status-json.ts';
import {
  backupHandler,
  configurationHandler,
  healthyHandler,
  hookHandler,
  readyHandler,
  reloadHandler,
  requireSameOrigin,
} from '../management.ts';
import { type ScrapeOptions, scrapeHandler } from '../metrics/metrics.ts';
import { causesHandler } from '../outages/causes.ts';
import { outagesJsonHandler } from '../outages/outages-json.ts';
import { views } from '../pages.ts';
import type { Health, Hook, HttpLogger, Route } from '../ports.ts';
import { serviceDiscoveryHandler } from '../service-discovery.ts';
import type { WebSecurity } from '../web-config/web-security.ts';

export interface AppOptions extends PageOptions, Omit<ScrapeOptions, 'compat' | 'clock'> {
  /** Options of the families of other exporters; by default without flags. */
  readonly compatOptions?: () => CompatOptions;
  readonly health: Health;
  readonly logger?: HttpLogger;
  /** The current webhooks. */
  readonly hooks?: () => readonly Hook[];
  /** Until it returns true, only the health check and the webhooks respond; others get 503. */
  readonly isRestored?: () => boolean;
  /** The paths of optional features. */
  readonly routes?: (site: SiteAt) => readonly Route[];
  /** Users; without it everyone may read. */
  readonly security?: WebSecurity;
  /** Whether the health checks respond without credentials. */
  readonly unauthenticatedProbes?: boolean;
  /** The prefix of every path, such as `/uptime`; by default empty. */
  readonly routePrefix?: string;
  /** The URL under which clients reach the exporter, if it differs from the listen address. */
  readonly externalUrl?: URL;
}

const probePaths = { healthy: '/-/healthy', ready: '/-/ready' } as const;

/**
 * Creates the application with everything that the exporter serves over HTTP. No handler spends the
 * account's budget; a webhook, a job and a request for causes ask the agenda to refresh.
 */
export function createApp(options: AppOptions): Express {
  const { telemetryPath, health, configuration, storage, externalUrl, clock, status } = options;
  const compat = new CompatExposition({
    accounts: () => status.accounts(),
    elsewhere: () => otherAccounts(status).map(({ account }) => account),
    options: options.compatOptions ?? (() => defaultCompatOptions),
    clock,
    yieldToEventLoop,
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('strict routing');
  app.enable('case sensitive routing');

  const prefix = options.routePrefix ?? '';
  if (prefix !== '') app.use(routePrefix(prefix, homeOf(externalUrl, prefix)));
  if (options.hooks !== undefined) app.use(hookHandler(options.hooks));
  if (options.security !== undefined) {
    const { security, unauthenticatedProbes } = options;
    const openPaths = new Set(unauthenticatedProbes === true ? Object.values(probePaths) : []);
    app.use(accessHandler({ security, clock, openPaths }));
  }
  if (options.isRestored !== undefined) app.use(onceRestored(options.isRestored));
  const people = views(options, options.routes);
  const routes: Route[] = [
    { path: literalPath(telemetryPath), get: scrapeHandler({ ...options, compat }) },
    { path: probePaths.healthy, get: healthyHandler(health) },
    { path: probePaths.ready, get: readyHandler(health) },
    { path: '/status.json', get: statusJsonHandler(options) },
    { path: '/sd', get: serviceDiscoveryHandler(options) },
    { path: '/outages.json', get: outagesJsonHandler(options) },
    { path: '/-/causes', post: causesHandler(status) },
    ...people.routes,
  ];
  if (configuration !== undefined) {
    routes.push({ path: '/config', get: configurationHandler(configuration) });
    routes.push({ path: '/-/reload', post: reloadHandler(configuration) });
  }
  const backup = storage?.backup;
  if (backup !== undefined) routes.push({ path: '/-/backup', post: backupHandler(backup) });
  for (const { path, get, post } of routes) {
    const route = app.route(path);
    if (get !== undefined) route.get(get);
    if (post !== undefined) route.post(requireSameOrigin(externalUrl), post);
    route.all(methodNotAllowed(get !== undefined, post !== undefined));
  }
  app.use(notFound(prefix + telemetryPath, people.notFound));
  app.use(internalError(options.logger));
  return app;
}

/** Responds with 503 until the stored state is restored, so that no response lacks stored data. */
function onceRestored(isRestored: () => boolean): RequestHandler {
  return ({ path }, response, next) => {
    if (isRestored() || path === probePaths.healthy) next();
    else plainText(response, 503, 'not ready: the stored state is being restored');
  };
}

/** Returns the address of the status page for browsers: the external URL, if there is one. */
function homeOf(externalUrl: URL | undefined, prefix: string): string {
  return externalUrl === undefined ? `${prefix}/` : externalUrl.href.replace(/\/?$/, '/');
}

/** Keeps express from interpreting a path as a pattern. */
function literalPath(path: string): string {
  return path.replace(/[\\:*?+!(){}[\]]/g, '\\$&');
}

function methodNotAllowed(mayGet: boolean, mayPost: boolean): RequestHandler {
  const allowed = [...(mayGet ? ['GET', 'HEAD'] : []), ...(mayPost ? ['POST'] : [])];
  return (_request, response) => {
    response.set('Allow', allowed.join(', '));
    plainText(response, 405, `Method not allowed: use ${allowed.join(' or ')}.`);
  };
}

/** Responds to browsers with a view that links to the others, and to other clients with text. */
function notFound(telemetryPath: string, forPeople: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const isForPeople = request.accepts('text/plain', 'text/html') === 'text/html';
    if (isForPeople) await forPeople(request, response, next);
    else plainText(response, 404, `Not found. The metrics are at ${telemetryPath}`);
  };
}

/** The log has the reason, not the response. A path that cannot be decoded is a client error. */
function internalError(logger: HttpLogger | undefined): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (error instanceof URIError) {
      plainText(response, 400, 'Bad request: the path has an invalid escape.');
      return;
    }
    logger?.error({ error, method: request.method, path: request.path }, 'request failed');
    if (response.headersSent) response.destroy();
    else plainText(response, 500, 'Internal error: the log of the exporter has the details.');
  };
}

/**
 * Removes the prefix from every path, so that the handlers do not know it. As in Prometheus, `/`
 * redirects to the views; any other path outside of the prefix is not found.
 *
 * @param prefix such as `/uptime`; empty for none
 * @param home the address of the status page for browsers
 */
function routePrefix(prefix: string, home: string): RequestHandler {
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
