import type { RequestListener } from 'node:http';
import { request } from 'undici';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/src/sandbox.ts';
import { scaledClock } from '../../sandbox/src/simulation/clocks.ts';
import type { Exporter } from '../../src/app/exporter.ts';
import type { RunningConfiguration } from '../../src/app/reload.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import type { Configuration } from '../../src/config/configuration.ts';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { LabelPolicy } from '../../src/exposition/labels/label-policy.ts';
import type { PublicPage } from '../../src/http/public/public-status.ts';
import type { RunningServer } from '../../src/http/server/listen.ts';
import type { WallClock } from '../../src/lib/clock.ts';
import { present } from '../../src/lib/present.ts';
import type { DatasetChoices } from '../../src/schedule/demand.ts';
import type { FlappingLimits } from '../../src/slo/flapping.ts';
import { defaultSloPolicy, type SloPolicy } from '../../src/slo/groups.ts';
import type { MemoryRows } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { CopiedStore } from '../support/copied-store.ts';
import { CounterWatch, type Samples } from '../support/counter-watch.ts';
import { type CommitMoments, CrashingStore } from '../support/crashing-store.ts';
import { drawnWire } from '../support/drawn-wire.ts';
import { FailingStore } from '../support/failing-store.ts';
import { MemoryDispatcher } from '../support/memory-http.ts';
import {
  type ClientEvents,
  CountedClient,
  countedStore,
  PendingWork,
} from '../support/pending-work.ts';
import {
  createSandboxExporter,
  sandboxAccount,
  sandboxOptions,
  sandboxToken,
} from '../support/sandbox-exporter.ts';
import type { SharedConnection, SharedStore } from '../support/shared-store.ts';
import { SkewedClock } from '../support/skewed-clock.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { WorldEvents } from './world-events.ts';

export interface WorldOptions extends Partial<SandboxOptions>, ClientEvents {
  /** Called during a commit. */
  readonly moments?: Partial<CommitMoments>;
  /** Used instead of `disk`; survives a crash. */
  readonly store?: Store;
  /** Survives a crash in place of `disk`; other exporters may share it. */
  readonly shared?: SharedStore;
  /** Other objectives than the default, and groups. */
  readonly slo?: SloPolicy;
  /** Labels to promote; called at each start. */
  readonly labels?: () => LabelPolicy;
  readonly flapping?: FlappingLimits;
  /** The pages that everyone may read. */
  readonly pages?: readonly PublicPage[];
  /** In which months begin and end; by default UTC. */
  readonly timeZone?: string;
  /** The speed of the sandbox's time. Its request limits are not affected. */
  readonly timeScale?: number;
  /** Of every account that does not choose its own: see states-only.ts. */
  readonly datasets?: DatasetChoices;
  /** The families of `/metrics`; by default all. */
  readonly served?: ServedFamilies;
  /** The default account of a start; by default of version 3.1. */
  readonly account?: Partial<AccountSettings>;
  /** The exporter reaches the service over the network, as a proxy or a broken connection needs. */
  readonly isConnected?: boolean;
  /** Called with every logged line. */
  readonly onLog?: (line: string) => void;
  /** The time between two renderings of the page; by default every change is shown at once. */
  readonly batchIntervalMilliseconds?: number;
  /** UNIX milliseconds. */
  readonly startMilliseconds?: number;
  /** Everything that happens is noted in `events`, which takes time. */
  readonly notesEvents?: boolean;
  /** What the configuration says beside the accounts; read at each start and reload. */
  readonly configured?: () => Partial<Omit<Configuration, 'accounts'>>;
}

type Method = 'POST' | 'PUT' | 'DELETE';

export interface TextResponse {
  readonly status: number;
  readonly text: string;
}

const goOn = async () => 'go on' as const;
const baseUrl = 'https://api.example.com';

/**
 * A whole exporter and the simulated service, joined in memory, in virtual time. The exporter can
 * crash and start again; the service and `disk` survive that.
 */
