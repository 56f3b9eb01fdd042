import type { RequestHandler } from 'express';
import { startSlices, yieldToEventLoop } from '../../lib/event-loop.ts';
import { present } from '../../lib/present.ts';
import { sendHtml } from '../common/html-response.ts';
import { parseItemQuery } from '../common/list-query.ts';
import { commonTags } from '../common/offered-tags.ts';
import { parametersIn, requireOnce } from '../common/query.ts';
import { explained } from '../common/query-errors.ts';
import type { PageOptions, SiteAt } from '../common/site.ts';

export function homeHandler(options: PageOptions, at: SiteAt): RequestHandler {
  const { status, clock, configuration, storage } = options;
  return explained(async (request, response) => {
    const parameters = parametersIn(request.url);
    requireOnce(parameters, ['account', 'group']);
    const { homeView } = await import('./home.tsx');
    const accounts = status.accounts();
    const text = homeView(
      present({
        site: at(0),
        accounts,
        tags: await commonTags(accounts, startSlices({ clock, yieldToEventLoop })),
        replicas: status.replicas?.(),
        largePage: status.largePage?.(),
        served: status.served?.(),
        query: parseItemQuery(parameters),
        ...(configuration !== undefined && { configuration: configuration.last }),
        storageFailure: storage?.failure,
      }),
    );
    await sendHtml({ request, response }, text);
  });
}
