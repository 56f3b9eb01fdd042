import type { Request, RequestHandler } from 'express';
import type { LastOutage } from '../../slo/last-outages.ts';
import { findItems, type Item, isStale, itemPastOf } from '../common/items.ts';
import { itemPath } from '../common/paths.ts';
import { itemFilterOf, queryOf, requireOwned, timeParameter } from '../common/query.ts';
import { NotReadyError, QueryError, respondOrExplain } from '../common/query-errors.ts';
import { hidesChecks } from '../common/shown-lists.ts';
import { jsonText, plainText } from '../common/text-response.ts';
import type { StatusSource } from '../ports.ts';

/**
 * Asks for the causes of an outage of a check, which are then read within the budget. `check` is its
 * id, `from` the beginning of the outage; `account` is needed if several have the check. Responds to
 * browsers with the view of the check, and to other clients with what is known or will be read.
 */
export function causesHandler(status: StatusSource): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, () => {
      const { item, outage } = namedOutage(request, status);
      if (item === undefined || outage === undefined) {
        const missing = item === undefined ? 'is no such check' : 'was no such outage lately';
        plainText(response, 404, `There ${missing}.`);
        return;
      }
      const isKnown = outage.causes.length > 0;
      if (!isKnown && requestsFor(item) === 0) {
        plainText(response, 409, 'Neither results nor analyses of the check are read.');
        return;
      }
      if (!isKnown) ask(item, outage);
      if (request.accepts('application/json', 'text/html') === 'text/html') {
        response.set('Cache-Control', 'no-store').redirect(303, `../${itemPath(item)}#outages`);
      } else if (isKnown) {
        jsonText(response, answerJson(item, outage, { causes: outage.causes }));
      } else {
        jsonText(response, answerJson(item, outage, expectation(item)), 202);
      }
    });
}

/** The check and the outage that a request names; undefined where there is none. */
interface NamedOutage {
  readonly item: Item | undefined;
  readonly outage: LastOutage | undefined;
}

/** Throws a `QueryError`, an `ElsewhereError`, or a `NotReadyError` while nothing can be read. */
function namedOutage({ url }: Request, status: StatusSource): NamedOutage {
  const query = queryOf(url, { once: ['account', 'check', 'from'] });
  const id = query.get('check') ?? '';
  const from = timeParameter(query, 'from');
  if (!/^\d{1,15}$/.test(id)) throw new QueryError('check must be the id of a check');
  if (from === undefined) throw new QueryError('from must be the beginning of the outage');
  const { accounts, elsewhere } = itemFilterOf(query, status);
  requireOwned(query.getAll('account'), accounts, elsewhere);
  const [item, another] = findItems(accounts, 'check', Number(id));
  if (another !== undefined) throw new QueryError('account must be named: several have the check');
  if (item === undefined ? accounts.some(({ snapshot }) => hidesChecks(snapshot)) : isStale(item)) {
    throw new NotReadyError('the account cannot be read now');
  }
  const { outages = [] } = (item && itemPastOf(item)) ?? {};
  return { item, outage: outages.find(({ fromSeconds }) => fromSeconds === Math.floor(from)) };
}

function requestsFor({ status, id }: Item): number {
  return status.causes?.requests(id) ?? 0;
}

/** Throws a `NotReadyError` if too many outages wait. */
function ask({ status, id }: Item, { fromSeconds, toSeconds, endsLater }: LastOutage): void {
  const end = endsLater ? undefined : toSeconds;
  const outage = { fromSeconds, toSeconds: end ?? Number.POSITIVE_INFINITY };
  if (status.causes?.ask(id, outage)) return;
  throw new NotReadyError('the causes of other outages are read first: try again in some minutes');
}

/** The seconds are absent while there is no budget. */
function expectation(item: Item) {
  const wait = item.status.causes?.waitSeconds(item.id) ?? 0;
  const seconds = Number.isFinite(wait) ? Math.ceil(wait) : undefined;
  return { requests: requestsFor(item), seconds };
}

function answerJson({ account, id }: Item, { fromSeconds }: LastOutage, more: object): string {
  return JSON.stringify({ account, check: id, from: fromSeconds, ...more });
}
