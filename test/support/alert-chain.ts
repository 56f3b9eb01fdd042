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
import { z } from 'zod';
import type { Exporter } from '../../src/app/exporter.ts';
import { formatDuration, parseDuration } from '../../src/config/quantities.ts';
import { defaultParameters, type RuleParameters } from '../../src/rules/parameters.ts';
import { wholeRuleFile } from '../../src/rules/rule-files.ts';
import type { SandboxCheck } from '../../src/sandbox/account/checks.ts';
import type { RunningSandbox } from '../../src/sandbox/running-sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { type Child, startChild } from './child.ts';
import { CrashingStore } from './crashing-store.ts';
import { freePort } from './free-port.ts';
import { Relay } from './relay.ts';
import { createSandboxExporter, sandboxAccount, startVirtualSandbox } from './sandbox-exporter.ts';
import { toolPath } from './tools.ts';
import { VirtualClock } from './virtual-clock.ts';

const stepMilliseconds = 10_000;
/** In real time; an answer that takes longer is waited for no more. */
const longestAnswerMilliseconds = 1_000;
/** The sandbox plants maintenance and special roles on the checks before these. */
const firstSubject = 24;

const labels = z.record(z.string(), z.string());
const notification = z.object({
  receiver: z.string(),
  groupLabels: labels,
  alerts: z.array(z.object({ status: z.string(), labels, annotations: labels })),
});
type Notification = z.infer<typeof notification>;

/** What one receiver got at once, such as `pager: +CheckDown ×2 -CheckSlow`. */
export interface Message {
  readonly minute: number;
  readonly account: string;
  readonly words: string;
  readonly texts: readonly string[];
}

/** An account of its own simulated service, which is up but for what a test does to it. */
export interface ChainAccount {
  readonly name: string;
  readonly sandbox: RunningSandbox;
  /** Tested every minute. */
  readonly checks: readonly SandboxCheck[];
  /** UNIX seconds of the service. */
  now(): number;
  down(...checks: readonly SandboxCheck[]): void;
  up(...checks: readonly SandboxCheck[]): void;
}

export interface ChainExporter {
  readonly instance: string;
  start(): Promise<void>;
  /** As a power failure does. */
  kill(): Promise<void>;
}

/** Sandboxes, exporters, a real Prometheus, a real Alertmanager and a receiver that keeps what it gets. */
export class AlertChain {
  readonly clock = new VirtualClock(Date.now());
  readonly messages: Message[] = [];
  readonly #accounts = new Map<string, RunningSandbox>();
  readonly #running = new Set<Exporter>();
  readonly #accountsOf = new Map<Exporter, number>();
  readonly #folder: string;
  readonly #divisor: number;
  readonly #told = new Map<string, ReadonlySet<string>>();
  #minute = 0;
  readonly #targets = new Map<string, string>();
  readonly #relabelled: string[] = [];
  #prometheus: Child | undefined;
  #alertmanager: Child | undefined;
  #ports = { prometheus: 0, alertmanager: 0 };

  private constructor(folder: string, divisor: number) {
    this.#folder = folder;
    this.#divisor = divisor;
  }

