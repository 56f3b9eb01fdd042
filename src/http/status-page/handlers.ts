import type { Request, RequestHandler, Response } from 'express';
import { type Clock, unixSeconds } from '../../lib/clock.ts';
import { type AssetPaths, Assets } from '../assets.ts';
import { badgeSvg } from '../badge.ts';
import type { ConfigurationSource, PageLinks, StatusSource, StorageSource } from '../ports.ts';
import { plainText } from '../text-reply.ts';
import { homePage } from './home.tsx';
import { itemPage } from './item-page/item-page.tsx';
import { parseItemQuery } from './item-query.ts';
import { findItems, type Item, type ItemKind, itemPath } from './items.ts';
import type { Site } from './layout.tsx';

interface PageOptions {
  readonly status: StatusSource;
  readonly telemetryPath: string;
  readonly version: string;
  readonly clock: Clock;
  readonly links?: () => PageLinks;
  readonly configuration?: ConfigurationSource;
  readonly storage?: StorageSource;
}

/** Only the exporter's own files are loaded or run, whatever a name in a page may hold. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The pages for people, and what they load. Reading them never calls the API. */
export function peoplePages(
  options: PageOptions,
): (readonly [path: string, handler: RequestHandler])[] {
  const assets = new Assets();
  const at = (depth: number) => siteAt(options, assets.paths, depth);
  return [
    ['/', home(options, at)],
    ['/accounts/:account/checks/:id', page(options, at, 'check')],
    ['/accounts/:account/transactions/:id', page(options, at, 'transaction')],
    ['/checks/:id', redirect(options, 'check')],
    ['/transactions/:id', redirect(options, 'transaction')],
    ['/badge/:file', badge(options)],
    ...assets.handlers(),
  ];
}

function siteAt(options: PageOptions, assets: AssetPaths, depth: number): Site {
  const { version, telemetryPath, clock, configuration, links = () => ({}) } = options;
  return {
    root: depth === 0 ? './' : '../'.repeat(depth),
    assets,
    version,
    telemetryPath,
    hasConfiguration: configuration !== undefined,
    links: links(),
    nowSeconds: unixSeconds(clock),
  };
}

type SiteAt = (depth: number) => Site;

function home({ status, configuration, storage }: PageOptions, at: SiteAt): RequestHandler {
  return (request, response) => {
    const html = homePage({
      site: at(0),
      accounts: status.accounts(),
      query: parseItemQuery(parametersOf(request)),
      ...(configuration !== undefined && { configuration: configuration.last }),
      ...(storage?.failure !== undefined && { storageFailure: storage.failure }),
    });
    sendHtml(response, html);
  };
}

function page({ status }: PageOptions, at: SiteAt, kind: ItemKind): RequestHandler {
  return (request, response) => {
    const item = itemsNamed(status, kind, request).find(
      ({ account }) => account === request.params.account,
    );
    if (item === undefined) plainText(response, 404, `There is no such ${kind}.`);
    else sendHtml(response, itemPage(at(3), item));
  };
}

/** Leads to the page of the item where its id is unique. */
function redirect({ status }: PageOptions, kind: ItemKind): RequestHandler {
  return (request, response) => {
    const [item, ...others] = itemsNamed(status, kind, request);
    if (item === undefined) {
      plainText(response, 404, `There is no such ${kind}.`);
    } else if (others.length > 0) {
      const paths = [item, ...others].map((one) => `/${itemPath(one)}`);
      plainText(response, 404, `Several accounts have it: ${paths.join(', ')}`);
    } else {
      response.set('Cache-Control', 'no-store').redirect(302, `../${itemPath(item)}`);
    }
  };
}

/** `ID.svg` of a check, or of a transaction where no check has the id; of neither when accounts share the id. */
function badge({ status }: PageOptions): RequestHandler {
  return (request, response) => {
    const [, id] = /^(\d{1,15})\.svg$/.exec(request.params.file?.toString() ?? '') ?? [];
    const accounts = status.accounts();
    const checks = findItems(accounts, 'check', Number(id));
    const [item, ...others] =
      checks.length > 0 ? checks : findItems(accounts, 'transaction', Number(id));
    if (id === undefined || item === undefined || others.length > 0) {
      plainText(response, 404, 'There is no such check, or several have the id.');
      return;
    }
    const body = Buffer.from(badgeSvg(item));
    response
      .status(200)
      .set('Content-Type', 'image/svg+xml; charset=utf-8')
      .set('Content-Length', String(body.byteLength))
      .set('Cache-Control', 'no-cache')
      .set('Content-Security-Policy', "default-src 'none'")
      .set('X-Content-Type-Options', 'nosniff')
      .end(body);
  };
}

function itemsNamed(status: StatusSource, kind: ItemKind, request: Request): Item[] {
  const id = request.params.id?.toString() ?? '';
  return /^\d{1,15}$/.test(id) ? findItems(status.accounts(), kind, Number(id)) : [];
}

function parametersOf(request: Request): URLSearchParams {
  const place = request.url.indexOf('?');
  return new URLSearchParams(place === -1 ? '' : request.url.slice(place));
}

function sendHtml(response: Response, html: string): void {
  const body = Buffer.from(html);
  response
    .status(200)
    .set('Content-Type', 'text/html; charset=utf-8')
    .set('Content-Length', String(body.byteLength))
    .set('Cache-Control', 'no-store')
    .set('Content-Security-Policy', contentSecurityPolicy)
    .set('X-Content-Type-Options', 'nosniff')
    .set('Referrer-Policy', 'no-referrer')
    .end(body);
}
