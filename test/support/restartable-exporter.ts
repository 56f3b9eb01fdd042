import { request } from 'undici';
import { onTestFinished } from 'vitest';
import type { Exporter } from '../../src/app/exporter.ts';
import type { RunningConfiguration } from '../../src/app/reload.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import { LabelPolicy } from '../../src/exposition/labels/label-policy.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { present } from '../../src/lib/present.ts';
import type { RunningSandbox } from '../../src/sandbox/running-sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { scaledClock } from '../../src/sandbox/simulation/clocks.ts';
import type { FlappingLimits } from '../../src/slo/flapping.ts';
import { defaultSloPolicy, type SloPolicy } from '../../src/slo/groups.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { CounterWatch, type Samples } from './counter-watch.ts';
import { type CommitMoments, CrashingStore } from './crashing-store.ts';
import { FailingStore } from './failing-store.ts';
import { createSandboxExporter, sandboxAccount, startVirtualSandbox } from './sandbox-exporter.ts';
import type { SharedConnection, SharedMemory } from './shared-memory.ts';
import { SkewedClock } from './skewed-clock.ts';
import { untilQuiet } from './until-quiet.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface RestartableOptions extends Partial<SandboxOptions> {
  /** Called during a commit. */
  readonly moments?: Partial<CommitMoments>;
  /** Used instead of `disk`; survives a crash. */
  readonly store?: Store;
  /** Survives a crash in place of `disk`; other exporters may share it. */
  readonly shared?: SharedMemory;
  /** Other objectives than the default, and groups. */
  readonly slo?: SloPolicy;
  /** Labels to promote; called at each start. */
  readonly labels?: () => LabelPolicy;
  readonly flapping?: FlappingLimits;
  /** The speed of the sandbox's time. Its request limits are not affected. */
  readonly timeScale?: number;
  /** The default account of a start; by default of version 3.1. */
  readonly account?: Partial<AccountSettings>;
  /** Called with every logged line. */
  readonly onLog?: (line: string) => void;
}

const goOn = async () => 'go on' as const;

/**
 * The whole exporter in this process, with a sandbox over real connections, in virtual time. It can
 * crash and start again.
 */
export class RestartableExporter {
  readonly clock: VirtualClock;
  /** The clock of the exporter's machine. The sandbox has another one. */
  readonly machineClock: SkewedClock;
  readonly sandbox: RunningSandbox;
  readonly #sandboxClock: Pick<Clock, 'now'>;
  /** The data that survive a crash. */
  readonly disk: FailingStore;
  readonly watch = new CounterWatch();
  /** To the shared store, if there is one. */
  connection: SharedConnection | undefined;
  readonly log: string[] = [];
  readonly #options: RestartableOptions;
  #store: CrashingStore | undefined;
  #exporter: Exporter | undefined;
  #url = '';
  #configured: readonly AccountSettings[] = [];
  #samples: Samples = new Map();

  private constructor(clock: VirtualClock, sandbox: RunningSandbox, options: RestartableOptions) {
    this.clock = clock;
    this.machineClock = new SkewedClock(clock);
    this.#sandboxClock = scaledClock(clock, options.timeScale ?? 1);
    this.sandbox = sandbox;
    this.#options = options;
    this.disk = new FailingStore(options.shared?.reader() ?? new MemoryStore());
  }

  /** With a sandbox, but not started. */
  static async create(options: RestartableOptions = {}): Promise<RestartableExporter> {
    const {
      moments: _moments,
      onLog: _onLog,
      store: _store,
      shared: _shared,
      slo: _slo,
      labels: _labels,
      flapping: _flapping,
      account: _account,
      ...rest
    } = options;
    const { timeScale = 1, ...world } = rest;
    const clock = new VirtualClock();
    const sandbox = await startVirtualSandbox(clock, world, scaledClock(clock, timeScale));
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

  /** UNIX seconds of the sandbox's time. */
  get now(): number {
    return Math.floor(this.#sandboxClock.now() / 1000);
  }

  get url(): string {
    return this.#url;
  }

  /** Starts the exporter with the account of the options, or with another one. */
  async start(account: Partial<AccountSettings> = this.#options.account ?? {}): Promise<void> {
    const { moments, onLog, slo, labels, flapping, shared } = this.#options;
    this.connection = shared?.connect('replica', this.machineClock);
    const disk = this.connection?.store ?? this.#options.store ?? this.disk;
    const store = new CrashingStore(disk, { before: goOn, after: goOn, ...moments });
    const write = (line: string) => {
      this.log.push(line);
      onLog?.(line);
    };
    const accounts = [sandboxAccount(this.sandbox, account)];
    this.#configured = accounts;
    const configuration: RunningConfiguration = {
      read: () => ({
        serving: {},
        labels: labels?.() ?? new LabelPolicy({}),
        slo: slo ?? defaultSloPolicy(),
        links: {},
        accounts: this.#configured,
        shown: {},
      }),
      apply: () => [],
      shown: () => '',
    };
    const exporter = createSandboxExporter({
      accounts,
      configuration,
      store,
      clock: this.machineClock,
      write,
      ...present({ slo, labels: labels?.(), flapping, sharing: this.connection?.sharing }),
    });
    this.#store = store;
    this.#exporter = exporter;
    this.#url = await exporter.start();
  }

  /** Reloads the configuration with another account. */
  async reload(account: Partial<AccountSettings>): Promise<void> {
    this.#configured = [sandboxAccount(this.sandbox, account)];
    await this.#exporter?.reload();
  }

  /** Ends the exporter like a power failure: all data that are not on the disk are lost. */
  async crash(): Promise<void> {
    this.#store?.crash();
    this.connection?.cut();
    await this.stop();
  }

  async stop(): Promise<void> {
    const exporter = this.#exporter;
    this.#exporter = undefined;
    await exporter?.stop();
  }

  /** The page as Prometheus reads it. Its counters are compared with earlier ones. */
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

  /** Advances the clock, but not while a request is in flight. Ends at a crash. */
  async pass(seconds: number): Promise<void> {
    const until = this.clock.monotonic() + seconds * 1000;
    do {
      await this.#responds();
      if (this.#hasCrashed) return;
      const next = this.clock.earliestWake ?? Number.POSITIVE_INFINITY;
      await this.clock.advance(Math.max(0, Math.min(next, until) - this.clock.monotonic()));
    } while (this.clock.monotonic() < until);
    await this.#responds();
  }

  /** Advances the clock even without a response. */
  async passRegardless(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed++) {
      await this.clock.advance(1_000);
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    }
  }

  /** One of the account, and two of the leases. */
  get #loops(): number {
    if (!this.running) return 0;
    return this.connection === undefined ? 1 : 3;
  }

  /** True after a crash within a step, until the step has ended. */
  get #hasCrashed(): boolean {
    return this.#exporter !== undefined && !this.running;
  }

  /** Waits until no request is in flight and the disk has responded. */
  async #responds(): Promise<void> {
    await untilQuiet({
      clock: this.clock,
      loops: this.#loops,
      // With a database, an account may belong to another replica, and then its loop has ended.
      fewest: this.connection === undefined ? this.#loops : 0,
      isBusy: () => (this.#store?.writing ?? 0) > 0,
      isOver: () => this.#hasCrashed,
    });
  }
}
