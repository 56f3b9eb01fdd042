import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished, vi } from 'vitest';
import { type QueriedSeries, queryServer } from './backfilled-prometheus.ts';
import { type Child, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { patience } from './patience.ts';

/** A real VictoriaMetrics with a retention of a century. */
export class VictoriaMetrics {
  readonly url: string;
  readonly #binary: string;
  readonly #flags: readonly string[];
  #child: Child | undefined;

  private constructor(binary: string, folder: string, address: string) {
    this.#binary = binary;
    this.url = `http://${address}`;
    this.#flags = [
      `-storageDataPath=${join(folder, 'data')}`,
      `-httpListenAddr=${address}`,
      '-retentionPeriod=100y',
      '-search.disableCache',
    ];
  }

  static async start(binary: string): Promise<VictoriaMetrics> {
    const folder = await mkdtemp(join(tmpdir(), 'victoria-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    const server = new VictoriaMetrics(binary, folder, `127.0.0.1:${await freePort()}`);
    await server.#run();
    return server;
  }

  async #run(): Promise<void> {
    this.#child = startChild(this.#binary, this.#flags);
    await this.#child.until(/started VictoriaMetrics/);
    // It listens a moment later.
    const health = async () => (await request(`${this.url}/health`)).body.dump();
    await vi.waitFor(health, patience);
  }

  /**
   * Stops it like an operator, and starts it again. After that all received data are visible. A
   * flush does not guarantee that: a query may miss rows that another flush is writing in the
   * background.
   */
  async restart(): Promise<void> {
    this.#child?.process.kill('SIGTERM');
    await this.#child?.ended;
    await this.#run();
  }

  /** Imports samples in the OpenMetrics format. */
  async importText(text: string): Promise<void> {
    // This interface has times in milliseconds.
    const body = text.replaceAll(/^([^#].* )([\d.]+)$/gm, (_, start, at) => `${start}${at * 1000}`);
    const url = `${this.url}/api/v1/import/prometheus`;
    const response = await request(url, { method: 'POST', body });
    if (response.statusCode >= 300) throw new Error(await response.body.text());
    await response.body.dump();
    await this.#flush();
  }

  /** Makes recently received data visible. */
  async #flush(): Promise<void> {
    const { body } = await request(`${this.url}/internal/force_flush`);
    await body.dump();
  }

  query(expression: string, atSeconds?: number): Promise<QueriedSeries[]> {
    return queryServer(this.url, expression, atSeconds);
  }
}
