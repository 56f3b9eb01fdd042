import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

type Labels = Record<string, string>;

interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/**
 * Registers the families of a page that do not come from the list, with their values. Reads line by
 * line, because the text of a large page is too long for a string.
 */
export async function loadPage(
  path: string,
  registry: Registry,
  isKnown: (family: string) => boolean,
): Promise<void> {
  const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) });
  const help = new Map<string, string>();
  let family: Family | undefined;
  for await (const line of lines) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') help.set(name, rest);
    else if (keyword === 'TYPE') {
      family?.fill(registry);
      family =
        isKnown(name) || /^(nodejs|process)_/.test(name)
          ? undefined
          : new Family(name, rest, help.get(name));
    } else if (!line.startsWith('#')) family?.samples.push(sampleOf(line));
  }
  family?.fill(registry);
}

function sampleOf(line: string): Sample {
  const [, name = '', labelText = '', value = ''] =
    /^([^{ ]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const labels: Labels = {};
  for (const [, label = '', text = ''] of labelText.matchAll(/([^,=]+)="((?:[^"\\]|\\.)*)"/g)) {
    labels[label] = text;
  }
  return { name, labels, value: Number(value) };
}

class Family {
  readonly samples: Sample[] = [];
  readonly #name: string;
  readonly #type: string;
  readonly #help: string;

  constructor(name: string, type: string, help = '') {
    this.#name = name;
    this.#type = type;
    this.#help = help;
  }

  fill(registry: Registry): void {
    const labels = new Set(this.samples.flatMap((sample) => Object.keys(sample.labels)));
    labels.delete('le');
    const common = {
      name: this.#name,
      help: this.#help,
      labelNames: [...labels],
      registers: [registry],
    };
    if (this.samples.length === 0) return;
    if (this.#type === 'histogram') {
      observe(new Histogram({ ...common, buckets: boundsOf(this.samples) }), this.samples);
    } else if (this.#type === 'counter') {
      const counter = new Counter(common);
      for (const { labels, value } of this.samples) counter.inc(labels, value);
    } else if (this.#type === 'gauge') {
      const gauge = new Gauge(common);
      for (const { labels, value } of this.samples) gauge.set(labels, value);
    }
  }
}

function boundsOf(samples: readonly Sample[]): number[] {
  const bounds = new Set(samples.map(({ labels }) => Number(labels.le)));
  return [...bounds].filter(Number.isFinite).sort((a, b) => a - b);
}

/**
 * Fills a histogram: each response time is the bound of its bucket, or a minute in the last one.
 */
function observe(histogram: Histogram, samples: readonly Sample[]): void {
  let before: number | undefined;
  for (const { labels, value } of samples) {
    const { le, ...series } = labels;
    if (le === undefined) {
      before = undefined;
      continue;
    }
    if (before === undefined) histogram.zero(series);
    before ??= 0;
    for (; before < value; before++) histogram.observe(series, le === '+Inf' ? 60 : Number(le));
  }
}
