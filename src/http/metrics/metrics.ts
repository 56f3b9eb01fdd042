import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import type { CompatSelection, CompatSource } from '../../exposition/compat/compat-exposition.ts';
import { contentTypes, type Encoding, type MetricsSource } from '../../exposition/formats.ts';
import {
  type PageSelection,
  pageParts,
  SelectionError,
  unknownPart,
} from '../../exposition/page/selection.ts';
import type { Clock } from '../../lib/clock.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { present } from '../../lib/present.ts';
import { addressOf } from '../access/address.ts';
import { parametersIn } from '../common/query.ts';
import { plainText } from '../common/text-response.ts';
import { negotiateFormat } from './negotiate-format.ts';

const accountParameters = ['account', 'account[]'];
const datasetParameters = ['dataset', 'dataset[]'];
const compatParameter = 'compat';
const parameters = [...accountParameters, ...datasetParameters, compatParameter];

/**
 * Returns the part of the page that the query of a URL selects: `?account=a` and `?dataset[]=d`,
 * with or without the brackets, both repeatable. Other parameters belong to the scraper and are
 * ignored, but a parameter that resembles one of ours is rejected.
 *
 * @throws SelectionError
 */
function selectionFromUrl(url: string): PageSelection {
  const query = parametersIn(url);
  for (const name of query.keys()) rejectMisspelled(name);
  const valuesOf = (names: readonly string[]) => names.flatMap((name) => query.getAll(name));
  const accounts = valuesOf(accountParameters);
  const datasets = valuesOf(datasetParameters);
  return {
    ...(accounts.length > 0 && { accounts: new Set(accounts) }),
    ...(datasets.length > 0 && { parts: pageParts(datasets) }),
  };
}

/**
 * Returns the exporter and the account whose families a URL's query selects; undefined without
 * `compat`.
 *
 * @throws SelectionError
 */
function compatFromUrl(url: string): CompatSelection | undefined {
  const query = parametersIn(url);
  const [exporter, ...others] = query.getAll(compatParameter);
  if (exporter === undefined) return undefined;
  for (const name of query.keys()) rejectMisspelled(name);
  const [account, ...otherAccounts] = accountParameters.flatMap((name) => query.getAll(name));
  if (others.length > 0 || otherAccounts.length > 0) {
    throw new SelectionError('"compat" takes one exporter and one account');
  }
  if (datasetParameters.some((name) => query.has(name))) {
    throw new SelectionError('"compat" cannot be combined with "dataset"');
  }
  return present({ exporter, account });
}

function rejectMisspelled(name: string): void {
  if (!/^(?:account|dataset|compat)/i.test(name) || parameters.includes(name)) return;
  throw unknownPart('parameter', name, parameters);
}

/**
 * Writes the chunks and ends the stream when the reader has taken them. Prepared chunks are passed
 * on at once: a slow reader keeps references to them, not copies, and one system call writes many.
 * Chunks that are made during the response are written no faster than the reader reads. Rejects
 * with an `AbortError` if the signal aborts first.
 */
export async function writeChunks(
  stream: Writable,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  if (Symbol.iterator in chunks) {
    stream.cork();
    for (const chunk of chunks) stream.write(chunk);
    stream.uncork();
    await drained(stream, signal);
  } else {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      stream.write(chunk);
      await drained(stream, signal);
    }
  }
  stream.end();
}

/** Waits for the reader: a server that stops would otherwise treat the response as finished. */
async function drained(stream: Writable, signal: AbortSignal): Promise<void> {
  if (stream.writableNeedDrain) await once(stream, 'drain', { signal });
}

/** Twice the longest scrape timeout in common use; a scraper that takes longer has given up. */
export const scrapeTimeoutMilliseconds = 120_000;

export interface ScrapeOptions {
  readonly metrics: MetricsSource;
  /** The families of other exporters. */
  readonly compat: CompatSource;
  /** The number of parallel scrapes, 0 for no limit; further ones get 503. */
  readonly maxRequests: number;
  readonly clock: Clock;
}

