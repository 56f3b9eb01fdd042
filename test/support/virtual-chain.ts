import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../sandbox/src/sandbox.ts';
import type { Exporter } from '../../src/app/exporter.ts';
import { parseDuration } from '../../src/config/fields.ts';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { present } from '../../src/lib/present.ts';
import type { SloPolicy } from '../../src/slo/groups.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { type ChainAccount, chainAccount } from './chain-account.ts';
import {
  type ChainConfiguration,
  prometheusConfiguration,
  type Received,
  type RuleChange,
  type RuleEvaluator,
  receivedMessages,
  type SentAlert,
  sentAlerts,
} from './chain-programs.ts';
import { CrashingStore } from './crashing-store.ts';
import { MemoryDispatcher } from './memory-http.ts';
import { CountedClient, PendingWork } from './pending-work.ts';
import { createSandboxExporter, sandboxAccount, sandboxOptions } from './sandbox-exporter.ts';
import type { SharedStore } from './shared-store.ts';
import { statesOnly } from './states-only.ts';
import { VirtualClock } from './virtual-clock.ts';

const job = 'uptime';
const minute = 60_000;
/** The first scrape of a target after a full minute, and how much later that of the next one is. */
const scrapePhase = { first: 5_000, step: 3_000 };

export interface ChainExporter {
  readonly instance: string;
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
  readonly shared?: SharedStore;
  readonly slo?: SloPolicy;
}

/** What Prometheus scrapes. */
interface Target {
  readonly instance: string;
  nextScrape: number;
  running: { readonly exporter: Exporter; readonly app: MemoryDispatcher } | undefined;
}

/**
 * Sandboxes and exporters in virtual time, whose pages are evaluated by the delivered rules with
 * Prometheus' own code and dispatched with Alertmanager's, at exact times.
 */
