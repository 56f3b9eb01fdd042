import { readFile } from 'node:fs/promises';
import type { Request, RequestHandler, Response } from 'express';
import { unixSeconds } from '../../lib/clock.ts';
import { startSlices, yieldToEventLoop } from '../../lib/event-loop.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import { present } from '../../lib/present.ts';
import { type AssetPaths, Assets } from '../assets.ts';
import { csvFormOf } from '../csv.ts';
import { groupNamed, worstFirst } from '../group-standing.ts';
import {
  elsewhereOf,
  explained,
  isLeftOut,
  leftOutText,
  otherAccounts,
  parametersIn,
  requireOwned,
  whereSearched,
} from '../item-query.ts';
import { findItems, type Item, itemPath, type ShownKind } from '../items.ts';
import { atOneMoment } from '../one-moment.ts';
import { allTime, groupMembership, outageList, outageQueryOf } from '../outage-list.ts';
import { outagesCsv } from '../outages-csv.ts';
import type { Href, Route, StatusSource, ViewLinks } from '../ports.ts';
import { sendPieces } from '../send-pieces.ts';
import type { StatusJsonOptions } from '../status-json.ts';
import { plainText } from '../text-response.ts';
import { badge } from './badge-handler.ts';
import { commonTags, parseItemQuery } from './item-query.ts';
import type { Site } from './layout.tsx';

export interface PageOptions extends StatusJsonOptions {
  /** The path of the metrics; begins with a slash. At `/` the metrics replace the status page. */
  readonly telemetryPath: string;
  /** The configured links of the views to other sites. */
  readonly links?: () => ViewLinks;
}

/** What a view needs at a depth of its path below the root. */
export type SiteAt = (depth: number) => Site;

interface PeoplePages {
  readonly site: SiteAt;
  readonly routes: readonly Route[];
  /** Handles all other paths. */
  readonly notFound: RequestHandler;
}

/** Loaded when a page is first opened: most installations have scrapers only. */
const html = () => import('./html.ts');

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
    (depth) => ({ ...siteAt(given, assets.paths, depth), pages });
  const at = siteOf(options);
  /** A view, to which the accounts of its time are one thing. */
  const view =
    (make: (options: PageOptions, at: SiteAt) => RequestHandler): RequestHandler =>
    (...exchange) => {
      const given = { ...options, status: atOneMoment(options.status) };
      return make(given, siteOf(given))(...exchange);
    };
  const item = (kind: ShownKind) => view((given, site) => page(given, site, kind));
  const itemById = (kind: ShownKind) => view((given, site) => redirect(given, site, kind));
  const titled: readonly Route[] = [
    { path: '/', title: 'Checks', get: view(home) },
    { path: '/groups', title: 'Groups', get: view(groups) },
    { path: '/outages', title: 'Outages', get: view(outages) },
    ...featured(at),
    { path: '/budget', title: 'Budget', get: view(budget) },
    { path: '/runbook', title: 'Runbook', get: view((_, site) => runbook(site)) },
  ];
  const pages = titled.flatMap(({ title, path }) =>
    title === undefined ? [] : [{ title, path: path.slice(1) }],
  );
  return {
    site: at,
    routes: [
      ...titled,
      { path: '/groups/:name', get: view(group) },
      { path: '/outages.csv', get: view(outagesFile) },
      { path: '/accounts/:account/checks/:id', get: item('check') },
      { path: '/accounts/:account/transactions/:id', get: item('transaction') },
      { path: '/checks/:id', get: itemById('check') },
      { path: '/transactions/:id', get: itemById('transaction') },
      { path: '/badge/:file', get: view(badge) },
      ...assets.handlers().map(([path, get]) => ({ path, get })),
    ],
    notFound: view(
      (_, site) => (request, response) =>
        notFound({ request, response }, site, 'There is no such path.'),
    ),
  };
}

