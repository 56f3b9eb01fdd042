import { createHash } from 'node:crypto';
import type { AccountSettings } from '../config/account.ts';
import type { Configuration } from '../config/configuration.ts';
import type { AccountView } from '../exposition/catalogue/family.ts';
import { type CompatOptions, defaultCompatOptions } from '../exposition/compat/compat-options.ts';
import { Exposition } from '../exposition/exposition.ts';
import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import { PageRenderer } from '../exposition/page/page-renderer.ts';
import { ExporterMetrics } from '../exposition/self-metrics/exporter-metrics.ts';
import type {
  AccountStatus,
  BackupResult,
  ConfigurationSource,
  PageLinks,
  StorageFailure,
  StorageSource,
} from '../http/ports.ts';
import { createApp } from '../http/server/create-app.ts';
import { type ListenOn, listenOnAll, type RunningServer } from '../http/server/listen.ts';
import type { WebSecurity } from '../http/web-config/web-security.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { Coalescer } from '../lib/coalescer.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Log } from '../lib/log.ts';
import { present } from '../lib/present.ts';
import type { Random } from '../lib/random.ts';
import type { Scrubber } from '../lib/secret.ts';
import { ObservedStore } from '../store/observed-store.ts';
import { type LostRecord, lostRecordKinds, type Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { defaultSloPolicy, type SloPolicy } from '../windows/groups.ts';
import { AcceptedClients } from './accepted-clients.ts';
import { type AccountChanges, Accounts } from './accounts.ts';
import { Reloader, type RunningConfiguration } from './reload.ts';
import type { PageSources, StoredPage } from './stored-page.ts';
import { type Build, programText } from './version.ts';

const drainMilliseconds = 5_000;
const defaultBatchIntervalMilliseconds = 1_000;

export interface ExporterOptions {
  readonly accounts: readonly AccountSettings[];
  /** Labels to promote in every account; by default none. */
  readonly labels?: LabelPolicy;
  /** Objectives and groups, in every account; by default the default objective and no groups. */
  readonly slo?: SloPolicy;
  /** Where pages lead to outside of the exporter; by default nowhere. */
  readonly links?: PageLinks;
  /** For scrapes with the families of other exporters. */
  readonly compat?: CompatOptions;
  /** One or more. */
  readonly listenOn: readonly ListenOn[];
  readonly telemetryPath: string;
  readonly maxRequests: number;
  readonly unauthenticatedProbes?: boolean;
  readonly routePrefix?: string;
  readonly externalUrl?: URL;
  /** TLS, users and headers; without it, plain HTTP without authentication. */
  readonly security?: WebSecurity;
  readonly build: Build;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly scrubber: Scrubber;
  /**
   * Changes within this time are shown together, the first after a lull at once; so is stored what is kept beside the
   * totals, which a crash may cost. A second by default.
   */
  readonly batchIntervalMilliseconds?: number;
  /** Closed when the exporter stops. */
  readonly store: Store;
  /** The page that outlives the process; absent where none does. */
  readonly storedPage?: StoredPage;
  /** Absent when there is no configuration to reload. */
  readonly configuration?: RunningConfiguration;
}

/** The whole exporter: polls accounts, renders their data to a page and serves it. */
export class Exporter {
  readonly #options: ExporterOptions;
  readonly #accounts: Accounts;
  readonly #exposition: Exposition;
  readonly #showing: Coalescer;
  readonly #metrics: ExporterMetrics;
  readonly #reloader: Reloader | undefined;
  #slo: SloPolicy;
  #links: PageLinks;
  #compat: CompatOptions;
  readonly #store: ObservedStore;
  readonly #acceptedClients: AcceptedClients;
  #storageFailure: StorageFailure | undefined;
  #servers: readonly RunningServer[] = [];
  #isStarted = false;
  #tellStarted: () => void = () => {};
  readonly #started = new Promise<void>((resolve) => {
    this.#tellStarted = resolve;
  });

  constructor(options: ExporterOptions) {
    const { clock, random, log, scrubber, build, labels, configuration } = options;
    this.#options = options;
    this.#slo = options.slo ?? defaultSloPolicy();
    this.#links = options.links ?? {};
    this.#compat = options.compat ?? defaultCompatOptions;
    const metrics = new ExporterMetrics({
      build,
      accounts: () => this.#statuses(),
      clock,
    });
    this.#metrics = metrics;
    const store = new ObservedStore(options.store, {
      wrote: () => {
        this.#storageFailure = undefined;
        metrics.storeWritten();
      },
      failed: ({ reason, message }) => {
        const sinceSeconds = this.#storageFailure?.sinceSeconds ?? unixSeconds(clock);
        this.#storageFailure = { reason, message, sinceSeconds };
        metrics.storeFailed();
      },
      lost: (account, records) => this.#lost(account, records),
    });
    metrics.storeRecordsLost(new Map(lostRecordKinds.map((kind) => [kind, 0])));
    this.#store = store;
    this.#acceptedClients = new AcceptedClients(store, clock);
    const renderer = new PageRenderer({
      clock,
      yieldToEventLoop,
      ...(labels !== undefined && { labels }),
      onLabelValuesDropped: (...dropped) => metrics.labelValuesDropped(...dropped),
    });
    this.#exposition = new Exposition({ renderer, metrics });
    const { batchIntervalMilliseconds = defaultBatchIntervalMilliseconds } = options;
    const pace = { clock, minIntervalMilliseconds: batchIntervalMilliseconds };
    this.#showing = new Coalescer(() => this.#show(), pace);
    this.#accounts = new Accounts({
      store,
      slo: () => this.#slo,
      metrics,
      clock,
      random,
      log,
      scrubber,
      batchIntervalMilliseconds,
      onChange: () => this.#showing.ask(),
    });
    if (configuration === undefined) return;
    this.#reloader = new Reloader({
      read: () => configuration.read(),
      apply: async (read) => {
        const changes = await this.#apply(read);
        configuration.apply(read);
        return changes;
      },
      onReload: (last) => metrics.reloaded(last),
      clock,
      log,
      scrubber,
    });
  }

  /** Resolves with the URL of the first server; rejects with a `ListenError` when it cannot listen. */
  async start(): Promise<string> {
    const { clock, log, listenOn, telemetryPath, maxRequests, build } = this.#options;
    const { unauthenticatedProbes, routePrefix, externalUrl, security } = this.#options;
    const { version } = build;
    const reach = present({ externalUrl, security });
    if (security !== undefined) await this.#acceptedClients.restore();
    const stored = await this.#storedPage?.take(() => this.#pageSources());
    if (stored === undefined) await this.#restore();
    else this.#exposition.restore(stored);
    const app = createApp({
      metrics: this.#exposition,
      started: this.#started,
      compatOptions: () => this.#compat,
      status: { accounts: () => this.#statuses() },
      health: {
        alive: () => this.#accounts.all.every((account) => account.alive),
        ready: () => this.#exposition.servesRestored || this.#hasData,
      },
      hooks: () => this.#accounts.all.flatMap(({ hook }) => hook ?? []),
      telemetryPath,
      maxRequests,
      version,
      clock,
      links: () => this.#links,
      logger: log,
      ...reach,
      knownClients: this.#acceptedClients,
      ...present({ unauthenticatedProbes, routePrefix }),
      ...this.#configurationSource(),
      storage: this.#storageSource(),
    });
    this.#servers = await listenOnAll(app, listenOn, clock, reach);
    for (const { address } of this.#servers) log.info({ address, version }, 'serving metrics');
    if (stored !== undefined) await this.#restore();
    this.#accounts.start();
    this.#isStarted = true;
    this.#tellStarted();
    const [first] = this.#servers;
    return `${first?.url}${routePrefix ?? ''}`;
  }

  /** Loads the state and renders the first page of it. */
  async #restore(): Promise<void> {
    await this.#accounts.restore(this.#options.accounts);
    await this.#exposition.show(this.#snapshots());
  }

  /** Reads the configuration again, if there is one, and applies it. */
  async reload(): Promise<void> {
    await this.#reloader?.reload();
  }

  /** Stops polling, lets running scrapes finish, closes all connections and then the store. */
  async stop(): Promise<void> {
    await this.#reloader?.end();
    const closing = this.#servers.map((server) => server.close(drainMilliseconds));
    await Promise.all([this.#accounts.stop(), ...closing]);
    await this.#showing.stop();
    await this.#acceptedClients.stop();
    await this.#storePage();
    await this.#options.store.close();
  }

  /** Unless the store may lack what is shown, or the page goes back on accounts that are gone. */
  async #storePage(): Promise<void> {
    const storedPage = this.#storedPage;
    const isStored = this.#isStarted && this.#storageFailure === undefined && this.#hasData;
    if (!isStored || this.#accounts.departedSnapshots().length > 0) return;
    await storedPage?.put(
      () => this.#pageSources(),
      async () => {
        const holdsForSeconds = this.#accounts.all.map((account) => account.settleWindows());
        const page = await this.#exposition.show(this.#snapshots());
        return { page, holdsForSeconds: Math.min(...holdsForSeconds) };
      },
    );
  }

  /** Of a store that tells whether it is still the same. */
  get #storedPage(): StoredPage | undefined {
    return this.#store.fingerprint && this.#options.storedPage;
  }

  get #hasData(): boolean {
    return this.#accounts.all.some((account) => account.hasChecks);
  }

  async #pageSources(): Promise<PageSources> {
    const { build, configuration } = this.#options;
    return {
      program: programText(build),
      configuration: createHash('sha256')
        .update(configuration?.shown() ?? '')
        .digest('hex'),
      store: (await this.#store.fingerprint?.()) ?? '',
    };
  }

  async #apply({ accounts, labels, slo, links, compat }: Configuration): Promise<AccountChanges> {
    const changes = await this.#accounts.replace(accounts);
    for (const account of changes.removed) this.#metrics.forget(account);
    this.#exposition.relabel(labels);
    this.#slo = slo;
    this.#links = links;
    this.#compat = compat ?? defaultCompatOptions;
    await this.#show();
    return changes;
  }

  #configurationSource(): { readonly configuration?: ConfigurationSource } {
    const { configuration } = this.#options;
    const reloader = this.#reloader;
    if (configuration === undefined || reloader === undefined) return {};
    return {
      configuration: {
        shown: () => configuration.shown(),
        reload: () => reloader.reload(),
        get last() {
          return reloader.last;
        },
      },
    };
  }

  #storageSource(): StorageSource {
    const failure = () => this.#storageFailure;
    const backup = this.#store.backup;
    return {
      get failure() {
        return failure();
      },
      ...(backup !== undefined && { backup: () => this.#backup(backup) }),
    };
  }

  async #backup(write: () => Promise<string>): Promise<BackupResult> {
    const { log } = this.#options;
    try {
      const path = await write();
      log.info({ path }, 'backup written');
      return { path };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.error({ reason: error.reason, error: error.message }, 'backup failed');
      return { failure: error.message };
    }
  }

  #lost(account: string, records: readonly LostRecord[]): void {
    const counts = new Map<string, number>();
    for (const { kind, name, reason } of records) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      this.#options.log.error(
        { account, kind, name, reason },
        'stored record lost; its counters restart at 0, other data is fetched again',
      );
    }
    this.#metrics.storeRecordsLost(counts);
  }

  async #show(): Promise<void> {
    try {
      await this.#exposition.show(this.#snapshots());
    } catch (error) {
      this.#options.log.error({ error }, 'page rendering failed');
    }
  }

  #snapshots() {
    const current = this.#accounts.all.map((account) => account.snapshot());
    return [...current, ...this.#accounts.departedSnapshots()];
  }

  #statuses(): (AccountStatus & AccountView)[] {
    return this.#accounts.all.map((account) => ({
      snapshot: account.snapshot(),
      budget: account.budget(),
      ...account.statusDetails(),
    }));
  }
}
