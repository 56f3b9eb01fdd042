import type { DatasetName } from '../../src/domain/dataset.ts';
import type { Random } from '../../src/lib/random.ts';
import { quantile } from './quantile.ts';

/** A sample of a large dataset shows the distribution of its ages. */
const sampleSize = 200;

interface Series {
  readonly refreshedAt: Map<number, number>;
  readonly samples: number[];
  /** In milliseconds² and milliseconds, summed over all items. */
  area: number;
  span: number;
  largest: number;
}

export interface AgeSummary {
  readonly items: number;
  readonly meanSeconds: number;
  readonly p95Seconds: number;
  readonly largestSeconds: number;
}

/** The ages of the data of all items, each from its first refresh on. */
export class Ages {
  readonly #series = new Map<DatasetName, Series>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  refreshed(dataset: DatasetName, id: number, now: number): void {
    const series = this.#seriesOf(dataset);
    const before = series.refreshedAt.get(id);
    if (before !== undefined) addSpan(series, now - before);
    series.refreshedAt.set(id, now);
  }

  /** The age in seconds of the data of an item; undefined without data. */
  ageSeconds(dataset: DatasetName, id: number, now: number): number | undefined {
    const before = this.#series.get(dataset)?.refreshedAt.get(id);
    return before === undefined ? undefined : (now - before) / 1000;
  }

  sample(now: number): void {
    for (const { refreshedAt, samples } of this.#series.values()) {
      const chance = sampleSize / refreshedAt.size;
      for (const at of refreshedAt.values()) {
        if (chance >= 1 || this.#random() < chance) samples.push(now - at);
      }
    }
  }

  /** Also counts the ages at the end of the run. */
  summary(dataset: DatasetName, now: number): AgeSummary | undefined {
    const series = this.#series.get(dataset);
    if (series === undefined) return undefined;
    for (const at of series.refreshedAt.values()) addSpan(series, now - at);
    return {
      items: series.refreshedAt.size,
      meanSeconds: series.area / series.span / 1000,
      p95Seconds: (quantile(series.samples, 0.95) ?? 0) / 1000,
      largestSeconds: series.largest / 1000,
    };
  }

  #seriesOf(dataset: DatasetName): Series {
    let series = this.#series.get(dataset);
    if (series === undefined) {
      series = { refreshedAt: new Map(), samples: [], area: 0, span: 0, largest: 0 };
      this.#series.set(dataset, series);
    }
    return series;
  }
}

/** The age grew from 0 to `span`. */
function addSpan(series: Series, span: number): void {
  series.area += (span * span) / 2;
  series.span += span;
  series.largest = Math.max(series.largest, span);
}
