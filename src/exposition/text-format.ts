import type { HistogramTotals } from '../domain/totals.ts';
import { cutToBytes, maxLabelBytes } from '../lib/cut-text.ts';
import {
  type Emit,
  type Family,
  type SampledFamily,
  type SampleSink,
  unitOf,
} from './catalogue/family.ts';
import type { Format } from './formats.ts';

/** Includes surrogates, because some are unpaired. */
const awkward = /[\\"\n\ud800-\udfff\u202a-\u202e\u2066-\u2069]/;
/** Marks that reverse the direction of the following text. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

/**
 * Returns the value of a label as scrapers know it. Long values are cut. Lone surrogates, which have
 * no UTF-8 form, and overrides of direction become U+FFFD.
 */
export function labelValue(text: string): string {
  return withoutMarks(cutToBytes(text, maxLabelBytes));
}

function withoutMarks(text: string): string {
  return text.toWellFormed().replace(directions, '\ufffd');
}

/**
 * Returns the `labelValue` of a text as both formats write it between quotes. Every label value
 * passes here.
 */
export function escapeLabelValue(value: string): string {
  const text = cutToBytes(value, maxLabelBytes);
  if (!awkward.test(text)) return text;
  return withoutMarks(text).replace(/[\\"\n]/g, (special) => escapes[special] ?? special);
}

/** Formats a value so that Go's ParseFloat reads the same number. NaN is not a value. */
export function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

/** Formats a bucket's bound as in OpenMetrics 1.0.0 ("Canonical Numbers"): `1.0`, not `1`. */
export function formatBound(bound: number): string {
  const text = formatNumber(bound);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

type Described = Pick<Family, 'name' | 'type' | 'help'>;

/** Returns the metadata lines above the samples of a family. */
export function familyHeader(family: Described, format: Format): string {
  return format === 'text' ? textHeader(family) : openMetricsHeader(family);
}

function textHeader({ name, type, help }: Described): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
}

/** OpenMetrics names a counter without the `_total` of its samples. */
function openMetricsHeader({ name, type, help }: Described): string {
  const base = type === 'counter' ? name.replace(/_total$/, '') : name;
  const unit = unitOf(name);
  const unitLine = unit === undefined ? '' : `# UNIT ${base} ${unit}\n`;
  const escaped = escapeHelp(help).replaceAll('"', '\\"');
  return `# TYPE ${base} ${type}\n${unitLine}# HELP ${base} ${escaped}\n`;
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** Returns one line; `labels` is the text between the braces. */
export function sampleLine(name: string, labels: string, value: number): string {
  return labels === ''
    ? `${name} ${formatNumber(value)}\n`
    : `${name}{${labels}} ${formatNumber(value)}\n`;
}

/**
 * Collects the sample lines of one family. They are the same in both formats. A family gives its
 * samples to a `SampleSink` as values and label values; only this class makes text of them.
 */
export class SampleWriter implements SampleSink {
  readonly #name: string;
  readonly #labelStarts: readonly string[];
  #buckets: readonly string[] = [];
  #bounds: readonly number[] = [];
  #common = '';
  #text = '';
  #series = 0;

  constructor(family: Pick<Family, 'name' | 'labels'>) {
    this.#name = family.name;
    this.#labelStarts = family.labels.map((label) => `,${label}="`);
  }

  /** The common labels of the following samples, from `commonLabelText`; empty without any. */
  set common(text: string) {
    this.#common = text;
  }

  get text(): string {
    return this.#text;
  }

  get series(): number {
    return this.#series;
  }

  readonly emit: Emit = (value, ...labelValues) => {
    if (value === undefined || Number.isNaN(value)) return;
    this.#line('', this.#labels(labelValues), Number(value));
  };

  readonly histogram = (totals: HistogramTotals | undefined): void => {
    if (totals === undefined) return;
    const { bounds, counts, sumSeconds } = totals;
    if (bounds !== this.#bounds) {
      this.#bounds = bounds;
      const upTo = [...bounds, Number.POSITIVE_INFINITY].map(formatBound);
      this.#buckets = upTo.map((bound) => `,le="${bound}"`);
    }
    let count = 0;
    for (const [place, bucket] of this.#buckets.entries()) {
      count += counts[place] ?? 0;
      this.#line('_bucket', bucket, count);
    }
    this.#line('_sum', '', sumSeconds);
    this.#line('_count', '', count);
  };

  readonly summary = (sum: number, count: number, ...labelValues: readonly string[]): void => {
    const labels = this.#labels(labelValues);
    this.#line('_sum', labels, sum);
    this.#line('_count', labels, count);
  };

  #labels(values: readonly string[]): string {
    const starts = this.#labelStarts;
    let text = '';
    for (let index = 0; index < starts.length; index++) {
      text += `${starts[index]}${escapeLabelValue(values[index] ?? '')}"`;
    }
    return text;
  }

  #line(suffix: string, labels: string, value: number): void {
    const all = this.#common === '' ? labels.slice(1) : this.#common + labels;
    this.#text += sampleLine(this.#name + suffix, all, value);
    this.#series++;
  }
}

/** Returns the header and the samples of a family; an empty text without samples. */
export function familyText(
  family: Pick<Family, 'name' | 'type' | 'help' | 'labels'>,
  format: Format,
  write: (writer: SampleWriter) => void,
): string {
  const writer = new SampleWriter(family);
  write(writer);
  return writer.series === 0 ? '' : familyHeader(family, format) + writer.text;
}

/** Returns a family without common labels, for these rows. */
export function rowsText<R>(family: SampledFamily<R>, rows: readonly R[], format: Format): string {
  return familyText(family, format, (writer) => {
    for (const row of rows) family.samples(row, writer);
  });
}

/** Returns common labels as text, for use with many samples. */
export function commonLabelText(labels: Readonly<Record<string, string>>): string {
  const all: string[] = [];
  for (const name in labels) all.push(`${name}="${escapeLabelValue(labels[name] ?? '')}"`);
  return all.join(',');
}
