import type { RequestHandler } from 'express';
import { sendHtml } from '../shared/html-response.ts';
import { explained, otherAccounts, requireOwned } from '../shared/query.ts';
import type { PageOptions, SiteAt } from '../shared/site.ts';

export function budgetHandler({ status }: PageOptions, at: SiteAt): RequestHandler {
  return explained(async (request, response) => {
    const accounts = status.accounts();
    requireOwned([], accounts, otherAccounts(status));
    const { budgetView } = await import('./budget-view.tsx');
    await sendHtml({ request, response }, budgetView(at(0), accounts));
  });
}