export class World<S extends Sandbox = Sandbox> {
  readonly clock: VirtualClock;
  /** The clock of the exporter's machine. The sandbox has another one. */
  readonly machineClock: SkewedClock;
  /** The clock by which the service dates its data and responses. */
  readonly serviceClock: SkewedClock;
  readonly sandbox: S;
  /** The data that survive a crash. */
  readonly disk: FailingStore;
  readonly watch = new CounterWatch();
  readonly log: string[] = [];
  readonly events: WorldEvents | undefined;
  /** That of the next start or reload; by default UTC. */
  timeZone: string | undefined;
  /** To the shared store, if there is one. */
  connection: SharedConnection | undefined;
  readonly #memory: CopiedStore;
  readonly #service: MemoryDispatcher;
  readonly #options: WorldOptions;
  readonly #work: PendingWork;
  readonly #sandboxClock: WallClock;
  #store: CrashingStore | undefined;
  #exporter: Exporter | undefined;
  #app: MemoryDispatcher | undefined;
  #configured: readonly AccountSettings[] = [];
  #samples: Samples = new Map();

  constructor(options: WorldOptions, withSandbox: (sandbox: Sandbox) => S) {
    const { timeScale = 1, startMilliseconds, seed = 1, wire } = options;
    const work = new PendingWork();
    const clock = new VirtualClock(startMilliseconds, () => work.quiet());
    this.#options = options;
    this.timeZone = options.timeZone;
    this.#work = work;
    this.clock = clock;
    this.events = options.notesEvents ? new WorldEvents(() => clock.monotonic()) : undefined;
    this.machineClock = new SkewedClock(clock);
    this.serviceClock = new SkewedClock(clock);
    this.#sandboxClock = scaledClock(this.serviceClock, timeScale);
    const { app, ...sandbox } = createSandbox({
      ...sandboxOptions({ ...options, wire: drawnWire(seed, wire) }),
      clock: scaledClock(this.serviceClock, timeScale),
      limitsClock: work.handingOver(clock),
    });
    this.#service = new MemoryDispatcher(app);
    this.sandbox = withSandbox({ app, ...sandbox });
    // The id of a store is random otherwise, and is on the page.
    this.#memory = new CopiedStore(this.sandbox.world.seed.toString(16).padStart(16, '0'));
    this.disk = new FailingStore(options.shared?.reader() ?? this.#memory);
  }

  static inMemory(options: WorldOptions = {}): World {
    return new World(options, (sandbox) => sandbox);
  }

  get running(): boolean {
    return this.#exporter !== undefined && this.#store?.crashed === false;
  }

  /** UNIX seconds of the sandbox's time. */
  get now(): number {
    return Math.floor(this.#sandboxClock.now() / 1000);
  }

  /** The address of the service in the account's settings. */
  protected get baseUrl(): string {
    return baseUrl;
  }

  /** Starts the exporter with the account of the options, or with other ones. */
  async start(
    account: Partial<AccountSettings> = this.#options.account ?? {},
    ...others: readonly Partial<AccountSettings>[]
  ): Promise<void> {
    const { moments, onLog, slo, labels, flapping, pages, served, shared } = this.#options;
    const timeZone = this.timeZone;
    const { isConnected = false } = this.#options;
    const { batchIntervalMilliseconds } = this.#options;
    this.connection = shared?.connect('replica', this.machineClock);
    const given = this.#options.store && countedStore(this.#options.store, this.#work);
    const disk = this.connection?.store ?? given ?? this.disk;
    const store = new CrashingStore(disk, {
      before: goOn,
      after: goOn,
      ...moments,
      written: (changes) => this.events?.commit(changes),
    });
    const accounts = [account, ...others].map((one) => this.#account(one));
    this.#configured = accounts;
    const exporter = createSandboxExporter({
      accounts,
      configuration: this.#configuration(),
      store,
      clock: this.machineClock,
      write: (line) => {
        this.log.push(line);
        this.events?.add('log', line);
        onLog?.(line);
      },
      newClient: (client) =>
        new CountedClient(
          { ...client, ...(!isConnected && { dispatcher: this.#service }) },
          this.#work,
          this.#clientEvents(),
        ),
      listen: (app, _places, _clock, { publicPages }) => {
        this.#app = new MemoryDispatcher(publicPages?.before(app) ?? app);
        return this.listen(app);
      },
      ...present({ slo, labels: labels?.(), flapping, timeZone, pages, served }),
      ...present({ sharing: this.connection?.sharing }),
      ...present({ batchIntervalMilliseconds }),
      ...this.#options.configured?.(),
    });
    this.#store = store;
    this.#exporter = exporter;
    await exporter.start();
  }

  /** Reloads the configuration with other accounts. */
  async reload(...accounts: readonly Partial<AccountSettings>[]): Promise<void> {
    this.#configured = accounts.map((account) => this.#account(account));
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

  /** The data on the disk as they are now. */
  copy(): MemoryRows {
    return this.#memory.copy();
  }

  /** While the exporter is stopped, a copy replaces the data on the disk. */
  restore(copy: MemoryRows): void {
    this.#memory.restore(copy);
  }

  /** The text of a page of the exporter. */
  async get(path: string): Promise<string> {
    return (await this.read(path)).text;
  }

  /** The status and the text of a page of the exporter. */
  async read(path: string): Promise<TextResponse> {
    if (this.#app === undefined) throw new Error('the exporter was never started');
    const { statusCode, body } = await request(`http://localhost${path}`, {
      dispatcher: this.#app,
    });
    const text = await body.text();
    this.events?.page(path, text);
    return { status: statusCode, text };
  }

  /** What an operator asks of the exporter: the status and the text of its response. */
  async post(path: string): Promise<TextResponse> {
    if (this.#app === undefined) throw new Error('the exporter was never started');
    const options = { dispatcher: this.#app, method: 'POST' } as const;
    const { statusCode, body } = await request(`http://localhost${path}`, options);
    return { status: statusCode, text: await body.text() };
  }

  /** The page as Prometheus reads it. Its counters are compared with earlier ones. */
  async page(): Promise<string> {
    const page = await this.get('/metrics');
    this.#samples = this.watch.scraped(page);
    return page;
  }

  async scrape(): Promise<Samples> {
    await this.page();
    return this.#samples;
  }

  /** A user of the service changes something, such as a check; tries again if the wire refuses. */
  async change(method: Method, path: string, body: object = {}): Promise<string> {
    const { stray401, stray403 } = this.sandbox.world.wire;
    const strays = new Set([...(stray401 > 0 ? [401] : []), ...(stray403 > 0 ? [403] : [])]);
    for (let attempts = 1; ; attempts++) {
      const { status, text } = await this.send(method, path, body);
      if (status === 200) return text;
      // A fault that a test has planted refuses every attempt.
      if (!strays.has(status) || attempts === 20)
        throw new Error(`${method} ${path}: ${status} ${text}`);
    }
  }

  /** One request of a user of the service. */
  async send(method: Method, path: string, body: object = {}): Promise<TextResponse> {
    const response = await request(`${baseUrl}/api/3.1${path}`, {
      dispatcher: this.#service,
      method,
      headers: { authorization: `Bearer ${sandboxToken}`, 'content-type': 'application/json' },
      ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
    });
    return { status: response.statusCode, text: await response.body.text() };
  }

  /** Advances the clock. Ends at a crash. */
  async pass(seconds: number): Promise<void> {
    const until = this.clock.monotonic() + seconds * 1000;
    do {
      await this.#work.quiet();
      if (this.#hasCrashed) return;
      const next = this.clock.earliestWake ?? Number.POSITIVE_INFINITY;
      await this.clock.advance(Math.max(0, Math.min(next, until) - this.clock.monotonic()));
    } while (this.clock.monotonic() < until);
  }

  /** Serves the application of the exporter; in memory alone. */
  protected async listen(_app: RequestListener): Promise<readonly RunningServer[]> {
    return [];
  }

  /** True after a crash within a step, until the step has ended. */
  get #hasCrashed(): boolean {
    return this.#exporter !== undefined && !this.running;
  }

  #clientEvents(): ClientEvents {
    const { onRequest, onRead, onFailed } = this.#options;
    return {
      onRequest: (request) => {
        const { operation, path, query } = request;
        this.events?.add('request', `${operation} ${path} ${JSON.stringify(query ?? {})}`);
        onRequest?.(request);
      },
      onRead: (request, body) => {
        this.events?.response(request.operation, body);
        onRead?.(request, body);
      },
      onFailed: (request, error) => {
        this.events?.add('failure', `${request.operation} ${error}`);
        onFailed?.(request, error);
      },
    };
  }

  #account(account: Partial<AccountSettings>): AccountSettings {
    const { datasets } = this.#options;
    return sandboxAccount({ url: this.baseUrl }, { ...present({ datasets }), ...account });
  }

  #configuration(): RunningConfiguration {
    const { slo, labels, pages, configured, served = ServedFamilies.full } = this.#options;
    return {
      read: () => ({
        ...present({ pages }),
        serving: {},
        labels: labels?.() ?? new LabelPolicy({}),
        served,
        slo: slo ?? defaultSloPolicy(),
        links: {},
        timeZone: this.timeZone ?? 'UTC',
        shown: {},
        ...configured?.(),
        accounts: this.#configured,
      }),
      apply: () => [],
      shown: () => '',
    };
  }
}
