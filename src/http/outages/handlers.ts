import type { Request, RequestHandler } from 'express';
import { unixSeconds } from '../../lib/clock.ts';
import { startSlices, yieldToEventLoop } from '../../lib/event-loop.ts';
import { csvFormOf } from '../common/csv.ts';
import { sendHtml } from '../common/html-response.ts';
import { commonTags } from '../common/offered-tags.ts';
import { outageList, outageQueryOf, unreadIn } from '../common/outage-list.ts';
import { explained } from '../common/query-errors.ts';
import { sendPieces } from '../common/send-pieces.ts';
import type { PageOptions, SiteAt, StatusAndClock } from '../common/site.ts';
import { nameUnreadable } from '../common/unreadable-header.ts';
import { outagesCsv } from './outages-csv.ts';

export function outagesHandler({ status, clock }: PageOptions, at: SiteAt): RequestHandler {
  return explained(async (request, response) => {
    const { query, asked, list } = await askedOutages({ status, clock }, request, ['page']);
    const { outagesView } = await import('./outages-view.tsx');
    const accounts = status.accounts();
    const tags = await commonTags(accounts, startSlices({ clock, yieldToEventLoop }));
    const text = outagesView({
      ...{ site: at(0), accounts, query, tags, outages: list },
      asked: asked.accounts,
    });
    await sendHtml({ request, response }, text);
  });
}

export function outagesCsvHandler({ status, clock }: PageOptions): RequestHandler {
  return explained(async (request, response) => {
    const { query, asked, list } = await askedOutages({ status, clock }, request, ['csv']);
    nameUnreadable(response, unreadIn(status, asked));
    sendPieces(request, response, {
      type: 'text/csv; charset=utf-8',
      fileName: 'outages.csv',
      pieces: outagesCsv(list, csvFormOf(query)),
    });
  });
}

/** Everything that is known, unless the query has a period. */
async function askedOutages(
  { status, clock }: StatusAndClock,
  { url }: Request,
  others: readonly string[],
) {
  const defaultSeconds = Number.POSITIVE_INFINITY;
  const { query, asked } = outageQueryOf(url, status, { defaultSeconds, others });
  const yieldIfDue = startSlices({ clock, yieldToEventLoop });
  const list = await outageList({ ...asked, nowSeconds: unixSeconds(clock), yieldIfDue });
  return { query, asked, list };
}
