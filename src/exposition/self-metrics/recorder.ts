import { getOrMake } from '../../lib/get-or-make.ts';
import { shownAsZeroMilliseconds } from '../../state/items/begun-counters.ts';
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

/** One recorded family. Its text is prepared except for the values. */
export interface Recorded {
  /** Empty without series. `now` is in monotonic milliseconds. */
  text(format: Format, now: number): string;
  /** Removes the series with this account. */
  forget(account: string): void;
}

interface Series<V> {
  /** The labels as text, such as `a="1",b="2"`. */
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
    return getOrMake(this.#series, this.#keyOf(labels), () => {
      const { labels: names } = this.#family;
      const pairs = names.map((name) => `${name}="${escapeLabelValue(labels[name])}"`);
      const { account }: Readonly<Record<string, string | undefined>> = labels;
      return { labels: pairs.join(','), account, value: start() };
    });
  }

  has(labels: Labels<L>): boolean {
    return this.#series.has(this.#keyOf(labels));
  }

  forget(account: string): void {
    for (const [key, series] of this.#series) {
      if (series.account === account) this.#series.delete(key);
    }
  }

  text(format: Format, lines: (series: Series<V>) => string): string {
    if (this.#series.size === 0) return '';
    let text = getOrMake(this.#headers, format, () => familyHeader(this.#family, format));
    for (const series of this.#series.values()) text += lines(series);
    return text;
  }

  #keyOf(labels: Labels<L>): string {
    return this.#family.labels.map((name) => labels[name]).join('\0');
  }
}

/**
 * A counter or a gauge. If an event starts a series after the first scrape, the series is served as
 * 0 for some minutes: `increase` counts an event only if there is an earlier sample.
 */
export class RecordedValue<L extends string = never> implements Recorded {
  readonly #series: SeriesMap<L, number>;
  #isServed = false;
  /** New series, and until when (monotonic ms) they are served as 0; undefined before a scrape. */
  readonly #begun = new Map<Series<number>, number | undefined>();

  constructor(family: RecordedFamily<L>) {
    this.#series = new SeriesMap(family);
  }

  /** An increase of 0 starts the series. */
  inc(labels: Labels<L>, by = 1): void {
    const begins = this.#isServed && by > 0 && !this.#series.has(labels);
    const series = this.#series.at(labels, () => 0);
    series.value += by;
    if (begins) this.#begun.set(series, undefined);
  }

  set(labels: Labels<L>, value: number): void {
    this.#series.at(labels, () => value).value = value;
  }

  forget(account: string): void {
    this.#series.forget(account);
    for (const series of this.#begun.keys()) {
      if (series.account === account) this.#begun.delete(series);
    }
  }

  text(format: Format, now: number): string {
    const { name } = this.#series;
    this.#isServed = true;
    return this.#series.text(format, (series) => {
      const value = this.#isZero(series, now) ? 0 : series.value;
      return sampleLine(name, series.labels, value);
    });
  }

  #isZero(series: Series<number>, now: number): boolean {
    if (!this.#begun.has(series)) return false;
    const until = this.#begun.get(series) ?? now + shownAsZeroMilliseconds;
    if (now < until) this.#begun.set(series, until);
    else this.#begun.delete(series);
    return now < until;
  }
}

interface Observations {
  /** One count per bucket, not cumulative; the last bucket is above all bounds. */
  readonly counts: number[];
  sum: number;
}

export class RecordedHistogram<L extends string> implements Recorded {
  readonly #series: SeriesMap<L, Observations>;
  readonly #bounds: readonly number[];
  readonly #buckets: readonly string[];

  constructor(family: HistogramFamily<L>) {
    this.#series = new SeriesMap(family);
    this.#bounds = family.buckets;
    this.#buckets = bucketLabels(family.buckets);
  }

  /** Starts the series without an observation. */
  start(labels: Labels<L>): void {
    this.#at(labels);
  }

  observe(labels: Labels<L>, value: number): void {
    const seen = this.#at(labels);
    const place = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = place < 0 ? this.#bounds.length : place;
    seen.counts[bucket] = (seen.counts[bucket] ?? 0) + 1;
    seen.sum += value;
  }

  #at(labels: Labels<L>): Observations {
    return this.#series.at(labels, () => ({ counts: this.#buckets.map(() => 0), sum: 0 })).value;
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
