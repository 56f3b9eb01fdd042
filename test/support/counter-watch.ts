/** The samples of a page in the text format, keyed by name and labels. */
export type Samples = ReadonlyMap<string, number>;

interface Backstep {
  readonly sample: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A scraper that remembers every counter of the account across scrapes and restarts, like
 * Prometheus. The counters of the exporter's process begin again with it.
 */
export class CounterWatch {
  readonly #highest = new Map<string, number>();
  readonly backsteps: Backstep[] = [];
  scrapes = 0;

  scraped(page: string): Samples {
    this.scrapes += 1;
    const { counters, samples } = readPage(page);
    for (const [sample, value] of counters) {
      const before = this.#highest.get(sample) ?? 0;
      if (value < before) this.backsteps.push({ sample, from: before, to: value });
      this.#highest.set(sample, value);
    }
    return samples;
  }
}

/** A name may change, but the counters stay those of the item. */
const nameLabel = /,name="(?:[^"\\]|\\.)*"/;
const own = /^(?:uptime_exporter_|process_|nodejs_)/;

export function readPage(page: string): { readonly counters: Samples; readonly samples: Samples } {
  const counters = new Map<string, number>();
  const samples = new Map<string, number>();
  let counts = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('# TYPE ')) {
      const [, , family = '', type = ''] = line.split(' ');
      counts = !own.test(family) && /^(?:counter|histogram|summary)$/.test(type);
    }
    if (line === '' || line.startsWith('#')) continue;
    const end = line.lastIndexOf(' ');
    const sample = line.slice(0, end).replace(nameLabel, '');
    const value = Number(line.slice(end + 1));
    samples.set(sample, value);
    if (counts) counters.set(sample, value);
  }
  return { counters, samples };
}
