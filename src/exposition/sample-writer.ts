import type { Emit, Family } from './catalogue/family.ts';
import { escapeLabelValue } from './label-value.ts';
import { formatNumber } from './number-format.ts';

/** Collects the sample lines of one family. They are the same in both formats. */
export class SampleWriter {
  readonly #start: string;
  readonly #labelStarts: readonly string[];
  #common = '';
  #text = '';
  #series = 0;

  constructor(family: Pick<Family, 'name' | 'labels'>) {
    this.#start = `${family.name}{`;
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
    let line = this.#start + this.#common;
    for (const [index, start] of this.#labelStarts.entries()) {
      line += `${start}${escapeLabelValue(labelValues[index] ?? '')}"`;
    }
    this.#text += `${line}} ${formatNumber(Number(value))}\n`;
    this.#series++;
  };
}

/** Common labels as text, to be kept and used for many samples. */
export function commonLabelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabelValue(value)}"`)
    .join(',');
}
