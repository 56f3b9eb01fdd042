import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { bearerToken } from '../../src/api/authentication.ts';
import { Exporter } from '../../src/cli/exporter.ts';
import { createLog } from '../../src/lib/log.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/running-sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { CounterWatch, type Samples } from './counter-watch.ts';
import { type CommitMoments, CrashingStore } from './crashing-store.ts';
import { VirtualClock } from './virtual-clock.ts';

export const token = 'sandbox-token-1234567890';

/** An answer that takes longer than this in real time is one that hangs: virtual time goes on without it. */
const longestAnswerMilliseconds = 3_000;

export interface RestartableOptions extends Partial<SandboxOptions> {
  /** What may happen in the middle of a commit. */
  readonly moments?: Partial<CommitMoments>;
  /** Told of every line that is logged. */
  readonly onLog?: (line: string) => void;
}

const goOn = async () => 'go on' as const;

/** The whole exporter in this process, watching a sandbox over real connections, in virtual time; it can crash and start again. */
export class RestartableExporter {
  readonly clock: VirtualClock;
  readonly sandbox: RunningSandbox;
  /** What survives a crash. */
  readonly disk = new MemoryStore();
  readonly watch = new CounterWatch();
  readonly log: string[] = [];
  readonly #options: RestartableOptions;
  #store: CrashingStore | undefined;
  #exporter: Exporter | undefined;
  #url = '';
  #samples: Samples = new Map();

  private constructor(clock: VirtualClock, sandbox: RunningSandbox, options: RestartableOptions) {
    this.clock = clock;
    this.sandbox = sandbox;
    this.#options = options;
  }

  /** With a sandbox, but not started. */
  static async create(options: RestartableOptions = {}): Promise<RestartableExporter> {
    const { moments: _moments, onLog: _onLog, ...world } = options;
    const clock = new VirtualClock();
    const sandbox = await startSandbox({
      shortLimit: 100_000,
      longLimit: 18_000_000,
      ...world,
      clock,
      limitsClock: clock,
      token,
      host: '127.0.0.1',
      port: 0,
    });
    const created = new RestartableExporter(clock, sandbox, options);
    onTestFinished(async () => {
      await created.crash();
      await sandbox.close();
    });
    return created;
  }

  get running(): boolean {
    return this.#exporter !== undefined && this.#store?.crashed === false;
  }

  /** UNIX seconds of the virtual time. */
  get now(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  async start(): Promise<void> {
    const secret = new Secret(token);
    const scrubber = new Scrubber([secret]);
    const { clock, sandbox } = this;
    const { moments, onLog } = this.#options;
    const store = new CrashingStore(this.disk, { before: goOn, after: goOn, ...moments });
    const write = (line: string) => {
      this.log.push(line);
      onLog?.(line);
    };
    const exporter = new Exporter({
      accounts: [
        {
          name: 'shop',
          baseUrl: sandbox.url,
          version: '3.1',
          authentication: bearerToken(secret),
        },
      ],
      store,
      listenAddress: '127.0.0.1:0',
      telemetryPath: '/metrics',
      maxRequests: 40,
      version: '0.0.0',
      clock,
      random: () => 0.5,
      scrubber,
      log: createLog({ level: 'debug', format: 'logfmt', clock, scrubber, destination: { write } }),
    });
    this.#store = store;
    this.#exporter = exporter;
    this.#url = await exporter.start();
  }

  /** Ends the exporter as a power failure does: what is not on the disk is lost. */
  async crash(): Promise<void> {
    this.#store?.crash();
    await this.stop();
  }

  async stop(): Promise<void> {
    const exporter = this.#exporter;
    this.#exporter = undefined;
    await exporter?.stop();
  }

  /** The page as Prometheus reads it; its counters are watched. */
  async page(): Promise<string> {
    const { body } = await request(`${this.#url}/metrics`);
    const page = await body.text();
    this.#samples = this.watch.scraped(page);
    return page;
  }

  async scrape(): Promise<Samples> {
    await this.page();
    return this.#samples;
  }

  /** Lets time pass, standing still while a request is under way, until a crash at the latest. */
  async pass(seconds: number): Promise<void> {
    const until = this.clock.monotonic() + seconds * 1000;
    do {
      await this.#answers();
      if (this.#exporter !== undefined && !this.running) return;
      const next = this.clock.earliestWake ?? Number.POSITIVE_INFINITY;
      await this.clock.advance(Math.max(0, Math.min(next, until) - this.clock.monotonic()));
    } while (this.clock.monotonic() < until);
    await this.#answers();
  }

  /** Waits until the exporter only waits for time to pass: its loop sleeps, and no deadline of a request runs. */
  async #answers(): Promise<void> {
    const since = performance.now();
    for (let quiet = 0; quiet < 3 && performance.now() - since < longestAnswerMilliseconds; ) {
      await new Promise(setImmediate);
      quiet = this.clock.sleepers <= (this.running ? 1 : 0) ? quiet + 1 : 0;
    }
  }
}
