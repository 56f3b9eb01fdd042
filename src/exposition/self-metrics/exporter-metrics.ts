import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type LabelValues,
  Registry,
} from 'prom-client';
import { type ApiErrorReason, apiErrorReasons } from '../../api/errors.ts';
import type { AttemptResult } from '../../api/http/attempt.ts';
import { operationsOf } from '../../api/operations-table.ts';
import { type RejectionReason, rejectionReasons } from '../../api/service.ts';
import { type DatasetName, datasetNames } from '../../domain/dataset.ts';
import { type Clock, unixSeconds } from '../../lib/clock.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { AccountView, HistogramFamily, RecordedFamily } from '../catalogue/family.ts';
import { recordedFamilies as families } from '../catalogue/recorded-families.ts';
import type { Format } from '../formats.ts';
import type { Page } from '../page/page.ts';
import { registryText, viewText } from './metrics-text.ts';

/** Creates a prom-client metric from a row of the catalogue. */
function counter<L extends string>(row: RecordedFamily<L>, registry: Registry): Counter<L> {
  return new Counter(configuration(row, registry));
}

function gauge<L extends string>(row: RecordedFamily<L>, registry: Registry): Gauge<L> {
  return new Gauge(configuration(row, registry));
}

function histogram<L extends string>(row: HistogramFamily<L>, registry: Registry): Histogram<L> {
  return new Histogram({ ...configuration(row, registry), buckets: [...row.buckets] });
}

/** Removes the series of an account. */
async function removeAccount<L extends string>(
  metric: Counter<L> | Gauge<L> | Histogram<L>,
  account: string,
): Promise<void> {
  for (const { labels } of (await metric.get()).values) {
    const { le: _bound, ...own }: Record<string, unknown> = labels;
    if (own.account === account) metric.remove(own as LabelValues<L>);
  }
}

function configuration<L extends string>(row: RecordedFamily<L>, registry: Registry) {
  return { name: row.name, help: row.help, labelNames: row.labels, registers: [registry] };
}

/**
 * Gauges with the name of a counter, which promtool rejects, and the gauges they sum up, whose label `type`
 * clashes with a common target label.
 */
const removedMetrics = ['handles', 'requests', 'resources'].flatMap((kind) => [
  `nodejs_active_${kind}`,
  `nodejs_active_${kind}_total`,
]);

/** Adds prom-client's `process_*` and `nodejs_*` families to a registry. */
function collectRuntimeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of removedMetrics) registry.removeSingleMetric(name);
}

interface ExporterMetricsOptions {
  readonly build: { readonly version: string; readonly revision?: string };
  /** Read at each scrape. */
  readonly accounts: () => readonly AccountView[];
  readonly clock: Pick<Clock, 'now'>;
}

/** One request to the API, successful or not. */
interface AccountAttempt extends AttemptResult {
  readonly account: string;
}

/** Datasets without lists, so that no entry can be rejected. */
const withoutEntries: ReadonlySet<DatasetName> = new Set(['credits', 'detail']);

/** The exporter's metrics about itself. */
export class ExporterMetrics {
  readonly #registry = new Registry();
  readonly #accounts: () => readonly AccountView[];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #started = new Set<string>();
  readonly #datasetErrors: Counter<'account' | 'dataset' | 'reason'>;
  readonly #rejectedEntries: Counter<'account' | 'dataset' | 'reason'>;
  readonly #apiRequests: Counter<'account' | 'operation' | 'code'>;
  readonly #apiRequestDuration: Histogram<'account' | 'operation'>;
  readonly #apiResponseBytes: Counter<'account' | 'operation'>;
  readonly #apiClockOffset: Gauge<'account'>;
  readonly #pollerErrors: Counter<'account'>;
  readonly #probeRequests: Counter<'account'>;
  readonly #series: Gauge;
  readonly #pageBytes: Gauge<'encoding'>;
  readonly #renderSeconds: Gauge;
  readonly #storeWrites: Counter;
  readonly #storeErrors: Counter;
  readonly #storeLastWrite: Gauge;
  readonly #storeRecordsLost: Counter<'kind'>;
  readonly #storeFailing: Gauge;
  readonly #labelValuesDropped: Counter<'account' | 'label'>;
  readonly #configReloadSuccessful: Gauge;
  readonly #configReloadSuccess: Gauge;

  constructor({ build, accounts, clock }: ExporterMetricsOptions) {
    const registry = this.#registry;
    this.#accounts = accounts;
    this.#clock = clock;
    gauge(families.buildInfo, registry).set({ revision: '', ...build }, 1);
    this.#datasetErrors = counter(families.datasetErrors, registry);
    this.#rejectedEntries = counter(families.rejectedEntries, registry);
    this.#apiRequests = counter(families.apiRequests, registry);
    this.#apiRequestDuration = histogram(families.apiRequestDuration, registry);
    this.#apiResponseBytes = counter(families.apiResponseBytes, registry);
    this.#apiClockOffset = gauge(families.apiClockOffset, registry);
    this.#pollerErrors = counter(families.pollerErrors, registry);
    this.#probeRequests = counter(families.probeRequests, registry);
    this.#series = gauge(families.series, registry);
    this.#pageBytes = gauge(families.pageBytes, registry);
    this.#renderSeconds = gauge(families.renderSeconds, registry);
    this.#storeWrites = counter(families.storeWrites, registry);
    this.#storeErrors = counter(families.storeErrors, registry);
    this.#storeLastWrite = gauge(families.storeLastWrite, registry);
    this.#storeLastWrite.remove();
    this.#storeRecordsLost = counter(families.storeRecordsLost, registry);
    this.#storeFailing = gauge(families.storeFailing, registry);
    this.#labelValuesDropped = counter(families.labelValuesDropped, registry);
    this.#configReloadSuccessful = gauge(families.configReloadSuccessful, registry);
    this.#configReloadSuccess = gauge(families.configReloadSuccess, registry);
    this.reloaded({ successful: true, succeededAtSeconds: unixSeconds(clock) });
    collectRuntimeMetrics(registry);
  }