function siteAt(options: PageOptions, assets: AssetPaths, depth: number): Omit<Site, 'pages'> {
  const { status, version, telemetryPath, clock, configuration, links = () => ({}) } = options;
  const accounts = status.accounts();
  const lists = accounts.flatMap(({ list }) => list ?? []);
  const names = accounts.map(({ snapshot }) => snapshot.account);
  const others = elsewhereOf(names, status).length;
  return {
    root: depth === 0 ? './' : '../'.repeat(depth),
    assets,
    version,
    telemetryPath,
    hasConfiguration: configuration !== undefined,
    links: links(),
    nowSeconds: unixSeconds(clock),
    ...(others > 0 && { accounts: { shown: accounts.length, all: accounts.length + others } }),
    ...present({ list: lists.toSorted((a, b) => b.ageSeconds - a.ageSeconds)[0] }),
  };
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

function home(options: PageOptions, at: SiteAt): RequestHandler {
  const { status, clock, configuration, storage } = options;
  return async (request, response) => {
    const { homeView, sendHtml } = await html();
    const accounts = status.accounts();
    const text = homeView(
      present({
        site: at(0),
        accounts,
        tags: await commonTags(accounts, startSlices({ clock, yieldToEventLoop })),
        replicas: status.replicas?.(),
        largePage: status.largePage?.(),
        served: status.served?.(),
        query: parseItemQuery(parametersIn(request.url)),
        ...(configuration !== undefined && { configuration: configuration.last }),
        storageFailure: storage?.failure,
      }),
    );
    await sendHtml({ request, response }, text);
  };
}

function groups(options: PageOptions, at: SiteAt): RequestHandler {
  const { status } = options;
  return explained(async (request, response) => {
    const accounts = status.accounts();
    requireOwned([], accounts, otherAccounts(status));
    const name = parametersIn(request.url).get('group');
    if (name !== null) {
      await sendGroup(options, at, { request, response }, { name, depth: 0 });
      return;
    }
    const { groupsView, sendHtml } = await html();
    await sendHtml({ request, response }, groupsView(at(0), accounts));
  });
}

function group(options: PageOptions, at: SiteAt): RequestHandler {
  return explained((request, response) => {
    const name = request.params.name?.toString() ?? '';
    return sendGroup(options, at, { request, response }, { name, depth: 1 });
  });
}

function missingGroupText(name: string, status: StatusSource): string {
  const accounts = status.accounts();
  if (isLeftOut(name, accounts)) return `${leftOutText(name)}.`;
  const known = accounts.flatMap(({ snapshot }) => snapshot.groups ?? []).map((row) => row.name);
  const isNot = `There is no such group now${whereSearched(status)}`;
  return `${isNot}${didYouMean(name, known) || '.'}`;
}

/** Sends the group of every account that has one with the name; `account=` chooses. */
async function sendGroup(
  { status, clock }: PageOptions,
  at: SiteAt,
  { request, response }: Exchange,
  { name, depth }: { readonly name: string; readonly depth: number },
): Promise<void> {
  const parameters = parametersIn(request.url);
  const accounts = parameters.getAll('account');
  requireOwned(accounts, status.accounts(), otherAccounts(status));
  const found = status.accounts().flatMap((of) => {
    const isAsked = accounts.length === 0 || accounts.includes(of.snapshot.account);
    const standing = isAsked ? groupNamed(of, name) : undefined;
    return standing === undefined ? [] : [{ status: of, standing }];
  });
  found.sort((a, b) => worstFirst(a.standing, b.standing));
  if (found.length === 0) {
    await notFound({ request, response }, at, missingGroupText(name, status));
    return;
  }
  const nowSeconds = unixSeconds(clock);
  const yieldIfDue = startSlices({ clock, yieldToEventLoop });
  const site = at(depth);
  const href: Href = (path) => `${site.root}${path}`;
  const { groupItems, groupView, sendHtml } = await html();
  const shown = [];
  for (const { status: of, standing } of found) {
    const { items, bars } = await groupItems(of, name, nowSeconds, yieldIfDue);
    const matches = groupMembership([name]);
    const asked = { accounts: [of], matches, periodAt: () => allTime };
    const parts = [];
    for (const feature of of.features ?? []) {
      parts.push((await feature.groupPart?.(name, href)) ?? []);
    }
    const outages = await outageList({ ...asked, nowSeconds, yieldIfDue });
    shown.push({ status: of, standing, items, bars, outages, parts: parts.flat() });
  }
  const query = parseItemQuery(parameters);
  // These select the groups, not the rows.
  const rows = { ...query, group: depth === 0 ? name : '', account: '' };
  await sendHtml({ request, response }, groupView({ site, name, groups: shown, query: rows }));
}

function runbook(at: SiteAt): RequestHandler {
  // The bundler copies the file that is named in such an expression.
  const file = new URL('../../../docs/runbook.md', import.meta.url);
  return async (request, response) => {
    const { runbookView, sendHtml } = await html();
    const text = await readFile(file, 'utf8');
    await sendHtml({ request, response }, runbookView(at(0), text));
  };
}

function budget({ status }: PageOptions, at: SiteAt): RequestHandler {
  return explained(async (request, response) => {
    const accounts = status.accounts();
    requireOwned([], accounts, otherAccounts(status));
    const { budgetView, sendHtml } = await html();
    await sendHtml({ request, response }, budgetView(at(0), accounts));
  });
}

function outages({ status, clock }: PageOptions, at: SiteAt): RequestHandler {
  return explained(async (request, response) => {
    const { query, list } = await askedOutages({ status, clock }, request, ['page']);
    const { outagesView, sendHtml } = await html();
    const accounts = status.accounts();
    const tags = await commonTags(accounts, startSlices({ clock, yieldToEventLoop }));
    const text = outagesView({ site: at(0), accounts, query, tags, outages: list });
    await sendHtml({ request, response }, text);
  });
}

function outagesFile({ status, clock }: PageOptions): RequestHandler {
  return explained(async (request, response) => {
    const { query, list } = await askedOutages({ status, clock }, request, ['csv']);
    sendPieces(request, response, {
      type: 'text/csv; charset=utf-8',
      fileName: 'outages.csv',
      pieces: outagesCsv(list, csvFormOf(query)),
    });
  });
}

/** Everything that is known, unless the query has a period. */
async function askedOutages(
  { status, clock }: Pick<PageOptions, 'status' | 'clock'>,
  { url }: Request,
  others: readonly string[] = [],
) {
  const defaultSeconds = Number.POSITIVE_INFINITY;
  const { query, asked } = outageQueryOf(url, status, { defaultSeconds, others });
  const yieldIfDue = startSlices({ clock, yieldToEventLoop });
  const list = await outageList({ ...asked, nowSeconds: unixSeconds(clock), yieldIfDue });
  return { query, list };
}

function page({ status }: PageOptions, at: SiteAt, kind: ShownKind): RequestHandler {
  return explained(async (request, response) => {
    const name = request.params.account?.toString() ?? '';
    requireOwned([name], status.accounts(), otherAccounts(status));
    const item = itemsNamed(status, kind, request).find(({ account }) => account === name);
    const left = leftNamed(status, kind, request).find(({ account }) => account === name);
    if (item === undefined && left !== undefined) {
      const { leftItemView, sendHtml } = await html();
      await sendHtml({ request, response }, leftItemView(at(3), left), 410);
      return;
    }
    if (item === undefined) {
      await notFound({ request, response }, at, `There is no such ${kind}.`);
      return;
    }
    const range = parametersIn(request.url).get('range') ?? undefined;
    const { itemView, sendHtml } = await html();
    await sendHtml({ request, response }, itemView(at(3), item, range));
  });
}

/** Redirects to the view of an item if its id is unique. */
function redirect({ status }: PageOptions, at: SiteAt, kind: ShownKind): RequestHandler {
  return async (request, response) => {
    const [item, ...others] = itemsNamed(status, kind, request);
    const [left] = item === undefined ? leftNamed(status, kind, request) : [];
    if (left !== undefined) {
      response.set('Cache-Control', 'no-store').redirect(302, `../${itemPath(left)}`);
    } else if (item === undefined) {
      await notFound(
        { request, response },
        at,
        `There is no such ${kind}${whereSearched(status)}.`,
      );
    } else if (others.length > 0) {
      const paths = [item, ...others].map((one) => `/${itemPath(one)}`);
      await notFound({ request, response }, at, `Several accounts have it: ${paths.join(', ')}`);
    } else {
      response.set('Cache-Control', 'no-store').redirect(302, `../${itemPath(item)}`);
    }
  };
}

/** No link of the exporter has a deeper path. */
const maxDepth = 20;

/** Responds to browsers with a view that links back, and to other clients with a line of text. */
async function notFound(exchange: Exchange, at: SiteAt, message: string): Promise<void> {
  const { request, response } = exchange;
  const [path = '/'] = request.url.split('?');
  const depth = Math.max(0, path.split('/').length - 2);
  if (depth > maxDepth || request.accepts('text/plain', 'text/html') !== 'text/html') {
    plainText(response, 404, message);
    return;
  }
  const { notFoundView, sendHtml } = await html();
  await sendHtml(exchange, notFoundView(at(depth), message), 404);
}

function itemsNamed(status: StatusSource, kind: ShownKind, request: Request): Item[] {
  const id = request.params.id?.toString() ?? '';
  return /^\d{1,15}$/.test(id) ? findItems(status.accounts(), kind, Number(id)) : [];
}

/** The items with this id that have left within the last day. */
function leftNamed(status: StatusSource, kind: ShownKind, request: Request) {
  const id = Number(request.params.id);
  return status.accounts().flatMap(({ snapshot: { account }, leftItem }) => {
    const item = leftItem?.(kind, id);
    return item === undefined ? [] : [{ kind, account, id, item }];
  });
}
