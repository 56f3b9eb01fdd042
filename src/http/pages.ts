import type { RequestHandler } from 'express';
import { Assets } from './assets.ts';
import { budgetHandler } from './budget/handler.ts';
import type { ShownKind } from './common/items.ts';
import { atOneMoment } from './common/one-moment.ts';
import { sendNotFound } from './common/send-not-found.ts';
import { type PageOptions, type SiteAt, siteAt } from './common/site.ts';
import { groupHandler, groupsHandler } from './groups/handlers.ts';
import { homeHandler } from './home/handler.ts';
import { badge } from './item/badge-handler.ts';
import { itemByIdHandler, itemHandler } from './item/handlers.ts';
import { outagesCsvHandler, outagesHandler } from './outages/handlers.ts';
import type { Route } from './ports.ts';
import { runbookHandler } from './runbook/handler.ts';

interface PeoplePages {
  readonly routes: readonly Route[];
  /** Handles all other paths. */
  readonly notFound: RequestHandler;
}

/**
 * Returns the views and the files that they load. Opening them never calls the API.
 *
 * @param featured the paths of optional features
 */
export function views(
  options: PageOptions,
  featured: (site: SiteAt) => readonly Route[] = () => [],
): PeoplePages {
  const assets = new Assets();
  const siteOf =
    (given: PageOptions): SiteAt =>
    (depth, status = given.status) => ({
      ...siteAt({ ...given, status }, assets.paths, depth),
      pages,
    });
  /** Takes the status once for each response, so that all parts of a view agree. */
  const view =
    (make: (options: PageOptions, at: SiteAt) => RequestHandler): RequestHandler =>
    (...exchange) => {
      const given = { ...options, status: atOneMoment(options.status) };
      return make(given, siteOf(given))(...exchange);
    };
  const item = (kind: ShownKind) => view((given, site) => itemHandler(given, site, kind));
  const itemById = (kind: ShownKind) => view((given, site) => itemByIdHandler(given, site, kind));
  const titled: readonly Route[] = [
    { path: '/', title: 'Checks', get: view(homeHandler) },
    { path: '/groups', title: 'Groups', get: view(groupsHandler) },
    { path: '/outages', title: 'Outages', get: view(outagesHandler) },
    ...featured(siteOf(options)),
    { path: '/budget', title: 'Budget', get: view(budgetHandler) },
    { path: '/runbook', title: 'Runbook', get: view((_, site) => runbookHandler(site)) },
  ];
  const pages = titled.flatMap(({ title, path }) =>
    title === undefined ? [] : [{ title, path: path.slice(1) }],
  );
  return {
    routes: [
      ...titled,
      { path: '/groups/:name', get: view(groupHandler) },
      { path: '/outages.csv', get: view(outagesCsvHandler) },
      { path: '/accounts/:account/checks/:id', get: item('check') },
      { path: '/accounts/:account/transactions/:id', get: item('transaction') },
      { path: '/checks/:id', get: itemById('check') },
      { path: '/transactions/:id', get: itemById('transaction') },
      { path: '/badge/:file', get: view(badge) },
      ...assets.handlers().map(([path, get]) => ({ path, get })),
    ],
    notFound: view(
      (_, site) => (request, response) =>
        sendNotFound({ request, response }, site, 'There is no such path.'),
    ),
  };
}
