import PQueue from 'p-queue';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { type Deflated, Deflater, gzipMember, inflate } from '../lib/gzip-member.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import type { ServedFamilies } from './catalogue/served-families.ts';
import {
  type Encoding,
  type Exposed,
  exposedBytes,
  type Format,
  type MetricsSource,
} from './formats.ts';
import type { LabelPolicy } from './labels/label-policy.ts';
import type { Page } from './page/page.ts';
import type { PageRenderer } from './page/page-renderer.ts';
import { PreparedText } from './page/prepared-text.ts';
import { type PageSelection, selectsExporter } from './page/selection.ts';
import type { ExporterMetrics } from './self-metrics/exporter-metrics.ts';

interface ExpositionOptions {
  readonly renderer: PageRenderer;
  readonly metrics: ExporterMetrics;
}

/** The data of a scrape: the current page, and the exporter's own metrics at this moment. */
export class Exposition implements MetricsSource {
  readonly #renderer: PageRenderer;
  readonly #metrics: ExporterMetrics;
  /** Chunks are inflated one by one, whatever the number of scrapers without gzip. */
  readonly #inflating = new PQueue({ concurrency: 1 });
  readonly #deflater = new Deflater();
  #page: Page | undefined;
  #lastOwn: string | undefined;

  constructor({ renderer, metrics }: ExpositionOptions) {
    this.#renderer = renderer;
    this.#metrics = metrics;
  }

  /** Changes the promoted labels and the served families, from the next page on. */
  configure(labels: LabelPolicy, served: ServedFamilies): void {
    this.#renderer.configure(labels, served);
    this.#metrics.served = served;
  }

  /**
   * Shows the snapshots of all accounts, or newer ones, once the promise resolves. Returns the page.
   */
  async show(snapshots: readonly AccountSnapshot[]): Promise<Pick<Page, 'bytes'>> {
    const page = await this.#renderer.render(snapshots);
    if (page !== this.#page) this.#metrics.rendered(page);
    this.#page = page;
    return page;
  }

  /** Rejects with a `SelectionError` for an account that is not on the page. */
  async read(format: Format, encoding: Encoding, selection: PageSelection = {}): Promise<Exposed> {
    const prepared = this.#page?.prepared(format, selection) ?? new PreparedText([]);
    const own = await this.#own(format, selectsExporter(selection));
    if (encoding === 'gzip') {
      const texts = [...prepared.gzip.map(({ bytes }) => bytes), own.bytes];
      return exposedBytes(gzipMember(texts, [prepared, own]));
    }
    return { byteLength: prepared.length + own.length, chunks: this.#inflated(prepared, own) };
  }

  /**
   * The series of the page, and of the exporter's own metrics as last scraped: to collect them for
   * anything but a scrape would begin their maxima again. Undefined before the first scrape.
   */
  get series(): number | undefined {
    const own = this.#lastOwn?.match(/^[^#\n]/gm)?.length;
    return own === undefined ? undefined : own + (this.#page?.series ?? 0);
  }

  /** The exporter's own metrics when they are selected, and the end marker of the format. */
  async #own(format: Format, selected: boolean): Promise<Deflated> {
    const text = selected ? await this.#metrics.text(format) : '';
    if (selected) this.#lastOwn = text;
    return this.#deflater.deflate(text + (format === 'openmetrics' ? '# EOF\n' : ''));
  }

  /**
   * The plain text for scrapers without gzip. A chunk takes about a millisecond. A thread would take
   * several times the CPU, so chunks are inflated here, one per turn of the event loop.
   */
  async *#inflated({ plain }: PreparedText, own: Deflated): AsyncGenerator<Uint8Array> {
    for (const chunk of plain) {
      yield await this.#inflating.add(async () => {
        await yieldToEventLoop();
        return inflate(chunk);
      });
    }
    yield inflate(own);
  }
}
