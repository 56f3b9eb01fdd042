import { collectDefaultMetrics, Registry } from 'prom-client';
import { type ApiErrorReason, apiErrorReasons } from '../../api/errors.ts';
import type { AttemptResult } from '../../api/http/attempt.ts';
import { type RejectionReason, rejectionReasons } from '../../api/service.ts';
import { type DatasetName, datasetNames, operationsOf } from '../../domain/dataset.ts';
import { type ReadableClock, unixSeconds } from '../../lib/clock.ts';
import type { AccountSummary } from '../../state/snapshot.ts';
import { accountViewFamilies } from '../catalogue/account-view-families.ts';
import { exporterViewFamilies } from '../catalogue/exporter-view-families.ts';
import type {
  AccountView,
  ExporterView,
  Family,
  SampledFamily,
  ScrapedAccount,
} from '../catalogue/family.ts';
import { ServedFamilies } from '../catalogue/served-families.ts';
import type { Format } from '../formats.ts';
import type { Page } from '../page/page.ts';
import { commonLabelText, familyText, rowsText } from '../text-format.ts';
import { registryText } from './metrics-text.ts';
import { recordersOfCatalogue } from './recorder.ts';

/**
 * Metrics of prom-client that are not served: gauges whose names end in `_total`, which promtool
 * rejects, and the gauges that these sum up, whose label `type` clashes with a common target label.
 */
const removedMetrics = ['handles', 'requests', 'resources'].flatMap((kind) => [
  `nodejs_active_${kind}`,
  `nodejs_active_${kind}_total`,
]);

/** Milliseconds between samples. The default, 10, would be most of an idle process's work. */
const eventLoopMonitoringPrecision = 20;

/** Adds prom-client's `process_*` and `nodejs_*` families to a registry. */
function collectRuntimeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  for (const name of removedMetrics) registry.removeSingleMetric(name);
}

interface ExporterMetricsOptions {
  readonly build: { readonly version: string; readonly revision?: string };
  /** Read at each scrape. */
  readonly accounts: () => readonly AccountView[];
  /** Read at each scrape. */
  readonly exporter?: () => ExporterView;
  readonly clock: ReadableClock;
  /** By default those of `metrics: lean`. */
  readonly served?: ServedFamilies;
}

/** One request to the API, successful or not. */
interface AccountAttempt extends Omit<AttemptResult, 'path'> {
  readonly account: string;
}

/** Datasets without lists, so that no entry can be rejected. */
const withoutEntries: ReadonlySet<DatasetName> = new Set(['credits', 'detail']);

/** Reasons that occur in some datasets only. */
const datasetsOfReason: { readonly [R in RejectionReason]?: readonly DatasetName[] } = {
  transaction_response_unit: ['transaction_performance'],
  unknown_word: ['checks', 'transactions'],
  not_listed: ['actions'],
};

/** The exporter's metrics about itself. */
export class ExporterMetrics {
  readonly #registry = new Registry();
  readonly #options: ExporterMetricsOptions;
  served: ServedFamilies;
  readonly #started = new Set<string>();
  readonly #recorded = recordersOfCatalogue();

