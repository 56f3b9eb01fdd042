import type { Request, RequestHandler, Response } from 'express';
import type { Encoding, MetricsSource } from '../exposition/format.ts';
import { SelectionError } from '../exposition/selection.ts';
import type { Clock } from '../lib/clock.ts';
import { negotiateFormat } from './negotiate-format.ts';
import { plainText } from './plain-text.ts';
import { ScrapeSlots } from './scrape-slots.ts';
import { selectionIn } from './selection-in.ts';
import { writeChunks } from './write-chunks.ts';

/** Twice the longest scrape timeout in common use; a scraper that takes longer has given up. */
export const scrapeTimeoutMilliseconds = 120_000;

export interface ScrapeOptions {
  readonly metrics: MetricsSource;
  /** Scrapes at a time, 0 for any number; the ones above it are answered with 503. */
  readonly maxRequests: number;
  readonly clock: Clock;
}

/** Serves the prepared exposition. It never calls the API. */
export function scrapeHandler({ metrics, maxRequests, clock }: ScrapeOptions): RequestHandler {
  const slots = new ScrapeSlots(maxRequests);
  return async (request, response) => {
    const release = slots.take();
    if (release === undefined) {
      const reason = `Limit of concurrent requests reached (${slots.limit}), try again later.`;
      plainText(response, 503, reason);
      return;
    }
    const over = new AbortController();
    response.once('close', () => {
      release();
      over.abort();
    });
    if (response.destroyed) {
      release();
      return;
    }
    cutOff(response, clock, over.signal);
    try {
      await serve(request, response, metrics, over.signal);
    } catch (error) {
      if (error instanceof SelectionError) plainText(response, 400, `${error.message}.`);
      else if (!over.signal.aborted) throw error;
    }
  };
}

async function serve(
  request: Request,
  response: Response,
  metrics: MetricsSource,
  signal: AbortSignal,
): Promise<void> {
  const { format, contentType } = negotiateFormat(request.headers.accept);
  const encoding = negotiateEncoding(request);
  const exposed = await metrics.read(format, encoding, selectionIn(request.url));
  signal.throwIfAborted();
  response
    .status(200)
    .set('Content-Type', contentType)
    .set('Content-Length', String(exposed.byteLength))
    .set('Vary', 'Accept, Accept-Encoding')
    .set('Cache-Control', 'no-store')
    .set('X-Content-Type-Options', 'nosniff');
  if (encoding === 'gzip') response.set('Content-Encoding', 'gzip');
  if (request.method === 'HEAD') response.end();
  else await writeChunks(response, exposed.chunks, signal);
}

/** Plain is also the answer to a client that accepts neither, as RFC 9110, section 12.5.3 allows. */
function negotiateEncoding(request: Request): Encoding {
  return request.acceptsEncodings('gzip', 'identity') === 'gzip' ? 'gzip' : 'identity';
}

/** Bounds what a scraper that reads slowly, or not at all, can hold. */
function cutOff(response: Response, clock: Clock, over: AbortSignal): void {
  clock.sleep(scrapeTimeoutMilliseconds, over).then(
    () => response.destroy(),
    () => undefined,
  );
}
