import { constants, gunzipSync, gzipSync } from 'node:zlib';
import PQueue from 'p-queue';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { RecentMap } from '../lib/recent-map.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import type { Encoding, Exposed, Format, MetricsSource } from './formats.ts';
import type { LabelPolicy } from './labels/label-policy.ts';
import type { Page } from './page/page.ts';
import type { PageRenderer } from './page/page-renderer.ts';
import type { Piece, PreparedPieces } from './page/piece.ts';
import { type PageSelection, selectsExporter } from './page/selection.ts';
import type { ExporterMetrics } from './self-metrics/exporter-metrics.ts';

/** The number of inflated pieces (half a megabyte each) for simultaneous scrapers. */
const cachedPieces = 16;

/** A piece or a single block. */
type Compressed = Pick<Piece, 'gzip' | 'length'>;

/** Used before the first page. */
const nothing: PreparedPieces = { length: 0, gzipLength: 0, pieces: [] };

/**
 * The plain text of pieces for scrapers without gzip. A piece takes about a millisecond. A thread
 * would take several times the CPU, so pieces are inflated here, one per turn of the event loop.
 */
export class Inflater {
  readonly #recent = new RecentMap<Compressed, Promise<Uint8Array>>(cachedPieces);
  readonly #queue = new PQueue({ concurrency: 1 });

  plainOf(piece: Compressed): Promise<Uint8Array> {
    return getOrMake(this.#recent, piece, () => this.#queue.add(() => inflatePiece(piece)));
  }
}

async function inflatePiece({ gzip, length }: Compressed): Promise<Uint8Array> {
  await yieldToEventLoop();
  return gunzipSync(gzip, { chunkSize: Math.max(64, length) });
}

interface ExpositionOptions {
  readonly renderer: PageRenderer;
  readonly metrics: ExporterMetrics;
}

/** The data of a scrape: the current page, and the exporter's own metrics at this moment. */
export class Exposition implements MetricsSource {
  readonly #renderer: PageRenderer;
  readonly #metrics: ExporterMetrics;
  readonly #inflater = new Inflater();
  readonly #ends = new Map<string, Promise<Uint8Array>>();
  #page: Page | undefined;

  constructor({ renderer, metrics }: ExpositionOptions) {
    this.#renderer = renderer;
    this.#metrics = metrics;
  }

  /** Changes the promoted labels, from the next page on. */
  relabel(labels: LabelPolicy): void {
    this.#renderer.relabel(labels);
  }

  /** Shows the snapshots of all accounts, or newer ones, once the promise resolves. */
  async show(snapshots: readonly AccountSnapshot[]): Promise<void> {
    const page = await this.#renderer.render(snapshots);
    if (page === this.#page) return;
    this.#page = page;
    this.#metrics.rendered(page);
  }

  /** Rejects with a `SelectionError` for an account that is not on the page. */
  async read(format: Format, encoding: Encoding, selection: PageSelection = {}): Promise<Exposed> {
    const prepared = this.#page?.prepared(format, selection) ?? nothing;
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
    return getOrMake(this.#ends, key, () =>
      this.#makeEnd(format, encoding, selected).finally(() => this.#ends.delete(key)),
    );
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
