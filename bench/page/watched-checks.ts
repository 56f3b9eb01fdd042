import { setImmediate } from 'node:timers/promises';
import { parseJson } from '../../src/api/http/response.ts';
import { listChecks } from '../../src/api/resources/checks.ts';
import type { MonitoringService } from '../../src/api/service.ts';
import { refreshChecks } from '../../src/datasets/checks.ts';
import { ServiceTime } from '../../src/datasets/refresh-context.ts';
import { Exposition } from '../../src/exposition/exposition.ts';
import type { Page } from '../../src/exposition/page/page.ts';
import { PageRenderer } from '../../src/exposition/page/page-renderer.ts';
import { ExporterMetrics } from '../../src/exposition/self-metrics/exporter-metrics.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { AccountPersistence } from '../../src/state/account-persistence.ts';
import { AccountState } from '../../src/state/account-state.ts';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';
import type { CheckTotals } from '../../src/state/totals.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { listStartSeconds } from './check-list.ts';

/** The bounds that the exporter has by default, in seconds. */
const responseTimeBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Told when a stage of a refresh is over. */
export type StageOver = (stage: Stage) => void;
export const stages = ['parsing', 'decoding', 'tallying', 'storing', 'rendering'] as const;
export type Stage = (typeof stages)[number];

/**
 * One account of the exporter without a network: lists are read, tallied, made durable and shown by the
 * exporter's own code, and only the body of the reply is handed in.
 */
export class WatchedChecks {
  readonly exposition: Exposition;
  readonly #renderer: PageRenderer;
  readonly #store: Store;
  readonly #archive: AccountPersistence;
  readonly #state: AccountState;
  readonly #refresh: ReturnType<typeof refreshChecks>;
  #bodies: Buffer[] = [];
  #nowSeconds = listStartSeconds;
  #stageOver: StageOver = () => {};

  constructor(store: Store) {
    this.#store = store;
    const clock = {
      now: () => this.#nowSeconds * 1000,
      monotonic: () => (this.#nowSeconds - listStartSeconds) * 1000,
    };
    const account = 'main';
    this.#archive = new AccountPersistence({ store, account, clock });
    this.#state = new AccountState({
      account,
      apiVersion: '3.1',
      baseUrl: 'https://api.example.com',
      clock,
      responseTimeBounds,
      persist: async (change) => {
        this.#stageOver('tallying');
        await this.#archive.persistTotals(change);
        this.#stageOver('storing');
      },
    });
    const datasets = ['checks', 'results', 'analyses', 'outages'] as const;
    this.#state.planned(new Map(datasets.map((dataset) => [dataset, 60])));
    for (const dataset of datasets) this.#state.succeeded(dataset, 0);
    const reader = {
      baseUrl: 'https://api.example.com',
      get: async () => {
        const reply = parseJson(this.#bodies.shift() ?? Buffer.alloc(0), 'list_checks');
        this.#stageOver('parsing');
        return reply;
      },
    };
    const service = {
      listChecks: async (signal: AbortSignal) => {
        const listing = await listChecks(reader, signal);
        this.#stageOver('decoding');
        return listing;
      },
    } as MonitoringService;
    const state = this.#state;
    const serviceTime = new ServiceTime({ clock, state });
    const context = { service, state, clock, serviceTime, responseTimeBounds, byCountry: false };
    this.#refresh = refreshChecks(context, new Map());
    this.#renderer = new PageRenderer({
      clock: { monotonic: () => performance.now() },
      yieldToEventLoop: () => setImmediate(),
    });
    const metrics = new ExporterMetrics({
      build: { version: 'bench' },
      accounts: () => [
        {
          snapshot: this.#state.snapshot(),
          budget: {
            mode: 'learning',
            windows: {},
            requestsPerSecond: 1,
            paused: false,
            inFlight: 0,
          },
          schedule: {
            demandRequestsPerSecond: 1,
            missingRequestsPerSecond: {},
            items: { status: 0, event: 0, background: 0 },
            oldestDueSeconds: 0,
          },
        },
      ],
      clock,
    });
    this.exposition = new Exposition({ renderer: this.#renderer, metrics });
  }

  static async open(path: string): Promise<WatchedChecks> {
    const { store } = await openSqliteStore({ path, now: Date.now });
    return new WatchedChecks(store);
  }

  /** Reads the pages of a list that the service made in a minute after the first, up to the page that shows it. */
  async refresh(
    bodies: readonly Buffer[],
    minute: number,
    stageOver: StageOver = () => {},
  ): Promise<void> {
    this.#bodies = [...bodies];
    this.#nowSeconds = listStartSeconds + minute * 60;
    this.#stageOver = stageOver;
    await this.#refresh(0, new AbortController().signal);
    await this.#archive.persistParts(this.#state, new Map());
    await setImmediate();
    stageOver('storing');
    await this.show();
    stageOver('rendering');
    this.#stageOver = () => {};
  }

  /** Books a day of results for each check, so that the histograms are not empty. */
  async bookResults(): Promise<void> {
    await this.#state.commit(() => {
      const checks = new Map<number, CheckTotals>();
      for (const { entry, totals } of this.#state.checks.records()) {
        const { results } = totals;
        const counts = results.responseTimes.counts.map((_, bucket) =>
          Math.floor(hashUnit(entry.id, 10 + bucket) * 8),
        );
        const up = counts.reduce((sum, count) => sum + count, 0);
        checks.set(entry.id, {
          ...totals,
          results: {
            ...results,
            counts: { up, down: 1, unconfirmed_down: 0, unknown: 0 },
            responseTimes: { ...results.responseTimes, counts, sumMilliseconds: up * 371 },
          },
        });
      }
      return { checks };
    });
    await this.show();
  }

  page(): Promise<Page> {
    return this.#renderer.render([this.#state.snapshot()]);
  }

  snapshot(): AccountSnapshot {
    return this.#state.snapshot();
  }

  async show(): Promise<void> {
    await this.exposition.show([this.#state.snapshot()]);
  }

  /** What a start takes up from the store. */
  async restore(): Promise<void> {
    const { documents: _documents, ...restored } = await this.#archive.load();
    this.#state.restore(restored);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
