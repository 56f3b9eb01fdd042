import { readFile } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { sendHtml } from '../common/html-response.ts';
import type { SiteAt } from '../common/site.ts';

export function runbookHandler(at: SiteAt): RequestHandler {
  // The bundler copies the file that is named in such an expression.
  const file = new URL('../../../docs/runbook.md', import.meta.url);
  return async (request, response) => {
    const { runbookView } = await import('./runbook.tsx');
    const text = await readFile(file, 'utf8');
    await sendHtml({ request, response }, runbookView(at(0), text));
  };
}
