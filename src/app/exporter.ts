import type { Configuration } from '../config/configuration.ts';
import { defaultServing, effectiveRoutePrefix } from '../config/serving.ts';
import { ServedFamilies } from '../exposition/catalogue/served-families.ts';
import { Exposition } from '../exposition/exposition.ts';
import { PageRenderer } from '../exposition/page/page-renderer.ts';
import { ExporterMetrics } from '../exposition/self-metrics/exporter-metrics.ts';
import type { LastReload, UnreadyReason } from '../http/ports.ts';
import { PublicPages } from '../http/public/public-pages.ts';
import { createApp } from '../http/server/create-app.ts';
import { listenOnAll, type RunningServer } from '../http/server/listen.ts';
import type { ListenOn } from '../http/server/listen-address.ts';
import type { WebSecurity } from '../http/web-config/web-security.ts';
import type { Clock } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Log } from '../lib/log.ts';
import { present } from '../lib/present.ts';
import type { Random } from '../lib/random.ts';
import type { Scrubber } from '../lib/secret.ts';
import type { Workload } from '../lib/workload.ts';
import { type Ownership, type Sharing, soleOwnership } from '../ownership.ts';
import type { Store } from '../store/store.ts';
import type { AccountChanges } from './account-changes.ts';
import type { NewClient } from './account-service.ts';
import type { KnownAccount } from './account-status.ts';
import { Accounts } from './accounts.ts';
import { features } from './features.ts';
import { LiveSettings } from './live-settings.ts';
import { Reloader, type RunningConfiguration } from './reload.ts';
import { ShownPage } from './shown-page.ts';
import { startExporter } from './start.ts';
import { Storage } from './storage.ts';
import type { Build } from './version.ts';

const drainMilliseconds = 5_000;
const defaultBatchIntervalMilliseconds = 1_000;

/** By default `metrics: lean`, without promoted labels, groups, links and public pages, and the default objective. */
export interface ExporterOptions extends Partial<Configuration> {
  readonly accounts: Configuration['accounts'];
  /** One or more addresses; by default those of `serving`. */
  readonly listenOn?: readonly ListenOn[];
  readonly security?: WebSecurity;
  readonly build: Build;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly scrubber: Scrubber;
  /**
   * The minimum time between two renderings of the page, and between two writes of the state
   * without the totals. The first change after an idle time is shown at once. By default a second.
   * Renderings that take long begin at up to twice this interval.
   */
  readonly batchIntervalMilliseconds?: number;
  /** Closed when the exporter stops. */
  readonly store: Store;
  /** With it, other processes share the accounts of the store. */
  readonly sharing?: Sharing;
  readonly workload?: Workload;
  /** Absent if there is no configuration to reload. */
  readonly configuration?: RunningConfiguration;
  /** Creates the client of an account; by default one that uses the network. */
  readonly newClient?: NewClient;
  /** Serves the application; by default on the addresses of `listenOn`. */
  readonly listen?: typeof listenOnAll;
}

/** The whole exporter: polls accounts, renders their data to a page and serves it. */
export class Exporter {
  readonly #options: ExporterOptions;
  readonly #accounts: Accounts;
  readonly #ownership: Ownership;
  readonly #exposition: Exposition;
  readonly #page: ShownPage;
  readonly #metrics: ExporterMetrics;
  readonly #reloader: Reloader | undefined;
  readonly #settings: LiveSettings;
  readonly #storage: Storage;
  #servers: readonly RunningServer[] = [];
  #isRestored = false;

