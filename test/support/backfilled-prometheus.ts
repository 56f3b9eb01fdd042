import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { type Child, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { patience } from './patience.ts';

const vector = z.object({
  data: z.object({
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        value: z.tuple([z.number(), z.string()]).optional(),
        values: z.array(z.tuple([z.number(), z.string()])).optional(),
      }),
    ),
  }),
});

/** A series with its samples: one for an instant vector, several for a range vector. */
export interface QueriedSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [atSeconds: number, value: number])[];
}

/**
 * A real Prometheus whose data survive a restart and are kept for decades. It scrapes itself as the
 * job `other`.
 */
export class BackfilledPrometheus {
  readonly url: string;
  readonly folder: string;
  readonly #binary: string;
  readonly #flags: readonly string[];
  #child: Child | undefined;

  private constructor(binary: string, folder: string, url: string, flags: readonly string[]) {
    this.#binary = binary;
    this.folder = folder;
    this.url = url;
    this.#flags = flags;
  }

  /** Accepts samples of up to this age by remote write. */
  static receiving(binary: string, window: string): Promise<BackfilledPrometheus> {
    const storage = { tsdb: { out_of_order_time_window: window } };
    return BackfilledPrometheus.create(binary, { storage }, ['--web.enable-remote-write-receiver']);
  }

  /** With additional configuration, such as `storage`, and additional flags. */
  static async create(
    binary: string,
    more: object = {},
    moreFlags: readonly string[] = [],
  ): Promise<BackfilledPrometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'backfilled-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    const address = `127.0.0.1:${await freePort()}`;
    const config = join(folder, 'prometheus.yml');
    const scrape = { job_name: 'other', static_configs: [{ targets: [address] }] };
    const global = { scrape_interval: '1s', scrape_timeout: '1s' };
    await writeFile(config, JSON.stringify({ global, scrape_configs: [scrape], ...more }));
    const flags = [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--storage.tsdb.retention.time=30y',
      `--web.listen-address=${address}`,
      ...moreFlags,
    ];
    return new BackfilledPrometheus(binary, folder, `http://${address}`, flags);
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  async start(): Promise<void> {
    this.#child = startChild(this.#binary, this.#flags);
    await this.#child.until(/Server is ready to receive web requests/);
  }

  /** Stops it like an operator. */
  async stop(): Promise<void> {
    this.#child?.process.kill('SIGTERM');
    await this.#child?.ended;
  }

  query(expression: string, atSeconds?: number): Promise<QueriedSeries[]> {
    return queryServer(this.url, expression, atSeconds);
  }

  /** Repeats the query until its result is not empty. */
  eventually(expression: string): Promise<QueriedSeries[]> {
    const some = async () => {
      const series = await this.query(expression);
      if (series.length === 0) throw new Error(`Prometheus has no ${expression}`);
      return series;
    };
    return vi.waitFor(some, patience);
  }

  /**
   * Makes blocks of a text in the OpenMetrics format, while the server is stopped or before its
   * next restart.
   */
  async importText(promtool: string, text: string): Promise<void> {
    const file = join(this.folder, 'live.om');
    await writeFile(file, text);
    await this.importFile(promtool, file);
  }

  async importFile(promtool: string, file: string): Promise<void> {
    await mkdir(this.data, { recursive: true });
    execFileSync(promtool, ['tsdb', 'create-blocks-from', 'openmetrics', file, this.data]);
  }
}

/** Queries a server with the API of Prometheus. */
export async function queryServer(
  url: string,
  expression: string,
  atSeconds?: number,
): Promise<QueriedSeries[]> {
  const query = new URLSearchParams({ query: expression });
  if (atSeconds !== undefined) query.set('time', `${atSeconds}`);
  const { body } = await request(`${url}/api/v1/query?${query}`);
  return vector.parse(await body.json()).data.result.map(({ metric, value, values }) => ({
    labels: metric,
    samples: (values ?? (value === undefined ? [] : [value])).map(
      ([at, text]) => [at, Number(text)] as const,
    ),
  }));
}

/**
 * Extrapolates like Prometheus: 2.42 applies the zero of a counter before the threshold, 3.x after
 * it.
 */
export function extrapolated(
  { first, last, count, increase, firstValue }: Increase,
  { fromSeconds, toSeconds }: { readonly fromSeconds: number; readonly toSeconds: number },
  major: 2 | 3,
): number {
  const sampled = last - first;
  const mean = sampled / (count - 1);
  const threshold = mean * 1.1;
  const zero = increase > 0 ? sampled * (firstValue / increase) : Number.POSITIVE_INFINITY;
  let toStart = first - fromSeconds;
  if (major === 2) toStart = Math.min(toStart, zero);
  if (toStart >= threshold) toStart = mean / 2;
  if (major === 3) toStart = Math.min(toStart, zero);
  let toEnd = toSeconds - last;
  if (toEnd >= threshold) toEnd = mean / 2;
  return increase * ((sampled + toStart + toEnd) / sampled);
}

/** The increase of a counter between the first and the last of some samples. */
interface Increase {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly increase: number;
  readonly firstValue: number;
}
