import { z } from 'zod';
import { UsageError } from '../../config/problems.ts';
import type { TimeRange } from '../../domain/interval.ts';
import { commonLabelText, escapeLabelValue } from '../../exposition/text-format.ts';
import { HttpResponseError, type RetryingClient } from '../../remote/retrying-client.ts';
import type { PastItem } from '../series/past-item.ts';
import type { StoredSeries } from '../series/verify.ts';
import type { LabelledPast, ScrapeLabels } from './open-metrics.ts';

const seriesSchema = z.object({ data: z.array(z.record(z.string(), z.string())) });
const headSchema = z.object({ data: z.object({ headStats: z.object({ minTime: z.number() }) }) });
const vectorSchema = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

const matrixSchema = z.object({
  data: z.object({
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        values: z.array(z.tuple([z.number(), z.string()])),
      }),
    ),
  }),
});

/** The time that Prometheus reports for a head without samples. */
const largestTimeMilliseconds = 8.64e15;

/** The data that the server has of one item. */
interface TargetItem {
  /** It has samples from before the counters of the item began. */
  readonly hasOlderSamples: boolean;
  /** The label sets that scrapes added to the live series; empty before the first scrape. */
  readonly scrapeLabels: readonly ScrapeLabels[];
}

/** The Prometheus server that receives the history. This class only reads from it. */
export class PrometheusTarget {
  readonly #server: RetryingClient;
  readonly #account: string;

  constructor(server: RetryingClient, account: string) {
    this.#server = server;
    this.#account = account;
  }

  /**
   * The time of the oldest sample in the server's memory, in UNIX seconds; undefined if there is
   * none or it is not reported. If a block overlaps that range, the server discards these samples
   * at its next start.
   */
  async headFromSeconds(): Promise<number | undefined> {
    const minTime = await this.#headStatus();
    if (minTime !== undefined) {
      return minTime > largestTimeMilliseconds ? undefined : minTime / 1000;
    }
    return await this.#number('min(prometheus_tsdb_head_min_time_seconds)');
  }

  async look(item: PastItem, nowSeconds: number): Promise<TargetItem> {
    const { firstSeenSeconds } = item;
    const [older, live] = await Promise.all([
      this.#series(item, { start: 0, end: firstSeenSeconds - 0.001 }),
      this.#series(item, { start: firstSeenSeconds, end: nowSeconds }),
    ]);
    const own = { account: this.#account, check_id: String(item.id), ...item.labels };
    const isSame = (labels: Readonly<Record<string, string>>) =>
      Object.entries(own).every(([name, value]) => (labels[name] ?? '') === value);
    const added = live.filter(isSame).map((labels) => {
      const foreign = Object.entries(labels).filter(
        ([name]) => !(name in own) && name !== '__name__' && name !== 'state',
      );
      return Object.fromEntries(foreign);
    });
    return {
      hasOlderSamples: older.length > 0 && (await this.#hasSamplesBefore(item)),
      scrapeLabels: added,
    };
  }

  /** The stored samples of a family of an item, with all matching label sets. */
  async samples(
    { past: { item }, scrapeLabels }: LabelledPast,
    family: string,
    own: ScrapeLabels,
    { fromSeconds, toSeconds }: TimeRange,
  ): Promise<StoredSeries[]> {
    const common = { account: this.#account, check_id: String(item.id) };
    const labels = commonLabelText({ ...common, ...own, ...scrapeLabels });
    const length = Math.max(1, Math.ceil(toSeconds - fromSeconds));
    const query = new URLSearchParams({
      query: `${family}{${labels}}[${length}s]`,
      time: `${toSeconds}`,
    });
    const answer = matrixSchema.safeParse(await this.#server.json('GET', `/api/v1/query?${query}`));
    if (!answer.success) throw this.#unlikePrometheus();
    return answer.data.data.result.map(({ metric, values }) => ({
      labels: metric,
      samples: values.map(([at, value]) => [at, Number(value)] as const),
    }));
  }

  /** The list of series covers whole days in VictoriaMetrics. */
  async #hasSamplesBefore(item: PastItem): Promise<boolean> {
    const query = `sum(count_over_time(${this.#selector(item)}[10y]))`;
    return ((await this.#number(query, item.firstSeenSeconds - 0.001)) ?? 0) > 0;
  }

  /** The value of a query; undefined if the result is empty. */
  async #number(query: string, atSeconds?: number): Promise<number | undefined> {
    const parameters = new URLSearchParams({ query });
    if (atSeconds !== undefined) parameters.set('time', `${atSeconds}`);
    const answer = await this.#server.json('GET', `/api/v1/query?${parameters}`);
    const vector = vectorSchema.safeParse(answer);
    if (!vector.success) throw this.#unlikePrometheus();
    const [sample] = vector.data.data.result;
    return sample === undefined ? undefined : Number(sample.value[1]);
  }

  #unlikePrometheus(): UsageError {
    return new UsageError(`${this.#server.address} does not answer as Prometheus does`);
  }

  /** Selects the series of the item's state `up`, with any other labels. */
  #selector({ kind, id }: PastItem): string {
    const account = escapeLabelValue(this.#account);
    return `uptime_${kind}_state_seconds_total{account="${account}",check_id="${id}",state="up"}`;
  }

  async #series(
    item: PastItem,
    { start, end }: { readonly start: number; readonly end: number },
  ): Promise<Readonly<Record<string, string>>[]> {
    const match = this.#selector(item);
    const query = new URLSearchParams({ 'match[]': match, start: `${start}`, end: `${end}` });
    const answer = seriesSchema.safeParse(
      await this.#server.json('GET', `/api/v1/series?${query}`),
    );
    if (answer.success) return answer.data.data;
    throw this.#unlikePrometheus();
  }

  /** Other servers with the same API lack this endpoint. */
  async #headStatus(): Promise<number | undefined> {
    try {
      const status = headSchema.safeParse(await this.#server.json('GET', '/api/v1/status/tsdb'));
      return status.data?.data.headStats.minTime;
    } catch (error) {
      if (error instanceof HttpResponseError) return undefined;
      throw error;
    }
  }
}
