import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Exporter } from '../../src/app/exporter.ts';
import { present } from '../../src/lib/present.ts';
import type { Secret } from '../../src/lib/secret.ts';
import { defaultParameters, type RuleParameters } from '../../src/rules/parameters.ts';
import { wholeRuleFile } from '../../src/rules/rule-files.ts';
import type { RunningSandbox } from '../../src/sandbox/running-sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import type { SloPolicy } from '../../src/slo/groups.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { type ChainAccount, chainAccount } from './chain-account.ts';
import { type Message, MessageLog } from './chain-messages.ts';
import { divided, dividedRoutes } from './chain-routes.ts';
import { type Child, startChild } from './child.ts';
import { CrashingStore } from './crashing-store.ts';
import { freePort } from './free-port.ts';
import { Relay } from './relay.ts';
import { createSandboxExporter, sandboxAccount, startVirtualSandbox } from './sandbox-exporter.ts';
import type { SharedMemory } from './shared-memory.ts';
import { type ToolName, toolPath } from './tools.ts';
import { VirtualClock } from './virtual-clock.ts';

const stepMilliseconds = 10_000;
/** The maximum time to wait for a message. */
const mostMinutes = 180;
/** In real time. A longer response is not awaited. */
const longestResponseMilliseconds = 1_000;
export interface ChainExporter {
  readonly instance: string;
  readonly url: string;
  start(): Promise<void>;
  /** Like a power failure. */
  kill(): Promise<void>;
  /** As SIGTERM does. */
  stop(): Promise<void>;
}

interface ChainExporterOptions {
  /** Survives the exporter. */
  readonly disk?: Store;
  /** In place of `disk`, shared with other exporters. */
  readonly shared?: SharedMemory;
  readonly slo?: SloPolicy;
  readonly hookSecret?: Secret;
}

/** The servers that alerts pass through. */
export interface ChainServers {
  readonly prometheus: ToolName & ('prometheus' | 'prometheus-3');
  readonly alertmanager: ToolName & ('alertmanager' | 'alertmanager-0.31');
}

/**
 * The interval of Prometheus for scrapes and evaluations. Like all durations of a chain, in the
 * service's time.
 */
export interface ChainPace {
  readonly scrape: string;
  readonly evaluation: string;
  /** Absent for the example's value. */
  readonly groupWait?: string;
}

const usualPace: ChainPace = { scrape: '40s', evaluation: '20s' };

export const debianServers: ChainServers = {
  prometheus: 'prometheus',
  alertmanager: 'alertmanager',
};

/**
 * Sandboxes, exporters, a real Prometheus, a real Alertmanager, and a receiver that records its
 * messages.
 */
export class AlertChain {
  readonly clock = new VirtualClock(Date.now());
  readonly #received = new MessageLog();
  readonly #accounts = new Map<string, RunningSandbox>();
  readonly #running = new Set<Exporter>();
  readonly #loopsOf = new Map<Exporter, number>();
  readonly #folder: string;
  readonly #divisor: number;
  readonly #servers: ChainServers;
  #minute = 0;
  #lateMilliseconds = 0;
  readonly #targets = new Map<string, string>();
  readonly #relabelled: string[] = [];
  readonly #replicas: string[] = [];
  #prometheus: Child | undefined;
  #alertmanager: Child | undefined;
  #ports = { prometheus: 0, alertmanager: 0 };

  private constructor(folder: string, divisor: number, servers: ChainServers) {
    this.#folder = folder;
    this.#divisor = divisor;
    this.#servers = servers;
  }