  constructor(options: ExporterOptions) {
    const { clock, random, log, scrubber, build, labels, configuration } = options;
    const { served = ServedFamilies.lean } = options;
    this.#options = options;
    this.#settings = new LiveSettings(options);
    const metrics = new ExporterMetrics({
      build,
      accounts: () => this.#accounts.shown.map((account) => account.view()),
      exporter: () =>
        present({ removedAccounts: this.#accounts.removed(), leases: this.#ownership.view() }),
      clock,
      served,
    });
    this.#metrics = metrics;
    this.#storage = new Storage({
      store: options.store,
      metrics,
      clock,
      log,
      onFenced: (account) => this.#ownership.fenced(account),
    });
    const renderer = new PageRenderer(present({ clock, yieldToEventLoop, served, labels }));
    this.#exposition = new Exposition({ renderer, metrics });
    const { batchIntervalMilliseconds = defaultBatchIntervalMilliseconds } = options;
    const pace = {
      clock,
      minIntervalMilliseconds: batchIntervalMilliseconds,
      maxIntervalMilliseconds: 2 * batchIntervalMilliseconds,
    };
    this.#page = new ShownPage({
      exposition: this.#exposition,
      accounts: () => this.#accounts,
      pace,
      log,
      workload: options.workload,
    });
    this.#accounts = new Accounts({
      store: this.#storage,
      policies: this.#settings.policies,
      metrics,
      clock,
      random,
      log,
      scrubber,
      batchIntervalMilliseconds,
      ownership: {
        isShared: options.sharing !== undefined,
        trusts: (account) => this.#ownership.trusts(account),
        isElsewhere: (account) => this.#ownership.isElsewhere(account),
      },
      onChange: () => this.#page.ask(),
      ...present({
        newClient: options.newClient,
      }),
    });
    this.#ownership =
      options.sharing?.owner({
        accounts: this.#accounts,
        clock,
        log,
        show: () => this.#page.showNow(),
        onGone: (account) => metrics.forget(account),
        onBeat: (seconds) => metrics.databaseRequested(seconds),
      }) ?? soleOwnership;
    if (configuration === undefined) return;
    this.#reloader = new Reloader({
      read: () => configuration.read(),
      shown: () => configuration.shown(),
      apply: async (read) => {
        const changes = await this.#apply(read);
        return { ...changes, sections: configuration.apply(read) };
      },
      onReload: (last) => metrics.reloaded(last),
      clock,
      log,
      scrubber,
    });
  }

  /**
   * Starts as `startExporter` describes. Resolves with the URL of the first server; rejects with a
   * `ListenError` if it cannot listen.
   */
  async start(): Promise<string> {
    const { accounts, changedAtSeconds, build, log } = this.#options;
    const { version } = build;
    await startExporter({
      createAccounts: () => this.#accounts.create(accounts, changedAtSeconds),
      listen: async () => {
        this.#servers = await this.#listen();
      },
      accounts: this.#accounts,
      ownership: this.#ownership,
      page: this.#page,
      restored: () => {
        this.#isRestored = true;
        for (const { address } of this.#servers) log.info({ address, version }, 'serving metrics');
      },
    });
    const [first] = this.#servers;
    return `${first?.url}${this.#routePrefix}`;
  }

  /** Until the state is restored, every request except health checks and webhooks gets 503. */
  #listen(): Promise<readonly RunningServer[]> {
    const { clock, log: logger, security, build, listen = listenOnAll } = this.#options;
    const serving = { ...defaultServing, ...this.#options.serving };
    const { listenOn = serving.listenAddresses } = this.#options;
    const { telemetryPath, maxRequests, unauthenticatedProbes, externalUrl } = serving;
    const routePrefix = this.#routePrefix;
    const reach = {
      ...present({ security }),
      ...(externalUrl !== undefined && { externalUrl: new URL(externalUrl) }),
    };
    const isRestored = () => this.#isRestored;
    const status = {
      accounts: () => this.#statuses(),
      replicas: () => this.#ownership.view(),
      largePage: () => this.#page.large,
      served: () => ({ mode: this.#metrics.served.mode, series: this.#exposition.series }),
    };
    const app = createApp({
      metrics: this.#page.source,
      isRestored,
      compatOptions: () => this.#settings.compat,
      status,
      health: {
        alive: () => !this.#isRestored || this.#accounts.all.every((account) => account.alive),
        unready: () => this.#unready,
      },
      routes: (site) =>
        features.flatMap((feature) =>
          feature.routes({
            status,
            clock,
            site,
            shown: () => this.#accounts.shown.flatMap((account) => account.features),
          }),
        ),
      hooks: () => this.#accounts.hooks((account) => this.#ownership.call(account)),
      telemetryPath,
      maxRequests,
      unauthenticatedProbes,
      routePrefix,
      version: build.version,
      clock,
      links: () => this.#settings.links,
      logger,
      ...reach,
      ...present({ configuration: this.#reloader }),
      storage: this.#storage,
    });
    const publicPages = new PublicPages({
      pages: () => this.#settings.pages,
      status,
      clock,
      timeZone: () => this.#settings.policies.calendar.zone,
      isRestored,
      logger,
      routePrefix,
    });
    return listen(app, listenOn, clock, { ...reach, publicPages, log: logger });
  }

  get #routePrefix(): string {
    return effectiveRoutePrefix(this.#options.serving ?? {});
  }

  /** Reads the configuration again, if there is one, and applies it. */
  async reload(): Promise<LastReload | undefined> {
    return this.#reloader?.reload();
  }

  /** Stops polling, lets running scrapes finish, closes all connections and then the store. */
  async stop(): Promise<void> {
    await this.#reloader?.end();
    const closing = this.#servers.map((server) => server.close(drainMilliseconds));
    await this.#ownership.stop();
    await Promise.all([this.#accounts.stop(), ...closing]);
    await this.#page.stop();
    await this.#options.store.close();
  }

  get #unready(): UnreadyReason | undefined {
    if (this.#hasData) return undefined;
    const shared = this.#ownership.view();
    if (shared?.isDatabaseUp === false) return 'no database';
    // This replica owns no account, and knows it.
    const isIdle = shared !== undefined && this.#accounts.all.length === 0;
    return isIdle ? undefined : 'no data';
  }

  get #hasData(): boolean {
    return this.#accounts.all.some(({ state }) => state.datasets.of('checks').hasSucceeded);
  }

  async #apply(configuration: Configuration): Promise<AccountChanges> {
    const { accounts, labels, served, changedAtSeconds } = configuration;
    const changes = await this.#accounts.replace(accounts, changedAtSeconds);
    for (const account of changes.removed) this.#metrics.forget(account);
    this.#exposition.configure(labels, served);
    this.#settings.replace(configuration);
    this.#ownership.configured();
    await this.#page.showNow();
    return changes;
  }

  #statuses(): KnownAccount[] {
    return this.#accounts.shown.map((account) => account.status());
  }
}