  /**
   * `divisor` is how many minutes of the service pass in a minute of Prometheus and Alertmanager, whose durations
   * are divided by it.
   */
  static async create(divisor: number): Promise<AlertChain> {
    const folder = await mkdtemp(join(tmpdir(), 'alert-chain-'));
    const chain = new AlertChain(folder, divisor);
    onTestFinished(async () => {
      for (const exporter of chain.#running) await exporter.stop();
      for (const sandbox of chain.#accounts.values()) await sandbox.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    return chain;
  }

  get minute(): number {
    return this.#minute;
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
    const { world } = sandbox;
    const now = () => Math.floor(clock.now() / 1000);
    const plant = (status: 'up' | 'down', from: number) => (one: { readonly id: number }) =>
      world.plant({ checkId: one.id, status, from });
    [...world.checks, ...world.transactions.all].forEach(plant('up', now() - 40 * 86_400));
    const checks = world.checks.slice(firstSubject).map((check) => {
      const run = { from: check.created, resolutionSeconds: 60, phaseSeconds: 13 };
      const often = { ...check, resolutionMinutes: 1, runs: [run], severity: 'high' as const };
      world.registry.put(often);
      return often;
    });
    return {
      name,
      sandbox,
      checks,
      now,
      down: (...some) => some.forEach(plant('down', now())),
      up: (...some) => some.forEach(plant('up', now())),
    };
  }

  /** Not started. Prometheus reaches it under one address, whatever happens to it. */
  async exporter(
    instance: string,
    accounts: readonly ChainAccount[],
    disk: Store = new MemoryStore(),
  ): Promise<ChainExporter> {
    const settings = accounts.map(({ name, sandbox }) => sandboxAccount(sandbox, { name }));
    const port = await freePort();
    let relay: Relay | undefined;
    let current: { exporter: Exporter; store: CrashingStore } | undefined;
    this.#targets.set(instance, `127.0.0.1:${port}`);
    await this.#writeTargets();
    const start = async () => {
      const goOn = async () => 'go on' as const;
      const store = new CrashingStore(disk, { before: goOn, after: goOn });
      const exporter = createSandboxExporter({
        accounts: settings,
        store,
        clock: this.clock,
        write: () => {},
      });
      const url = await exporter.start();
      current = { exporter, store };
      this.#running.add(exporter);
      this.#accountsOf.set(exporter, accounts.length);
      relay = await Relay.start(url, { port });
    };
    const kill = async () => {
      await relay?.cut();
      current?.store.crash();
      if (current === undefined) return;
      this.#running.delete(current.exporter);
      await current.exporter.stop();
      current = undefined;
    };
    return { instance, start, kill };
  }

  /** Series that bear an account get this instance, whichever of `INSTANCE-…` they come from. */
  relabel(instance: string): void {
    this.#relabelled.push(instance);
  }

  /** As service discovery does when a pod is gone. */
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
    // In one step, so that Prometheus never reads half of it.
    await writeFile(`${file}.new`, JSON.stringify(list));
    await rename(`${file}.new`, file);
  }

  /** Prometheus and Alertmanager, with the rules and the example as they are delivered but for their durations. */
  async start(parameters: Partial<RuleParameters> = {}): Promise<void> {
    const webhook = createServer(async (incoming, reply) => {
      this.#received(notification.parse(await json(incoming)));
      reply.end();
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
      routes(`http://127.0.0.1:${port}/`, this.#divisor),
    );
    await writeFile(
      join(this.#folder, 'rules.yaml'),
      wholeRuleFile({ ...defaultParameters, ...parameters, timeDivisor: this.#divisor }),
    );
    const settings = {
      global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
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
          metric_relabel_configs: this.#relabelled.map((instance) => ({
            source_labels: ['account', 'instance'],
            regex: `.+;${instance}-.+`,
            target_label: 'instance',
            replacement: instance,
          })),
        },
      ],
    };
    await this.#writeTargets();
    await writeFile(join(this.#folder, 'prometheus.yaml'), stringify(settings));
    await this.startAlertmanager();
    await this.startPrometheus();
  }

  async startPrometheus(): Promise<void> {
    const child = startChild(toolPath('prometheus'), [
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
    const child = startChild(toolPath('alertmanager'), [
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

  /** Lets minutes of the service pass, in step with Prometheus. */
  async pass(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed++) {
      const until = performance.now() + 60_000 / this.#divisor;
      for (let at = 0; at < 60_000; at += stepMilliseconds) {
        await this.clock.advance(stepMilliseconds);
        await this.#answered();
      }
      await wait(Math.max(0, until - performance.now()));
      this.#minute++;
    }
  }

  /** Until every exporter only waits for time to pass. */
  async #answered(): Promise<void> {
    const until = performance.now() + longestAnswerMilliseconds;
    let loops = 0;
    for (const exporter of this.#running) loops += this.#accountsOf.get(exporter) ?? 0;
    for (let quiet = 0; quiet < 3 && performance.now() < until; ) {
      await new Promise(setImmediate);
      quiet = this.clock.sleepers <= loops ? quiet + 1 : 0;
    }
  }

  #received({ receiver, groupLabels, alerts }: Notification): void {
    const [one] = alerts;
    if (one === undefined) return;
    const group = `${receiver} ${JSON.stringify(groupLabels)}`;
    const before = this.#told.get(group) ?? new Set();
    const id = (alert: (typeof alerts)[number]) => JSON.stringify(alert.labels);
    const firing = alerts.filter(({ status }) => status === 'firing');
    const news = [
      ...firing.filter((alert) => !before.has(id(alert))).map((alert) => ['+', alert] as const),
      // What was inhibited and never told comes along when it resolves with what was told.
      ...alerts
        .filter((alert) => alert.status === 'resolved' && before.has(id(alert)))
        .map((alert) => ['-', alert] as const),
    ];
    this.#told.set(group, new Set(firing.map(id)));
    const counts = new Map<string, number>();
    for (const [sign, alert] of news) {
      const key = `${sign}${alert.labels.alertname?.replace('Uptime', '') ?? ''}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const words = [...counts].map(([key, count]) => (count === 1 ? key : `${key} ×${count}`));
    this.messages.push({
      minute: this.#minute,
      account: one.labels.account ?? one.labels.instance ?? '',
      words: `${receiver}: ${words.sort().join(' ') || 'again'}`,
      texts: alerts.map(
        ({ annotations: { summary, description } }) => `${summary}\n${description}`,
      ),
    });
  }
}

async function ended(child: Child | undefined): Promise<void> {
  child?.process.kill('SIGTERM');
  await child?.ended;
}

/** The example with its durations divided, and this process behind every receiver. */
function routes(url: string, divisor: number): string {
  const file = join(import.meta.dirname, '..', '..', 'deploy', 'alertmanager', 'alertmanager.yaml');
  const { route, receivers, ...rest } = parse(readFileSync(file, 'utf8'));
  return stringify({
    ...rest,
    route: dividedRoute(route, divisor),
    receivers: receivers.map(({ name }: { name: string }) => ({
      name,
      webhook_configs: [{ url, send_resolved: name !== 'tickets' }],
    })),
  });
}

interface Route {
  readonly routes?: readonly Route[];
  readonly [key: string]: unknown;
}

function dividedRoute({ routes: inner, ...route }: Route, divisor: number): Route {
  const keys = ['group_wait', 'group_interval', 'repeat_interval'];
  const changed = keys.flatMap((key) => {
    const value = route[key];
    return typeof value === 'string' ? [[key, divided(value, divisor)] as const] : [];
  });
  return {
    ...route,
    ...Object.fromEntries(changed),
    ...(inner !== undefined && { routes: inner.map((one) => dividedRoute(one, divisor)) }),
  };
}

function divided(duration: string, divisor: number): string {
  return formatDuration(Math.max(0.001, (parseDuration(duration) ?? 0) / divisor));
}
