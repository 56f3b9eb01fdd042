import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished, vi } from 'vitest';
import { type QueriedSeries, queryServer } from './backfilled-prometheus.ts';
import { startChild } from './child.ts';
import { freePort } from './free-port.ts';

/** A real VictoriaMetrics that keeps samples for a century. */
export class VictoriaMetrics {
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  static async start(binary: string): Promise<VictoriaMetrics> {
    const folder = await mkdtemp(join(tmpdir(), 'victoria-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    const address = `127.0.0.1:${await freePort()}`;
    const child = startChild(binary, [
      `-storageDataPath=${join(folder, 'data')}`,
      `-httpListenAddr=${address}`,
      '-retentionPeriod=100y',
      '-search.disableCache',
    ]);
    await child.until(/started VictoriaMetrics/);
    const url = `http://${address}`;
    // It listens a moment later.
    await vi.waitFor(async () => (await request(`${url}/health`)).body.dump(), { timeout: 20_000 });
    return new VictoriaMetrics(url);
  }

  /** Takes over samples in the OpenMetrics format. */
  async importText(text: string): Promise<void> {
    // Times of this interface are milliseconds.
    const body = text.replaceAll(/^([^#].* )([\d.]+)$/gm, (_, start, at) => `${start}${at * 1000}`);
    const url = `${this.url}/api/v1/import/prometheus`;
    const response = await request(url, { method: 'POST', body });
    if (response.statusCode >= 300) throw new Error(await response.body.text());
    await response.body.dump();
    await this.flush();
  }

  /** Makes visible what it has received. */
  async flush(): Promise<void> {
    const { body } = await request(`${this.url}/internal/force_flush`);
    await body.dump();
  }

  query(expression: string, atSeconds?: number): Promise<QueriedSeries[]> {
    return queryServer(this.url, expression, atSeconds);
  }
}
