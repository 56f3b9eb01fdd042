import { readPage, type Samples } from '../../support/counter-watch.ts';

/** A response to a scrape. Times are monotonic milliseconds of the scraper. */
export interface Scrape {
  readonly replica: string;
  readonly begin: number;
  readonly end: number;
  readonly page: string;
}

/** A counter that stepped back. */
interface Fall {
  readonly sample: string;
  readonly from: number;
  readonly to: number;
  readonly replicas: readonly [string, string];
  readonly at: number;
}

interface Seen {
  readonly value: number;
  readonly begin: number;
  readonly end: number;
  readonly replica: string;
}

interface Series {
  /** The highest values so far, in the order of the ends of their scrapes. */
  highest: Seen[];
  /** The last sample that a server appended which drops what is out of order. */
  appended: Seen;
  /** The restores for which a reset was seen. */
  resets: number;
}

interface Reset {
  readonly at: number;
  /** How much a counter may have counted since then. */
  readonly mostAt: (end: number) => number;
}

/** The number of a lease rises with each take, on all replicas. */
const epoch = /^uptime_exporter_lease_epoch\{/;

/**
 * The scrapes of all replicas, as one Prometheus sees them that gives the series of all replicas
 * the same `instance`. A scrape has the time of its beginning. A counter falls if a scrape that
 * begins after the end of another one has a lower value, or if one is appended that is lower: a
 * sample that is older than the one before is dropped.
 */
export class ScrapeUnion {
  readonly #series = new Map<string, Series>();
  readonly #resets: Reset[] = [];
  readonly falls: Fall[] = [];
  scrapes = 0;

  /** From now on each counter may fall once, to what it can have counted since then. */
  allowReset(at: number, mostAt: (end: number) => number): void {
    this.#resets.push({ at, mostAt });
  }

  /** In the order of their ends. */
  add({ page, ...scrape }: Scrape): Samples {
    this.scrapes += 1;
    const { counters, samples } = readPage(page);
    for (const [sample, value] of counters) this.#see(sample, { ...scrape, value });
    for (const [sample, value] of samples) {
      if (epoch.test(sample)) this.#see(sample, { ...scrape, value });
    }
    return samples;
  }

  #see(sample: string, seen: Seen): void {
    const series = this.#series.get(sample);
    if (series === undefined) {
      this.#series.set(sample, { highest: [seen], appended: seen, resets: this.#resetsAt(seen) });
      return;
    }
    const { highest, appended } = series;
    const before = highest.findLast(({ end }) => end < seen.begin);
    const above = [before, seen.begin > appended.begin ? appended : undefined].find(
      (other) => other !== undefined && other.value > seen.value,
    );
    if (above !== undefined) {
      if (!this.#mayReset(sample, series, seen)) {
        this.falls.push({
          sample,
          from: above.value,
          to: seen.value,
          replicas: [above.replica, seen.replica],
          at: seen.end,
        });
      }
      series.highest = [seen];
      series.appended = seen;
      return;
    }
    if (seen.begin > appended.begin) series.appended = seen;
    const last = highest.at(-1);
    if (last === undefined || seen.value > last.value) highest.push(seen);
    // No scrape takes longer than the interval of some dozens of others.
    if (highest.length > 200) highest.splice(0, 100);
  }

  #resetsAt({ end }: Seen): number {
    return this.#resets.filter(({ at }) => at < end).length;
  }

  #mayReset(sample: string, series: Series, seen: Seen): boolean {
    const resets = this.#resetsAt(seen);
    const reset = this.#resets[resets - 1];
    if (reset === undefined || series.resets >= resets) return false;
    series.resets = resets;
    return epoch.test(sample) || seen.value <= reset.mostAt(seen.end);
  }
}
