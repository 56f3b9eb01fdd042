import { sendHtml } from './html-response.ts';
import type { Exchange, SiteAt } from './site.ts';
import { plainText } from './text-response.ts';

/** No link of the exporter has a deeper path. */
const maxDepth = 20;

/** Responds to browsers with a view that links back, and to other clients with a line of text. */
export async function sendNotFound(exchange: Exchange, at: SiteAt, message: string): Promise<void> {
  const { request, response } = exchange;
  const [path = '/'] = request.url.split('?');
  const depth = Math.max(0, path.split('/').length - 2);
  if (depth > maxDepth || request.accepts('text/plain', 'text/html') !== 'text/html') {
    plainText(response, 404, message);
    return;
  }
  const { notFoundView } = await import('./not-found.tsx');
  await sendHtml(exchange, notFoundView(at(depth), message), 404);
}
