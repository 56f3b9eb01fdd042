import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { AccountSnapshot } from '../state/account-snapshot.ts';
import type { ExporterMetrics } from './exporter-metrics.ts';
import type { Encoding, Format, MetricsSource } from './format.ts';
import type { Page } from './page.ts';
import type { PageRenderer } from './page-renderer.ts';

interface ExpositionOptions {
  readonly renderer: PageRenderer;
  readonly metrics: ExporterMetrics;
}

const compress = promisify(gzip);

/** What a scrape reads: the current page, and the exporter's own metrics as they are now. */
export class Exposition implements MetricsSource {
  readonly #renderer: PageRenderer;
  readonly #metrics: ExporterMetrics;
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

  async read(format: Format, encoding: Encoding): Promise<readonly Uint8Array[]> {
    const end = format === 'openmetrics' ? '# EOF\n' : '';
    const own = Buffer.from((await this.#metrics.text(format)) + end);
    const encoded =
      encoding === 'gzip' ? await compress(own, { level: constants.Z_BEST_SPEED }) : own;
    return [...(this.#page?.chunks(format, encoding) ?? []), encoded];
  }
}