  attempted({ account, operation, code, ...attempt }: AccountAttempt): void {
    const { durationSeconds, responseBytes, clockOffsetSeconds } = attempt;
    this.#apiRequests.inc({ account, operation, code });
    this.#apiRequestDuration.observe({ account, operation }, durationSeconds);
    this.#apiResponseBytes.inc({ account, operation }, responseBytes);
    if (clockOffsetSeconds !== undefined) this.#apiClockOffset.set({ account }, clockOffsetSeconds);
  }

  probeSent(account: string): void {
    this.#probeRequests.inc({ account });
  }

  pollerFailed(account: string): void {
    this.#pollerErrors.inc({ account });
  }

  datasetFailed(account: string, dataset: DatasetName, reason: ApiErrorReason): void {
    this.#datasetErrors.inc({ account, dataset, reason });
  }

  rejected(account: string, dataset: DatasetName, reason: RejectionReason, count: number): void {
    this.#rejectedEntries.inc({ account, dataset, reason }, count);
  }

  rendered(page: Page): void {
    this.#series.set(page.series);
    this.#pageBytes.set({ encoding: 'identity' }, page.bytes.identity);
    this.#pageBytes.set({ encoding: 'gzip' }, page.bytes.gzip);
    this.#renderSeconds.set(page.renderSeconds);
  }

  storeWritten(): void {
    this.#storeWrites.inc();
    this.#storeFailing.set(0);
    this.#storeLastWrite.set(unixSeconds(this.#clock));
  }

  storeFailed(): void {
    this.#storeErrors.inc();
    this.#storeFailing.set(1);
  }

  /** Every kind that there is, also those of which 0 were lost. */
  storeRecordsLost(counts: ReadonlyMap<string, number>): void {
    for (const [kind, count] of counts) this.#storeRecordsLost.inc({ kind }, count);
  }

  labelValuesDropped(account: string, label: string, count: number): void {
    this.#labelValuesDropped.inc({ account, label }, count);
  }

  reloaded(last: { readonly successful: boolean; readonly succeededAtSeconds: number }): void {
    this.#configReloadSuccessful.set(Number(last.successful));
    this.#configReloadSuccess.set(last.succeededAtSeconds);
  }

  /** Removes the series of an account that is no longer monitored. */
  async forget(account: string): Promise<void> {
    this.#started.delete(account);
    for (const dataset of datasetNames) this.#started.delete(`${dataset} ${account}`);
    await removeAccount(this.#datasetErrors, account);
    await removeAccount(this.#rejectedEntries, account);
    await removeAccount(this.#apiRequests, account);
    await removeAccount(this.#apiRequestDuration, account);
    await removeAccount(this.#apiResponseBytes, account);
    await removeAccount(this.#apiClockOffset, account);
    await removeAccount(this.#probeRequests, account);
    await removeAccount(this.#pollerErrors, account);
    await removeAccount(this.#labelValuesDropped, account);
  }

  /** The current metrics, without the end marker of OpenMetrics. */
  async text(format: Format): Promise<string> {
    const accounts = this.#accounts();
    for (const { snapshot } of accounts) this.#startCounters(snapshot);
    const now = this.#clock.now() / 1000;
    return viewText(accounts, now, format) + (await registryText(this.#registry, format));
  }

  /** Counters start at 0: one that appeared with its first event would hide that event from `rate`. */
  #startCounters({ account, apiVersion, datasets }: AccountSnapshot): void {
    if (!this.#started.has(account)) {
      this.#started.add(account);
      this.#probeRequests.inc({ account }, 0);
      this.#pollerErrors.inc({ account }, 0);
      for (const operation of operationsOf(apiVersion)) {
        this.#apiRequests.inc({ account, operation, code: '200' }, 0);
      }
    }
    for (const dataset of datasetNames) {
      const key = `${dataset} ${account}`;
      if (datasets[dataset] === undefined || this.#started.has(key)) continue;
      this.#started.add(key);
      for (const reason of Object.keys(apiErrorReasons)) {
        this.#datasetErrors.inc({ account, dataset, reason }, 0);
      }
      if (withoutEntries.has(dataset)) continue;
      for (const reason of rejectionReasons) {
        const isOfTimes = reason === 'transaction_response_unit';
        if (isOfTimes && dataset !== 'transaction_performance') continue;
        this.#rejectedEntries.inc({ account, dataset, reason }, 0);
      }
    }
  }
}