  /**
   * `divisor` is the number of the service's minutes in one minute of Prometheus and Alertmanager,
   * whose durations are divided by it.
   */
  static async create(divisor: number, servers = debianServers): Promise<AlertChain> {
    const folder = await mkdtemp(join(tmpdir(), 'alert-chain-'));
    const chain = new AlertChain(folder, divisor, servers);
    onTestFinished(async () => {
      for (const exporter of chain.#running) await exporter.stop();
      for (const sandbox of chain.#accounts.values()) await sandbox.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    return chain;
  }

  get messages(): readonly Message[] {
    return this.#received.messages;
  }

  get minute(): number {
    return this.#minute;
  }

  /**
   * How far Prometheus has advanced while the service was stopped, because the machine was too slow
   * for both.
   */
  get lateSeconds(): number {
    return Math.round(this.#lateMilliseconds / 1000);
  }

  async account(name: string, options: Partial<SandboxOptions> = {}): Promise<ChainAccount> {
    const { clock } = this;
    const sandbox = await startVirtualSandbox(clock, {
      checks: 40,
      transactions: 3,
      seed: this.#accounts.size + 1,
      ...options,
    });
    this.#accounts.set(name, sandbox);
    return chainAccount(name, sandbox, clock);
  }

  /** Not started. Its address for Prometheus never changes. */
  async exporter(
    instance: string,
    accounts: readonly ChainAccount[],
    { disk = new MemoryStore(), shared, slo, hookSecret }: ChainExporterOptions = {},
  ): Promise<ChainExporter> {
    const settings = accounts.map(({ name, sandbox }) =>
      sandboxAccount(sandbox, { name, ...(hookSecret !== undefined && { hookSecret }) }),
    );
    const port = await freePort();
    let relay: Relay | undefined;
    let current: { readonly exporter: Exporter; readonly crash: () => void } | undefined;
    this.#targets.set(instance, `127.0.0.1:${port}`);
    await this.#writeTargets();
    const start = async () => {
      const goOn = async () => 'go on' as const;
      const connection = shared?.connect(instance, this.clock);
      const store = new CrashingStore(connection?.store ?? disk, { before: goOn, after: goOn });
      const exporter = createSandboxExporter({
        accounts: settings,
        store: connection?.store ?? store,
        clock: this.clock,
        write: () => {},
        ...present({ slo, sharing: connection?.sharing }),
      });
      const url = await exporter.start();
      const crash = () => {
        store.crash();
        connection?.cut();
      };
      current = { exporter, crash };
      this.#running.add(exporter);
      // A loop for each account, and two for the leases.
      this.#loopsOf.set(exporter, accounts.length + (connection === undefined ? 0 : 2));
      relay = await Relay.start(url, { port });
    };
    const stop = async () => {
      if (current === undefined) return;
      this.#running.delete(current.exporter);
      await current.exporter.stop();
      await relay?.cut();
      current = undefined;
    };
    const kill = async () => {
      await relay?.cut();
      current?.crash();
      await stop();
    };
    return { instance, url: `http://127.0.0.1:${port}`, start, kill, stop };
  }

  /** Series with an account get this instance, regardless of their target `INSTANCE-…`. */
  relabel(instance: string): void {
    this.#relabelled.push(instance);
  }

  /**
   * All series except those of the exporter itself get this instance, regardless of their target
   * `INSTANCE-…`.
   */
  relabelReplicas(instance: string): void {
    this.#replicas.push(instance);
  }

  /** Like service discovery after a pod was deleted. */
  async forget(instance: string): Promise<void> {
    this.#targets.delete(instance);
    await this.#writeTargets();
  }

  async #writeTargets(): Promise<void> {
    const list = [...this.#targets].map(([instance, target]) => ({
      targets: [target],
      labels: { instance },
    }));
    const file = join(this.#folder, 'targets.json');
    // In one step, so that Prometheus never reads an incomplete file.
    await writeFile(`${file}.new`, JSON.stringify(list));
    await rename(`${file}.new`, file);
  }

  /**
   * Prometheus and Alertmanager with the delivered rules and example, except for their durations.
   */
  async start(
    parameters: Partial<RuleParameters> = {},
    { scrape, evaluation, groupWait }: ChainPace = usualPace,
  ): Promise<void> {
    const inTime = (duration: string) => divided(duration, this.#divisor);
    const webhook = createServer(async (incoming, response) => {
      this.#received.add(await json(incoming), this.#minute, this.clock.now());
      response.end();
    }).listen(0, '127.0.0.1');
    await once(webhook, 'listening');
    onTestFinished(() => {
      webhook.closeAllConnections();
      webhook.close();
    });
    this.#ports = { prometheus: await freePort(), alertmanager: await freePort() };
    const { port } = webhook.address() as AddressInfo;
    await writeFile(
      join(this.#folder, 'alertmanager.yaml'),
      dividedRoutes(`http://127.0.0.1:${port}/`, this.#divisor, groupWait),
    );
    await writeFile(
      join(this.#folder, 'rules.yaml'),
      wholeRuleFile({ ...defaultParameters, ...parameters, timeDivisor: this.#divisor }),
    );
    const settings = {
      global: {
        scrape_interval: inTime(scrape),
        scrape_timeout: inTime(scrape),
        evaluation_interval: inTime(evaluation),
      },
      rule_files: [join(this.#folder, 'rules.yaml')],
      alerting: {
        alertmanagers: [
          { static_configs: [{ targets: [`127.0.0.1:${this.#ports.alertmanager}`] }] },
        ],
      },
      scrape_configs: [
        {
          job_name: 'uptime',
          file_sd_configs: [
            { files: [join(this.#folder, 'targets.json')], refresh_interval: '1s' },
          ],
          metric_relabel_configs: [
            ...this.#relabelled.map((instance) => ({
              source_labels: ['account', 'instance'],
              regex: `.+;${instance}-.+`,
              target_label: 'instance',
              replacement: instance,
            })),
            ...this.#replicas.map((instance) => ({
              source_labels: ['__name__', 'instance'],
              regex: `${replicasRelabelling().regex};${instance}-.+`,
              target_label: 'instance',
              replacement: instance,
            })),
          ],
        },
      ],
    };
    await this.#writeTargets();
    await writeFile(join(this.#folder, 'prometheus.yaml'), stringify(settings));
    await this.startAlertmanager();
    await this.startPrometheus();
  }

  async startPrometheus(): Promise<void> {
    const child = startChild(toolPath(this.#servers.prometheus), [
      `--config.file=${join(this.#folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(this.#folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${this.#ports.prometheus}`,
      `--query.lookback-delta=${divided('5m', this.#divisor)}`,
      `--rules.alert.resend-delay=${divided('5m', this.#divisor)}`,
      `--rules.alert.for-grace-period=${divided('10m', this.#divisor)}`,
    ]);
    this.#prometheus = child;
    await child.until(/Server is ready to receive web requests/);
  }

  async startAlertmanager(): Promise<void> {
    const child = startChild(toolPath(this.#servers.alertmanager), [
      `--config.file=${join(this.#folder, 'alertmanager.yaml')}`,
      `--storage.path=${join(this.#folder, 'alertmanager')}`,
      `--web.listen-address=127.0.0.1:${this.#ports.alertmanager}`,
      '--cluster.listen-address=',
    ]);
    this.#alertmanager = child;
    await child.until(/Listening on/);
  }

  stopPrometheus(): Promise<void> {
    return ended(this.#prometheus);
  }

  stopAlertmanager(): Promise<void> {
    return ended(this.#alertmanager);
  }

  /** Advances by minutes of the service, in step with Prometheus. */
  async pass(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed++) {
      for (let at = 0; at < 60_000; at += stepMilliseconds) await this.step();
      this.#minute++;
    }
  }

  /** Advances by ten seconds of the service, in step with Prometheus. */
  async step(): Promise<void> {
    const until = performance.now() + stepMilliseconds / this.#divisor;
    await this.clock.advance(stepMilliseconds);
    await this.#responded();
    const early = until - performance.now();
    if (early > 0) await wait(early);
    else this.#lateMilliseconds -= early;
  }

  /** Advances until a message about an account or an instance contains these words. */
  async until(about: string, words: string): Promise<void> {
    for (let passed = 0; passed < mostMinutes; passed++) {
      const isIt = (one: Message) => one.account === about && one.words.includes(words);
      if (this.messages.some(isIt)) return;
      await this.pass(1);
    }
    const arrived = this.messages.map((one) => one.words).join(', ');
    throw new Error(`no message about ${about} says "${words}"; there were: ${arrived}`);
  }

  /** Waits until all exporters only wait for time to pass. */
  async #responded(): Promise<void> {
    const until = performance.now() + longestResponseMilliseconds;
    let loops = 0;
    for (const exporter of this.#running) loops += this.#loopsOf.get(exporter) ?? 0;
    for (let quiet = 0; quiet < 3 && performance.now() < until; ) {
      await new Promise(setImmediate);
      quiet = this.clock.sleepers <= loops ? quiet + 1 : 0;
    }
  }
}

/** The delivered example. */
function replicasRelabelling(): { readonly regex: string } {
  const path = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus', 'replicas.yaml');
  const { scrape_configs: configs } = parse(readFileSync(path, 'utf8'));
  return configs[0].metric_relabel_configs[0];
}

async function ended(child: Child | undefined): Promise<void> {
  child?.process.kill('SIGTERM');
  await child?.ended;
}
