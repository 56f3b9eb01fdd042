import type { HistogramFamily, RecordedFamily } from '../catalogue/family.ts';
import type { Format } from '../formats.ts';
import {
  bucketLabels,
  escapeLabelValue,
  familyHeader,
  histogramLines,
  sampleLine,
} from '../text-format.ts';

/** The values of the labels of one series, in any order of the names. */
type Labels<L extends string> = Readonly<Record<L, string>>;

/** One family that the exporter records. The text of its series is prepared except for the values. */
export interface Recorded {
  /** Empty without series. */
  text(format: Format): string;
  /** Removes the series with this account. */
  forget(account: string): void;
}

interface Series<V> {
  /** `a="1",b="2"`. */
  readonly labels: string;
  readonly account: string | undefined;
  value: V;
}

/** The series of a family by the values of their labels. */
class SeriesMap<L extends string, V> {
  readonly #family: RecordedFamily<L>;
  readonly #series = new Map<string, Series<V>>();
  readonly #headers = new Map<Format, string>();

  constructor(family: RecordedFamily<L>) {
    this.#family = family;
  }

  get name(): string {
    return this.#family.name;
  }

  at(labels: Labels<L>, start: () => V): Series<V> {
    const values = this.#family.labels.map((name) => labels[name]);
    const key = values.join('\0');
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const pairs = this.#family.labels.map((name) => `${name}="${escapeLabelValue(labels[name])}"`);
    const { account }: Readonly<Record<string, string | undefined>> = labels;
    const created = {
      labels: pairs.join(','),
      account,
      value: start(),
    };
    this.#series.set(key, created);
    return created;
  }

  forget(account: string): void {
    for (const [key, series] of this.#series) {
      if (series.account === account) this.#series.delete(key);
    }
  }

  text(format: Format, lines: (series: Series<V>) => string): string {
    if (this.#series.size === 0) return '';
    let header = this.#headers.get(format);
    if (header === undefined) {
      header = familyHeader(this.#family, format);
      this.#headers.set(format, header);
    }
    let text = header;
    for (const series of this.#series.values()) text += lines(series);
    return text;
  }
}

/** A counter or a gauge. */
export class RecordedValue<L extends string = never> implements Recorded {
  readonly #series: SeriesMap<L, number>;

  constructor(family: RecordedFamily<L>) {
    this.#series = new SeriesMap(family);
  }

  /** An increase of 0 starts the series. */
  inc(labels: Labels<L>, by = 1): void {
    this.#series.at(labels, () => 0).value += by;
  }

  set(labels: Labels<L>, value: number): void {
    this.#series.at(labels, () => value).value = value;
  }

  forget(account: string): void {
    this.#series.forget(account);
  }

  text(format: Format): string {
    const { name } = this.#series;
    return this.#series.text(format, ({ labels, value }) => sampleLine(name, labels, value));
  }
}

interface Observations {
  /** One count per bucket, not cumulative; the last bucket is above all bounds. */
  readonly counts: number[];
  sum: number;
}

/** A histogram. */
export class RecordedHistogram<L extends string> implements Recorded {
  readonly #series: SeriesMap<L, Observations>;
  readonly #bounds: readonly number[];
  readonly #buckets: readonly string[];

  constructor(family: HistogramFamily<L>) {
    this.#series = new SeriesMap(family);
    this.#bounds = family.buckets;
    this.#buckets = bucketLabels(family.buckets);
  }

  observe(labels: Labels<L>, value: number): void {
    const { value: seen } = this.#series.at(labels, () => ({
      counts: this.#buckets.map(() => 0),
      sum: 0,
    }));
    const place = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = place < 0 ? this.#bounds.length : place;
    seen.counts[bucket] = (seen.counts[bucket] ?? 0) + 1;
    seen.sum += value;
  }

  forget(account: string): void {
    this.#series.forget(account);
  }

  text(format: Format): string {
    const { name } = this.#series;
    return this.#series.text(format, ({ labels, value }) =>
      histogramLines(name, labels, this.#buckets, value),
    );
  }
}
