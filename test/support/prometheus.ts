import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { patience } from './patience.ts';
import { toolPath } from './tools.ts';

const targets = z.object({
  data: z.object({
    activeTargets: z.array(
      z.object({ health: z.string(), lastError: z.string(), lastScrapeDuration: z.number() }),
    ),
  }),
});

const vector = z.object({
  data: z.object({
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        value: z.tuple([z.number(), z.string()]),
      }),
    ),
  }),
});

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Prometheus {
  query(expression: string): Promise<Sample[]>;
  /** Repeats the query until its result is not empty, by default for 60 seconds. */
  eventually(expression: string, seconds?: number): Promise<Sample[]>;
}

interface PrometheusOptions {
  readonly server?: 'prometheus' | 'prometheus-3';
  /** Text of rule files. Groups are evaluated every second by default. */
  readonly rules?: readonly string[];
  /** The receiver of alerts (host:port). */
  readonly alertmanager?: string;
  /** The scrape interval, and the timeout of a scrape. */
  readonly scrapeInterval?: string;
  /** Further jobs, in addition to the target's. */
  readonly scrapeConfigs?: readonly object[];
  /** Additional scrape configuration, such as `metric_relabel_configs`. */
  readonly scrape?: object;
  /** Labels that discovery would add to the target. */
  readonly targetLabels?: Readonly<Record<string, string>>;
  /** Other storages, as in `remote_read`. */
  readonly remoteRead?: readonly object[];
}

/** A real Prometheus server that scrapes `target` (host:port), by default every second. */
export async function startPrometheus(
  target: string,
  {
    server: tool = 'prometheus',
    rules = [],
    alertmanager,
    scrapeInterval = '1s',
    scrapeConfigs = [],
    scrape,
    targetLabels: labels = {},
    remoteRead = [],
  }: PrometheusOptions = {},
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, 'prometheus.yml');
  const ruleFiles = rules.map((_, at) => join(folder, `rules-${at}.yml`));
  await Promise.all(rules.map((text, at) => writeFile(ruleFiles[at] ?? '', text)));
  const alertmanagers =
    alertmanager === undefined ? [] : [{ static_configs: [{ targets: [alertmanager] }] }];
  await writeFile(
    config,
    JSON.stringify({
      global: {
        scrape_interval: scrapeInterval,
        scrape_timeout: scrapeInterval,
        evaluation_interval: '1s',
      },
      rule_files: ruleFiles,
      alerting: { alertmanagers },
      remote_read: remoteRead,
      scrape_configs: [
        { job_name: 'uptime', static_configs: [{ targets: [target], labels }], ...scrape },
        ...scrapeConfigs,
      ],
    }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const server = startChild(toolPath(tool), [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ]);
  await server.until(/Server is ready to receive web requests/);

  const query = async (expression: string): Promise<Sample[]> => {
    const url = `http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const { body } = await request(url);
    return vector
      .parse(await body.json())
      .data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  };
  const lastScrapes = async (): Promise<string> => {
    const { body } = await request(`http://${address}/api/v1/targets?state=active`);
    return JSON.stringify(targets.parse(await body.json()).data.activeTargets);
  };
  const eventually = (expression: string): Promise<Sample[]> => {
    const some = async () => {
      const samples = await query(expression);
      if (samples.length === 0)
        throw new Error(`Prometheus has no ${expression}; its targets: ${await lastScrapes()}`);
      return samples;
    };
    return vi.waitFor(some, patience);
  };
  return { query, eventually };
}
