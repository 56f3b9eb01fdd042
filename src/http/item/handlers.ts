import type { Request, RequestHandler } from 'express';
import { sendHtml } from '../common/html-response.ts';
import { findItems, type Item, type ShownKind } from '../common/items.ts';
import { itemPath } from '../common/paths.ts';
import {
  asFarAsKnown,
  otherAccounts,
  parametersIn,
  requireOnce,
  requireOwned,
  whereSearched,
} from '../common/query.ts';
import { explained } from '../common/query-errors.ts';
import { sendNotFound } from '../common/send-not-found.ts';
import { isUnread } from '../common/shown-lists.ts';
import type { PageOptions, SiteAt } from '../common/site.ts';
import type { StatusSource } from '../ports.ts';

export function itemHandler({ status }: PageOptions, at: SiteAt, kind: ShownKind): RequestHandler {
  return explained(async (request, response) => {
    const name = request.params.account?.toString() ?? '';
    requireOwned([name], status.accounts(), otherAccounts(status));
    const item = itemsNamed(status, kind, request).find(({ account }) => account === name);
    const left = leftNamed(status, kind, request).find(({ account }) => account === name);
    if (item === undefined && left !== undefined) {
      const { leftItemView } = await import('./left-item.tsx');
      await sendHtml({ request, response }, leftItemView(at(3), left), 410);
      return;
    }
    if (item === undefined) {
      const hidden = status
        .accounts()
        .filter((account) => account.snapshot.account === name && isUnread(account));
      const text = `There is no such ${kind}${asFarAsKnown(hidden)}.`;
      await sendNotFound({ request, response }, at, text);
      return;
    }
    const parameters = parametersIn(request.url);
    requireOnce(parameters, ['range']);
    const range = parameters.get('range') ?? undefined;
    const { itemView } = await import('./item-view.tsx');
    await sendHtml({ request, response }, itemView(at(3), item, range));
  });
}

/** Redirects to the view of an item if its id is unique. */
export function itemByIdHandler(
  { status }: PageOptions,
  at: SiteAt,
  kind: ShownKind,
): RequestHandler {
  return async (request, response) => {
    const [item, ...others] = itemsNamed(status, kind, request);
    const [left] = item === undefined ? leftNamed(status, kind, request) : [];
    if (left !== undefined) {
      response.set('Cache-Control', 'no-store').redirect(302, `../${itemPath(left)}`);
    } else if (item === undefined) {
      const hidden = status.accounts().filter(isUnread);
      const text = `There is no such ${kind}${whereSearched(status)}${asFarAsKnown(hidden)}.`;
      await sendNotFound({ request, response }, at, text);
    } else if (others.length > 0) {
      // The paths of the application lack the route prefix, which only the original address has.
      const prefix = request.originalUrl.slice(0, -request.url.length);
      const paths = [item, ...others].map((one) => `${prefix}/${itemPath(one)}`);
      await sendNotFound(
        { request, response },
        at,
        `Several accounts have it: ${paths.join(', ')}`,
      );
    } else {
      response.set('Cache-Control', 'no-store').redirect(302, `../${itemPath(item)}`);
    }
  };
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
