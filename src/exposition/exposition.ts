import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { AccountSnapshot } from '../state/account-snapshot.ts';
import type { Block } from './block.ts';
import type { ExporterMetrics } from './exporter-metrics.ts';
import type { Encoding, Exposed, Format, MetricsSource } from './format.ts';
import { Inflater } from './inflater.ts';
import type { Page } from './page.ts';
import type { PageRenderer } from './page-renderer.ts';
import { type Selection, selectsExporter } from './selection.ts';

interface ExpositionOptions {
  readonly renderer: PageRenderer;
  readonly metrics: ExporterMetrics;
}

const compress = promisify(gzip);

/** What a scrape reads: the current page, and the exporter's own metrics as they are now. */
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

  /** Shows the snapshots of all accounts, or newer ones, once the promise resolves. */
  async show(snapshots: readonly AccountSnapshot[]): Promise<void> {
    const page = await this.#renderer.render(snapshots);
    if (page === this.#page) return;
    this.#page = page;
    this.#metrics.rendered(page);
  }

  /** Rejects with a `SelectionError` when the selection names an account that is not on the page. */
  async read(format: Format, encoding: Encoding, selection: Selection = {}): Promise<Exposed> {
    const blocks = this.#page?.blocks(format, selection) ?? [];
    const end = await this.#end(format, encoding, selectsExporter(selection));
    const isGzip = encoding === 'gzip';
    const pageBytes = blocks.reduce(
      (sum, { gzip, length }) => sum + (isGzip ? gzip.length : length),
      0,
    );
    return {
      byteLength: pageBytes + end.length,
      chunks: isGzip ? [...blocks.map((block) => block.gzip), end] : this.#inflated(blocks, end),
    };
  }

  /** Scrapes that come at the same time share the end of the exposition. */
  #end(format: Format, encoding: Encoding, selected: boolean): Promise<Uint8Array> {
    const key = `${format} ${encoding} ${selected}`;
    const known = this.#ends.get(key);
    if (known !== undefined) return known;
    const end = this.#makeEnd(format, encoding, selected).finally(() => this.#ends.delete(key));
    this.#ends.set(key, end);
    return end;
  }

  /** With the exporter's own metrics when they are selected. */
  async #makeEnd(format: Format, encoding: Encoding, selected: boolean): Promise<Uint8Array> {
    const text = selected ? await this.#metrics.text(format) : '';
    const plain = Buffer.from(text + (format === 'openmetrics' ? '# EOF\n' : ''));
    return encoding === 'gzip' ? compress(plain, { level: constants.Z_BEST_SPEED }) : plain;
  }

  async *#inflated(blocks: readonly Block[], end: Uint8Array): AsyncGenerator<Uint8Array> {
    for (const block of blocks) yield await this.#inflater.plainOf(block);
    yield end;
  }
}
