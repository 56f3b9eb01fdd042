import type { AccountSettings } from '../config/account-settings.ts';
import { ExporterMetrics } from '../exposition/exporter-metrics.ts';
import { Exposition } from '../exposition/exposition.ts';
import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import { PageRenderer } from '../exposition/page-renderer.ts';
import { createApp } from '../http/create-app.ts';
import { listen, type RunningServer } from '../http/listen.ts';
import type { AccountStatus } from '../http/ports.ts';
import type { WebSecurity } from '../http/web-config/web-security.ts';
import type { Clock } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/random.ts';
import type { Scrubber } from '../lib/secret.ts';
import { ObservedStore } from '../store/observed-store.ts';
import type { Store } from '../store/store.ts';
import { WatchedAccount } from './watched-account.ts';

const drainMilliseconds = 5_000;

export interface ExporterOptions {
  readonly accounts: readonly AccountSettings[];
  /** Labels to promote, in every account; by default none. */
  readonly labels?: LabelPolicy;
  readonly listenAddress: string;
  readonly telemetryPath: string;
  readonly maxRequests: number;
  /** TLS, users and headers; without it plain HTTP for everybody. */
  readonly security?: WebSecurity;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly scrubber: Scrubber;
  /** Closed when the exporter stops. */
  readonly store: Store;
}

/** The whole exporter: accounts are polled, their data shown on a page, the page served. */
export class Exporter {
  readonly #options: ExporterOptions;
  readonly #accounts: readonly WatchedAccount[];
  readonly #exposition: Exposition;
  #server: RunningServer | undefined;

  constructor(options: ExporterOptions) {
    const { clock, random, log, scrubber, version, labels } = options;
    this.#options = options;
    const metrics = new ExporterMetrics({
      build: { version },
      accounts: () => this.#statuses(),
      clock,
    });
    const store = new ObservedStore(options.store, {
      wrote: () => metrics.storeWritten(),
      failed: () => metrics.storeFailed(),
    });
    const renderer = new PageRenderer({
      clock,
      yieldToEventLoop,
      ...(labels !== undefined && { labels }),
      onLabelValuesDropped: (...dropped) => metrics.labelValuesDropped(...dropped),
    });
    this.#exposition = new Exposition({ renderer, metrics });
    this.#accounts = options.accounts.map(
      (settings) =>
        new WatchedAccount({
          settings,
          store,
          metrics,
          clock,
          random,
          log,
          scrubber,
          onChange: () => this.#show(),
        }),
    );
  }

  /** Resolves with the address it serves on; rejects with a `ListenError` when it cannot. */
  async start(): Promise<string> {
    const { clock, log, listenAddress, telemetryPath, maxRequests, version, security } =
      this.#options;
    await Promise.all(this.#accounts.map((account) => account.restore()));
    await this.#exposition.show(this.#snapshots());
    const app = createApp({
      metrics: this.#exposition,
      status: { accounts: () => this.#statuses() },
      health: {
        alive: () => this.#accounts.every((account) => account.alive),
        ready: () => this.#snapshots().some(({ checks }) => checks !== undefined),
      },
      telemetryPath,
      maxRequests,
      version,
      clock,
      logger: log,
      ...(security !== undefined && { security }),
    });
    this.#server = await listen(app, listenAddress, clock, security);
    for (const account of this.#accounts) account.start();
    log.info({ address: this.#server.address, version }, 'serving metrics');
    return this.#server.url;
  }

  /** Stops polling, lets scrapes in flight finish, closes every connection and then the store. */
  async stop(): Promise<void> {
    await Promise.all([
      ...this.#accounts.map((account) => account.stop()),
      this.#server?.close(drainMilliseconds),
    ]);
    await this.#options.store.close();
  }

  #show(): void {
    this.#exposition
      .show(this.#snapshots())
      .catch((error: unknown) => this.#options.log.error({ error }, 'rendering the page failed'));
  }

  #snapshots() {
    return this.#accounts.map((account) => account.snapshot());
  }

  #statuses(): AccountStatus[] {
    return this.#accounts.map((account) => ({
      snapshot: account.snapshot(),
      budget: account.budget(),
      schedule: account.schedule(),
      ...account.outlook(),
    }));
  }
}
