import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { datasetNames } from '../../src/domain/dataset.ts';
import { Measured } from './measured.ts';
import { scrape } from './scrape.ts';

export interface ServeOptions {
  readonly accounts: number;
  /** The port of the service. */
  readonly servicePort: number;
  /** The datasets that are refreshed besides the check list. */
  readonly datasets: readonly string[];
}

const pollMilliseconds = 10;

/** The folder of an exporter: its configuration and its store. */
export class ExporterFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'bench-exporter-'));
  readonly storePath = join(this.path, 'store');
  readonly #configurationPath = join(this.path, 'config.yaml');
  #port = 0;

  /** Starts the command as users do. Resolves when it is started, before it serves. */
  async serve(options: ServeOptions): Promise<ServeProcess> {
    this.#port ||= (await freePorts(1))[0] ?? 0;
    mkdirSync(this.storePath, { recursive: true });
    writeFileSync(join(this.path, 'token'), 'token-of-the-bench');
    for (let account = 0; account < options.accounts; account++) {
      writeFileSync(join(this.path, `hook-${account}`), hookSecretOf(account));
    }
    writeFileSync(this.#configurationPath, configuration(options));
    const measured = new Measured({
      script: mainPath,
      nodeFlags: process.env.BENCH_NODE_FLAGS?.split(' ') ?? [],
      arguments: [
        'serve',
        `--config.file=${this.#configurationPath}`,
        `--storage.path=${this.storePath}`,
        `--web.listen-address=127.0.0.1:${this.#port}`,
        '--log.level=error',
      ],
      env: imageEnvironment,
    });
    return new ServeProcess(measured, this.#port, options.accounts);
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}

/** The built program; `BENCH_MAIN` names another build. */
export const mainPath =
  process.env.BENCH_MAIN ?? join(import.meta.dirname, '../../../dist/main.js');

/** As in the image and the manifests; `NODE_OPTIONS` sets another heap. */
const heapCap = '--max-old-space-size=320 --max-semi-space-size=16';
const allocator = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' };
export const imageEnvironment = {
  NODE_ENV: 'production',
  NODE_OPTIONS: process.env.NODE_OPTIONS ?? heapCap,
  ...allocator,
};
/** The families that the exporter serves: the default, or `METRICS=full`. */
export const servedMetrics = process.env.METRICS ?? 'lean';
const hookSecretOf = (account: number) => `a-secret-that-is-long-enough-for-hook-${account}`;

/** JSON is YAML too. */
function configuration({ accounts, servicePort, datasets }: ServeOptions): string {
  const switches = datasetNames
    .filter((name) => name !== 'checks')
    .map((name) => [name, { enabled: datasets.includes(name) }]);
  return JSON.stringify({
    metrics: servedMetrics,
    accounts: Array.from({ length: accounts }, (_, index) => ({
      name: accounts === 1 ? 'main' : `account-${index}`,
      base_url: `http://127.0.0.1:${servicePort}/${index}`,
      token_file: 'token',
      hook_secret_file: `hook-${index}`,
      budget: { reserve: { short: 0, long: 0 } },
      datasets: Object.fromEntries(switches),
    })),
  });
}

/** A running exporter. */
export class ServeProcess {
  readonly measured: Measured;
  readonly port: number;
  readonly #accounts: number;

  constructor(measured: Measured, port: number, accounts: number) {
    this.measured = measured;
    this.port = port;
    this.#accounts = accounts;
  }

  /**
   * Resolves with the milliseconds from the start of the command to the end of the first scrape
   * with at least this many bytes. Until the state is restored, scrapes are refused.
   */
  async fullScrape(minBytes: number): Promise<number> {
    for (;;) {
      const read = await scrape(this.port, 'gzip').catch(() => undefined);
      if (read?.status === 200 && read.bytes >= minBytes) {
        return performance.now() - this.measured.startedAt;
      }
      if (performance.now() - this.measured.startedAt > startTimeoutMilliseconds) {
        throw new Error(`no page of ${minBytes} bytes came`);
      }
      await setTimeout(pollMilliseconds);
    }
  }

  /**
   * Requests the check list of every account, like the service's webhook when a check goes down.
   */
  async callHooks(): Promise<void> {
    for (let account = 0; account < this.#accounts; account++) {
      const url = `http://127.0.0.1:${this.port}/hooks/${hookSecretOf(account)}`;
      const { status } = await fetch(url, { method: 'POST' });
      if (status >= 300) throw new Error(`the hook answered ${status}`);
    }
  }
}

const startTimeoutMilliseconds = 300_000;

/** Ports that nothing listens on, each once. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}
