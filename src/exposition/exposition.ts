import { constants, gunzipSync, gzipSync } from 'node:zlib';
import PQueue from 'p-queue';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { RecentMap } from '../lib/recent-map.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import type { Encoding, Exposed, Format, MetricsSource } from './formats.ts';
import type { LabelPolicy } from './labels/label-policy.ts';
import type { Page } from './page/page.ts';
import type { PageRenderer } from './page/page-renderer.ts';
import type { Piece, PreparedPieces } from './page/piece.ts';
import { type PageSelection, selectsExporter } from './page/selection.ts';
import type { ExporterMetrics } from './self-metrics/exporter-metrics.ts';

/**
 * The number of inflated pieces, of about half a megabyte each, kept for scrapers that read the same page at the same
 * time.
 */
const cachedPieces = 16;

/** A piece or a single block. */
type Compressed = Pick<Piece, 'gzip' | 'length'>;

/** Used before the first page. */
const nothing: PreparedPieces = { length: 0, gzipLength: 0, pieces: [] };

/**
 * The plain text of pieces for scrapers without gzip. A piece takes about a millisecond. A thread would take several
 * times the CPU, so pieces are inflated here, one per turn of the event loop.
 */
export class Inflater {
  readonly #recent = new RecentMap<Compressed, Promise<Uint8Array>>(cachedPieces);
  readonly #queue = new PQueue({ concurrency: 1 });

  plainOf(piece: Compressed): Promise<Uint8Array> {
    const known = this.#recent.get(piece);
    if (known !== undefined) return known;
    const plain = this.#queue.add(() => inflatePiece(piece));
    this.#recent.set(piece, plain);
    return plain;
  }
}

async function inflatePiece({ gzip, length }: Compressed): Promise<Uint8Array> {
  await yieldToEventLoop();
  return gunzipSync(gzip, { chunkSize: Math.max(64, length) });
}

/** The page of the process before. */
export interface RestoredPage {
  readonly page: Page;
  /** Returns whether it still equals a page rendered at this moment. */
  readonly holds: () => boolean;
}

interface ExpositionOptions {
  readonly renderer: PageRenderer;
  readonly metrics: ExporterMetrics;
}

/** The data of a scrape: the current page, and the exporter's own metrics at this moment. */
export class Exposition implements MetricsSource {
  readonly #renderer: PageRenderer;
  readonly #metrics: ExporterMetrics;
  /** For the page that is served. */
  #inflater = new Inflater();
  readonly #ends = new Map<string, Promise<Uint8Array>>();
  #page: Page | undefined;
  /** Served until this process has rendered a page. */
  #restored: RestoredPage | undefined;
  #firstShown: () => void = () => {};
  readonly #first = new Promise<void>((resolve) => {
    this.#firstShown = resolve;
  });

  constructor({ renderer, metrics }: ExpositionOptions) {
    this.#renderer = renderer;
    this.#metrics = metrics;
  }

  /** Changes the promoted labels, from the next page on. */
  relabel(labels: LabelPolicy): void {
    this.#renderer.relabel(labels);
  }

  /** Serves the page of the process before while it is valid, until the first `show`. */
  restore(restored: RestoredPage): void {
    this.#restored = restored;
    this.#metrics.rendered(restored.page);
  }

  /** Whether the page of the process before is served. */
  get servesRestored(): boolean {
    return this.#restored?.holds() === true;
  }

  /** Shows the snapshots of all accounts, or newer ones. Resolves when they are served. */
  async show(snapshots: readonly AccountSnapshot[]): Promise<Page> {
    const page = await this.#renderer.render(snapshots);
    if (page === this.#page) return page;
    this.#page = page;
    this.#metrics.rendered(page);
    if (this.#restored !== undefined) this.#forgetRestored();
    return page;
  }

  #forgetRestored(): void {
    this.#restored = undefined;
    // The old inflater may have pieces of the old page, which keep all its bytes in memory.
    this.#inflater = new Inflater();
    this.#firstShown();
  }

  /** Rejects with a `SelectionError` when the selection names an account that is not on the page. */
  async read(format: Format, encoding: Encoding, selection: PageSelection = {}): Promise<Exposed> {
    if (this.#restored?.holds() === false) await this.#first;
    const page = this.#restored?.page ?? this.#page;
    const prepared = page?.prepared(format, selection) ?? nothing;
    const end = await this.#end(format, encoding, selectsExporter(selection));
    const { length, gzipLength, pieces } = prepared;
    if (encoding === 'gzip') {
      const chunks = [...pieces.map(({ gzip }) => gzip), end];
      return { byteLength: gzipLength + end.length, chunks };
    }
    return { byteLength: length + end.length, chunks: this.#inflated(pieces, end) };
  }

  /** Concurrent scrapes share the end of the exposition. */
  #end(format: Format, encoding: Encoding, selected: boolean): Promise<Uint8Array> {
    const key = `${format} ${encoding} ${selected}`;
    const known = this.#ends.get(key);
    if (known !== undefined) return known;
    const end = this.#makeEnd(format, encoding, selected).finally(() => this.#ends.delete(key));
    this.#ends.set(key, end);
    return end;
  }

  /** Includes the exporter's own metrics when they are selected. */
  async #makeEnd(format: Format, encoding: Encoding, selected: boolean): Promise<Uint8Array> {
    const text = selected ? await this.#metrics.text(format) : '';
    const plain = Buffer.from(text + (format === 'openmetrics' ? '# EOF\n' : ''));
    return encoding === 'gzip' ? gzipSync(plain, { level: constants.Z_BEST_SPEED }) : plain;
  }

  async *#inflated(pieces: readonly Piece[], end: Uint8Array): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield await this.#inflater.plainOf(piece);
    yield end;
  }
}
