import { getOrMake } from '../../lib/get-or-make.ts';
import { shownAsZeroMilliseconds } from '../../state/items/begun-counters.ts';
import type { HistogramFamily, RecordedFamily } from '../catalogue/family.ts';
import { recordedFamilies } from '../catalogue/recorded-families.ts';
import type { Format } from '../formats.ts';
import { commonLabelText, familyText, type SampleWriter } from '../text-format.ts';

/** The values of the labels of one series, in any order of the names. */
type Labels<L extends string> = Readonly<Record<L, string>>;

interface Series<V> {
  /** The labels as text, such as `a="1",b="2"`. */
  readonly labels: string;
  readonly account: string | undefined;
  value: V;
}

/** The series of one family that the exporter records while it works. */
abstract class Recorder<L extends string, V> {
  readonly family: RecordedFamily<L>;
  protected readonly series = new Map<string, Series<V>>();

  constructor(family: RecordedFamily<L>) {
    this.family = family;
  }

  /** Removes the series with this account. */
  forget(account: string): void {
    for (const [key, series] of this.series) {
      if (series.account === account) this.series.delete(key);
    }
  }

  /**
   * Empty without series. `now` is in monotonic milliseconds. `hasZeros`: whether series without an
   * event are served.
   */
  text(format: Format, now: number, hasZeros = true): string {
    const { name, type, help } = this.family;
    return familyText({ name, type, help, labels: [] }, format, (writer) => {
      for (const series of this.series.values()) {
        if (!hasZeros && !this.hasEvents(series)) continue;
        writer.common = series.labels;
        this.write(series, writer, now);
      }
    });
  }

  protected abstract hasEvents(series: Series<V>): boolean;

  protected abstract write(series: Series<V>, writer: SampleWriter, now: number): void;

  protected keyOf(labels: Labels<L>): string {
    return this.family.labels.map((name) => labels[name]).join('\0');
  }

  protected at(labels: Labels<L>, start: () => V): Series<V> {
    return getOrMake(this.series, this.keyOf(labels), () => {
      const pairs = this.family.labels.map((name) => [name, labels[name]]);
      const { account }: Readonly<Record<string, string | undefined>> = labels;
      return { labels: commonLabelText(Object.fromEntries(pairs)), account, value: start() };
    });
  }
}

/**
 * A counter or a gauge. If an event starts a series after the first scrape, the series is served as
 * 0 for some minutes: `increase` counts an event only if there is an earlier sample.
 */
export class RecordedValue<L extends string = never> extends Recorder<L, number> {
  #isServed = false;
  #hasZeros = true;
  /** New series, and until when (monotonic ms) they are served as 0; undefined before a scrape. */
  readonly #begun = new WeakMap<Series<number>, number | undefined>();

  /** An increase of 0 starts the series. */
  inc(labels: Labels<L>, by = 1): void {
    const before = this.series.get(this.keyOf(labels));
    const wasServed = before !== undefined && (this.#hasZeros || this.hasEvents(before));
    const begins = this.#isServed && by > 0 && !wasServed;
    const series = this.at(labels, () => 0);
    series.value += by;
    if (begins) this.#begun.set(series, undefined);
  }

  set(labels: Labels<L>, value: number): void {
    this.at(labels, () => value).value = value;
  }

  override text(format: Format, now: number, hasZeros = true): string {
    this.#isServed = true;
    this.#hasZeros = hasZeros;
    return super.text(format, now, hasZeros);
  }

  protected hasEvents({ value }: Series<number>): boolean {
    return value !== 0;
  }

  protected write(series: Series<number>, { emit }: SampleWriter, now: number): void {
    emit(this.#isZero(series, now) ? 0 : series.value);
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
  readonly bounds: readonly number[];
  /** One count per bucket, not cumulative; the last bucket is above all bounds. */
  readonly counts: number[];
  sumSeconds: number;
}

export class RecordedHistogram<L extends string> extends Recorder<L, Observations> {
  readonly #bounds: readonly number[];

  constructor(family: HistogramFamily<L>) {
    super(family);
    this.#bounds = family.buckets;
  }

  /** Starts the series without an observation. */
  start(labels: Labels<L>): void {
    this.at(labels, () => this.#nothing());
  }

  observe(labels: Labels<L>, seconds: number): void {
    const { value } = this.at(labels, () => this.#nothing());
    const place = this.#bounds.findIndex((bound) => seconds <= bound);
    const bucket = place < 0 ? this.#bounds.length : place;
    value.counts[bucket] = (value.counts[bucket] ?? 0) + 1;
    value.sumSeconds += seconds;
  }

  protected hasEvents({ value }: Series<Observations>): boolean {
    return value.counts.some((count) => count > 0);
  }

  protected write({ value }: Series<Observations>, { histogram }: SampleWriter): void {
    histogram(value);
  }

  #nothing(): Observations {
    const bounds = this.#bounds;
    return { bounds, counts: [...bounds, Number.POSITIVE_INFINITY].map(() => 0), sumSeconds: 0 };
  }
}

type Families = typeof recordedFamilies;

type RecorderOf<F> =
  F extends HistogramFamily<infer L>
    ? RecordedHistogram<L>
    : F extends RecordedFamily<infer L>
      ? RecordedValue<L>
      : never;

/** A recorder for each recorded family, by its name in the catalogue. */
type Recorders = { readonly [K in keyof Families]: RecorderOf<Families[K]> };

export function recordersOfCatalogue(): Recorders {
  const recorders = Object.entries(recordedFamilies).map(([name, family]) => [
    name,
    'buckets' in family ? new RecordedHistogram(family) : new RecordedValue(family),
  ]);
  return Object.fromEntries(recorders) as Recorders;
}
