import type { RequestHandler } from 'express';
import { sendHtml } from '../common/html-response.ts';
import { otherAccounts, requireOwned } from '../common/query.ts';
import { explained } from '../common/query-errors.ts';
import type { PageOptions, SiteAt } from '../common/site.ts';

export function budgetHandler({ status }: PageOptions, at: SiteAt): RequestHandler {
  return explained(async (request, response) => {
    const accounts = status.accounts();
    requireOwned([], accounts, otherAccounts(status));
    const { budgetView } = await import('./budget-view.tsx');
    await sendHtml({ request, response }, budgetView(at(0), accounts));
  });
}
