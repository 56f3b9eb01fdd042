import type { HistogramTotals } from '../domain/tally.ts';
import type { Emit, Family, SampleSink } from './catalogue/family.ts';
import { escapeLabelValue } from './label-value.ts';
import { formatBound, formatNumber } from './number-format.ts';

/** Collects the sample lines of one family. They are the same in both formats. */
export class SampleWriter implements SampleSink {
  readonly #name: string;
  readonly #labelStarts: readonly string[];
  #boundTexts: readonly string[] = [];
  #bounds: readonly number[] = [];
  #common = '';
  #text = '';
  #series = 0;

  constructor(family: Pick<Family, 'name' | 'labels'>) {
    this.#name = family.name;
    this.#labelStarts = family.labels.map((label) => `,${label}="`);
  }

  /** The common labels of the samples to come, as `commonLabelText` gives them. */
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
      this.#boundTexts = [...bounds, Number.POSITIVE_INFINITY].map(
        (bound) => `,le="${formatBound(bound)}"`,
      );
    }
    let count = 0;
    for (const [index, text] of this.#boundTexts.entries()) {
      count += counts[index] ?? 0;
      this.#line('_bucket', text, count);
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
    let text = '';
    for (const [index, start] of this.#labelStarts.entries()) {
      text += `${start}${escapeLabelValue(values[index] ?? '')}"`;
    }
    return text;
  }

  #line(suffix: string, labels: string, value: number): void {
    this.#text += `${this.#name}${suffix}{${this.#common}${labels}} ${formatNumber(value)}\n`;
    this.#series++;
  }
}

/** Common labels as text, to be kept and used for many samples. */
export function commonLabelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabelValue(value)}"`)
    .join(',');
}
