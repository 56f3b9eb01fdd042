import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { toolPath } from './tools.ts';

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

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Prometheus {
  query(expression: string): Promise<Sample[]>;
  /** Asks until there is an answer that is not empty. */
  eventually(expression: string): Promise<Sample[]>;
}

/** A real Prometheus server that scrapes `target` (host:port) every second. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, 'prometheus.yml');
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s' },
      scrape_configs: [{ job_name: 'uptime', static_configs: [{ targets: [target] }] }],
    }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const server = startChild(toolPath('prometheus'), [
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
  const eventually = async (expression: string): Promise<Sample[]> => {
    for (;;) {
      const samples = await query(expression);
      if (samples.length > 0) return samples;
    }
  };
  return { query, eventually };
}
