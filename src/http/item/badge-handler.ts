import type { RequestHandler } from 'express';
import { unixSeconds } from '../../lib/clock.ts';
import { findItems, type ShownKind, serviceNow } from '../common/items.ts';
import {
  asFarAsKnown,
  otherAccounts,
  parametersIn,
  requireOnce,
  requireOwned,
  whereSearched,
} from '../common/query.ts';
import { explained } from '../common/query-errors.ts';
import { isUnread } from '../common/shown-lists.ts';
import { shownRanges } from '../common/shown-range.ts';
import type { StatusAndClock } from '../common/site.ts';
import { plainText, send } from '../common/text-response.ts';

/**
 * `ID.svg` is the badge of a check, or of a transaction if no check has the id. `account` is needed
 * if accounts share an id, and `window` is one of 24h, 7d, 30d.
 */
export function badge({ status, clock }: StatusAndClock): RequestHandler {
  return explained(async (request, response) => {
    const [, id] = /^(\d{1,15})\.svg$/.exec(request.params.file?.toString() ?? '') ?? [];
    const parameters = parametersIn(request.url);
    requireOnce(parameters, ['account', 'window']);
    const account = parameters.get('account');
    requireOwned(parameters.getAll('account'), status.accounts(), otherAccounts(status));
    const asked = parameters.get('window') ?? '30d';
    const range = shownRanges.find((one) => one === asked);
    const found = (kind: ShownKind) =>
      findItems(status.accounts(), kind, Number(id)).filter(
        (item) => account === null || item.account === account,
      );
    const checks = found('check');
    const [item, ...others] = checks.length > 0 ? checks : found('transaction');
    if (id === undefined || item === undefined || others.length > 0) {
      const where = asFarAsKnown(status.accounts().filter(isUnread));
      const message = `There is no such check${whereSearched(status)}, or several have the id${where}.`;
      plainText(response, 404, message);
      return;
    }
    if (range === undefined) {
      plainText(response, 400, `Unknown window: expected one of ${shownRanges.join(', ')}.`);
      return;
    }
    const now = serviceNow(item.status, unixSeconds(clock));
    const { badgeSvg } = await import('./badge.ts');
    const body = Buffer.from(badgeSvg(item, range, now));
    send(response, 200, 'image/svg+xml; charset=utf-8', body, {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': "default-src 'none'",
    });
  });
}