  constructor(options: ExporterMetricsOptions) {
    const { build, clock } = options;
    this.#options = options;
    this.served = options.served ?? ServedFamilies.lean;
    const { buildInfo, storeWrites, storeErrors } = this.#recorded;
    const { series, renderSeconds, storeFailing } = this.#recorded;
    buildInfo.set({ revision: '', branch: '', ...build }, 1);
    for (const counter of [storeWrites, storeErrors]) counter.inc({}, 0);
    for (const gauge of [series, renderSeconds, storeFailing]) gauge.set({}, 0);
    this.reloaded({ successful: true, succeededAtSeconds: unixSeconds(clock) });
    collectRuntimeMetrics(this.#registry);
  }

  attempted({ account, operation, code, ...attempt }: AccountAttempt): void {
    const { durationSeconds, responseBytes, clockOffsetSeconds } = attempt;
    const { apiRequests, apiRequestDuration, apiResponseBytes, apiClockOffset } = this.#recorded;
    apiRequests.inc({ account, operation, code });
    apiRequestDuration.observe({ account, operation }, durationSeconds);
    apiResponseBytes.inc({ account, operation }, responseBytes);
    if (clockOffsetSeconds !== undefined) apiClockOffset.set({ account }, clockOffsetSeconds);
  }

  /** A beat of the leases has ended, successful or not. */
  databaseRequested(seconds: number): void {
    this.#recorded.databaseRequestDuration.observe({}, seconds);
  }

  probeSent(account: string): void {
    this.#recorded.probeRequests.inc({ account });
  }

  pollerFailed(account: string): void {
    this.#recorded.pollerErrors.inc({ account });
  }

  datasetFailed(account: string, dataset: DatasetName, reason: ApiErrorReason): void {
    this.#recorded.datasetErrors.inc({ account, dataset, reason });
  }

  rejected(account: string, dataset: DatasetName, reason: RejectionReason, count: number): void {
    this.#recorded.rejectedEntries.inc({ account, dataset, reason }, count);
  }

  rendered(page: Page): void {
    this.#recorded.series.set({}, page.series);
    this.#recorded.pageBytes.set({ encoding: 'identity' }, page.bytes.identity);
    this.#recorded.pageBytes.set({ encoding: 'gzip' }, page.bytes.gzip);
    this.#recorded.renderSeconds.set({}, page.renderSeconds);
  }

  storeWritten(): void {
    this.#recorded.storeWrites.inc({});
    this.#recorded.storeFailing.set({}, 0);
    this.#recorded.storeLastWrite.set({}, unixSeconds(this.#options.clock));
  }

  storeFailed(): void {
    this.#recorded.storeErrors.inc({});
    this.#recorded.storeFailing.set({}, 1);
  }

  storeRecordsLost(kind: string, count: number): void {
    this.#recorded.storeRecordsLost.inc({ kind }, count);
  }

  reloaded(last: { readonly successful: boolean; readonly succeededAtSeconds: number }): void {
    this.#recorded.configReloadSuccessful.set({}, Number(last.successful));
    this.#recorded.configReloadSuccess.set({}, last.succeededAtSeconds);
  }

  /** Removes the series of an account that is no longer monitored. */
  forget(account: string): void {
    this.#started.delete(account);
    for (const dataset of datasetNames) this.#started.delete(`${dataset} ${account}`);
    for (const recorder of Object.values(this.#recorded)) recorder.forget(account);
  }

  /** Returns the current metrics, without the end marker of OpenMetrics. */
  async text(format: Format): Promise<string> {
    const { clock, exporter = () => ({ removedAccounts: [] }) } = this.#options;
    const accounts = this.#options.accounts();
    for (const { snapshot } of accounts) this.#startCounters(snapshot);
    const nowSeconds = clock.now() / 1000;
    const scraped = accounts.map((account) => ({ ...account, nowSeconds }));
    const [view, now] = [exporter(), clock.monotonic()];
    const { served } = this;
    const isServed = (family: Family) => served.serves(family);
    const texts = [
      ...accountViewFamilies
        .filter(isServed)
        .map((family) => accountsText(family, scraped, format)),
      ...exporterViewFamilies.filter(isServed).map((family) => rowsText(family, [view], format)),
      ...Object.values(this.#recorded)
        .filter(({ family }) => isServed(family))
        .map((recorder) => recorder.text(format, now, served.servesZeros(recorder.family))),
      await registryText(this.#registry, format),
    ];
    return texts.join('');
  }

  /** Counters start at 0: otherwise `rate` would not see the first event. */
  #startCounters({ account, apiVersion, datasets }: AccountSummary): void {
    if (!this.#started.has(account)) {
      this.#started.add(account);
      this.#recorded.probeRequests.inc({ account }, 0);
      this.#recorded.pollerErrors.inc({ account }, 0);
      for (const operation of operationsOf(apiVersion)) {
        this.#recorded.apiRequests.inc({ account, operation, code: '200' }, 0);
        this.#recorded.apiResponseBytes.inc({ account, operation }, 0);
        this.#recorded.apiRequestDuration.start({ account, operation });
      }
    }
    for (const dataset of datasetNames) {
      const key = `${dataset} ${account}`;
      if (datasets[dataset] === undefined || this.#started.has(key)) continue;
      this.#started.add(key);
      for (const reason of Object.keys(apiErrorReasons)) {
        this.#recorded.datasetErrors.inc({ account, dataset, reason }, 0);
      }
      if (withoutEntries.has(dataset)) continue;
      for (const reason of rejectionReasons) {
        const own = datasetsOfReason[reason];
        if (own !== undefined && !own.includes(dataset)) continue;
        this.#recorded.rejectedEntries.inc({ account, dataset, reason }, 0);
      }
    }
  }
}

function accountsText(
  family: SampledFamily<ScrapedAccount>,
  accounts: readonly ScrapedAccount[],
  format: Format,
): string {
  return familyText(family, format, (writer) => {
    for (const account of accounts) {
      writer.common = commonLabelText({ account: account.snapshot.account });
      family.samples(account, writer);
    }
  });
}