/** Serves the prepared exposition. It never calls the API. */
export function scrapeHandler({
  metrics,
  compat,
  maxRequests,
  clock,
}: ScrapeOptions): RequestHandler {
  const slots = new ScrapeSlots(maxRequests);
  return async (request, response) => {
    const slot = slots.take(addressOf(request), () => response.destroy());
    if (slot === undefined) {
      const reason = `Limit of concurrent requests reached (${slots.limit}), try again later.`;
      plainText(response, 503, reason);
      return;
    }
    const over = new AbortController();
    response.once('close', () => {
      slot.release();
      over.abort();
    });
    if (response.destroyed) {
      slot.release();
      return;
    }
    closeAfterTimeout(response, clock, over.signal);
    try {
      await serve(request, response, { metrics, compat, slot }, over.signal);
    } catch (error) {
      if (error instanceof SelectionError) plainText(response, 400, `${error.message}.`);
      else if (!over.signal.aborted) throw error;
    }
  };
}

async function serve(
  request: Request,
  response: Response,
  { metrics, compat, slot }: Pick<ScrapeOptions, 'metrics' | 'compat'> & { slot: ScrapeSlot },
  signal: AbortSignal,
): Promise<void> {
  const encoding = negotiateEncoding(request);
  const selection = compatFromUrl(request.url);
  const { format, contentType } =
    selection === undefined
      ? negotiateFormat(request.headers.accept)
      : // The only format of the other exporters; a gauge named `…_total` is not at home in OpenMetrics.
        { format: 'text' as const, contentType: contentTypes.text };
  const exposed =
    selection === undefined
      ? await metrics.read(format, encoding, selectionFromUrl(request.url))
      : await compat.read(selection, encoding);
  signal.throwIfAborted();
  slot.handedOver();
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

/** A client that accepts neither encoding gets plain text (RFC 9110, section 12.5.3). */
function negotiateEncoding(request: Request): Encoding {
  return request.acceptsEncodings('gzip', 'identity') === 'gzip' ? 'gzip' : 'identity';
}

/** Bounds the resources of a scraper that reads slowly or not at all. */
function closeAfterTimeout(response: Response, clock: Clock, over: AbortSignal): void {
  clock.sleep(scrapeTimeoutMilliseconds, over).then(
    () => response.destroy(),
    () => undefined,
  );
}

/** One scrape in progress. */
interface ScrapeSlot {
  /** Marks the response as complete: it waits only for its reader. */
  handedOver(): void;
  /** Frees the slot. A second call does nothing. */
  release(): void;
}

interface Occupant {
  readonly address: string;
  readonly displace: () => void;
  isHandedOver: boolean;
}

/**
 * Limits the number of parallel scrapes. When all slots are in use, a new scrape evicts the oldest
 * stalled response of the address with the most stalled responses, unless each address has only
 * one.
 */
class ScrapeSlots {
  readonly limit: number;
  /** In order of arrival. */
  readonly #occupants = new Set<Occupant>();

  /** A `limit` of 0 means no limit. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Returns a slot for a scrape from the address; undefined when all are in use.
   *
   * @param displace ends the scrape when another one gets its slot
   */
  take(address: string, displace: () => void): ScrapeSlot | undefined {
    if (this.limit > 0 && this.#occupants.size >= this.limit) {
      const displaced = this.#displaceable();
      if (displaced === undefined) return undefined;
      this.#occupants.delete(displaced);
      displaced.displace();
    }
    const occupant: Occupant = { address, displace, isHandedOver: false };
    this.#occupants.add(occupant);
    return {
      handedOver: () => {
        occupant.isHandedOver = true;
      },
      release: () => void this.#occupants.delete(occupant),
    };
  }

  #displaceable(): Occupant | undefined {
    const byAddress = new Map<string, Occupant[]>();
    for (const occupant of this.#occupants) {
      if (!occupant.isHandedOver) continue;
      getOrMake(byAddress, occupant.address, () => []).push(occupant);
    }
    const lists = [...byAddress.values()].filter((list) => list.length > 1);
    return lists.reduce<Occupant[]>(
      (most, list) => (list.length > most.length ? list : most),
      [],
    )[0];
  }
}