export class VirtualChain {
  readonly #work = new PendingWork();
  readonly clock = new VirtualClock(undefined, () => this.#work.quiet());
  readonly #folder: string;
  readonly #configuration: ChainConfiguration;
  readonly #scrapeMilliseconds: number;
  readonly #pages: WriteStream;
  /** The services of the accounts, by their base URLs. */
  readonly #services = new Map<string, MemoryDispatcher>();
  readonly #targets = new Map<string, Target>();
  /** When Alertmanager starts and stops. */
  readonly #alertmanager: { readonly at: number; readonly alertmanager: 'start' | 'stop' }[] = [];

  private constructor(folder: string, configuration: ChainConfiguration) {
    this.#folder = folder;
    this.#configuration = configuration;
    const { global } = prometheusConfiguration(configuration);
    this.#scrapeMilliseconds = 1000 * (parseDuration(global.scrape_interval) ?? Number.NaN);
    this.#pages = createWriteStream(join(folder, 'pages.ndjson'));
  }

  static async create(configuration: ChainConfiguration): Promise<VirtualChain> {
    const folder = await mkdtemp(join(tmpdir(), 'virtual-chain-'));
    const chain = new VirtualChain(folder, configuration);
    onTestFinished(async () => {
      for (const { running } of chain.#targets.values()) await running?.exporter.stop();
      chain.#pages.destroy();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    chain.startPrometheus();
    chain.startAlertmanager();
    return chain;
  }

  account(name: string, options: Partial<SandboxOptions> = {}): ChainAccount {
    const { app, ...sandbox } = createSandbox({
      ...sandboxOptions({ transactions: 1, seed: this.#services.size + 1, ...options }),
      clock: this.clock,
      limitsClock: this.#work.handingOver(this.clock),
    });
    this.#services.set(urlOf(name), new MemoryDispatcher(app));
    return chainAccount(name, sandbox, this.clock);
  }

  /** Not started, but Prometheus scrapes it. */
  exporter(
    instance: string,
    accounts: readonly ChainAccount[],
    { disk = new MemoryStore(), shared, slo }: ChainExporterOptions = {},
  ): ChainExporter {
    const settings = accounts.map(({ name }) =>
      sandboxAccount({ url: urlOf(name) }, { name, datasets: statesOnly }),
    );
    const first = scrapePhase.first + scrapePhase.step * this.#targets.size;
    const target: Target = { instance, nextScrape: this.#now + first, running: undefined };
    this.#targets.set(instance, target);
    let crash = () => {};
    const start = async () => {
      const goOn = async () => 'go on' as const;
      const connection = shared?.connect(instance, this.clock);
      const store = new CrashingStore(disk, { before: goOn, after: goOn });
      crash = () => {
        store.crash();
        connection?.cut();
      };
      const exporter = createSandboxExporter({
        accounts: settings,
        served: ServedFamilies.lean,
        store: connection?.store ?? store,
        clock: this.clock,
        write: () => {},
        newClient: (client) => {
          const dispatcher = this.#services.get(client.baseUrl);
          if (dispatcher === undefined) throw new Error(`there is no ${client.baseUrl}`);
          return new CountedClient({ ...client, dispatcher }, this.#work);
        },
        listen: async (app) => {
          target.running = { exporter, app: new MemoryDispatcher(app) };
          return [];
        },
        ...present({ slo, sharing: connection?.sharing }),
      });
      await exporter.start();
    };
    const stop = async () => {
      const { running } = target;
      target.running = undefined;
      await running?.exporter.stop();
    };
    const kill = async () => {
      crash();
      await stop();
    };
    return { instance, start, kill, stop };
  }

  /** Like service discovery after a pod was deleted. */
  forget(instance: string): void {
    this.#targets.delete(instance);
    this.#write({ remove: { job, instance } });
  }

  startPrometheus(): void {
    this.#write({ prometheus: 'start' });
  }

  stopPrometheus(): void {
    this.#write({ prometheus: 'stop' });
  }

  startAlertmanager(): void {
    this.#alertmanager.push({ at: this.#now, alertmanager: 'start' });
  }

  stopAlertmanager(): void {
    this.#alertmanager.push({ at: this.#now, alertmanager: 'stop' });
  }

  /** Advances by minutes, and scrapes each target when it is due. */
  async pass(minutes: number): Promise<void> {
    const until = this.#now + minutes * minute;
    for (;;) {
      const [due] = [...this.#targets.values()].sort((a, b) => a.nextScrape - b.nextScrape);
      if (due === undefined || due.nextScrape >= until) break;
      await this.clock.advance(due.nextScrape - this.#now);
      due.nextScrape += this.#scrapeMilliseconds;
      await this.#scrape(due);
    }
    await this.clock.advance(until - this.#now);
  }

  /** Ends the chain: what this version of Prometheus sends, and what the receivers get. */
  async ended(
    evaluator: RuleEvaluator,
    changed?: RuleChange,
  ): Promise<{ readonly sent: readonly SentAlert[]; readonly received: readonly Received[] }> {
    if (!this.#pages.writableEnded) {
      this.#write({});
      this.#pages.end();
      await once(this.#pages, 'close');
    }
    const pages = join(this.#folder, 'pages.ndjson');
    const sent = await sentAlerts(evaluator, pages, this.#folder, this.#configuration, changed);
    // Alertmanager starts and stops before the alerts of the same time arrive.
    const events = [...this.#alertmanager, ...sent].sort((a, b) => a.at - b.at);
    const received = await receivedMessages([...events, { at: this.#now }], this.#folder);
    return { sent, received };
  }

  get #now(): number {
    return this.clock.now();
  }

  #write(event: object): void {
    this.#pages.write(`${JSON.stringify({ at: this.#now, ...event })}\n`);
  }

  async #scrape({ instance, running }: Target): Promise<void> {
    const scrape = { job, instance };
    if (running === undefined) return this.#write({ scrape });
    const { body } = await request('http://exporter/metrics', { dispatcher: running.app });
    this.#write({ scrape, page: await body.text() });
  }
}

/** The base URL of an account's own service. */
function urlOf(account: string): string {
  return `https://${account}.example.com`;
}
