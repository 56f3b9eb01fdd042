import { collectDefaultMetrics, Registry } from 'prom-client';
import { type ApiErrorReason, apiErrorReasons } from '../../api/errors.ts';
import type { AttemptResult } from '../../api/http/attempt.ts';
import { type RejectionReason, rejectionReasons } from '../../api/service.ts';
import { type DatasetName, datasetNames, operationsOf } from '../../domain/dataset.ts';
import { type Clock, unixSeconds } from '../../lib/clock.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { accountViewFamilies } from '../catalogue/account-view-families.ts';
import { exporterViewFamilies } from '../catalogue/exporter-view-families.ts';
import type {
  AccountView,
  ExporterView,
  Family,
  HistogramFamily,
  RecordedFamily,
  SampledFamily,
  ScrapedAccount,
} from '../catalogue/family.ts';
import { recordedFamilies as families } from '../catalogue/recorded-families.ts';
import { ServedFamilies } from '../catalogue/served-families.ts';
import type { Format } from '../formats.ts';
import type { Page } from '../page/page.ts';
import { commonLabelText, familyText, rowsText } from '../text-format.ts';
import { registryText } from './metrics-text.ts';
import { RecordedHistogram, RecordedValue, type Recorder } from './recorder.ts';

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
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
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
  readonly #recorders: Pick<Recorder<string, unknown>, 'family' | 'text' | 'forget'>[] = [];
  readonly #buildInfo = this.#value(families.buildInfo);
  readonly #datasetErrors = this.#value(families.datasetErrors);
  readonly #rejectedEntries = this.#value(families.rejectedEntries);
  readonly #apiRequests = this.#value(families.apiRequests);
  readonly #apiRequestDuration = this.#histogram(families.apiRequestDuration);
  readonly #apiResponseBytes = this.#value(families.apiResponseBytes);
  readonly #apiClockOffset = this.#value(families.apiClockOffset);
  readonly #databaseRequestDuration = this.#histogram(families.databaseRequestDuration);
  readonly #pollerErrors = this.#value(families.pollerErrors);
  readonly #probeRequests = this.#value(families.probeRequests);
  readonly #series = this.#value(families.series);
  readonly #pageBytes = this.#value(families.pageBytes);
  readonly #renderSeconds = this.#value(families.renderSeconds);
  readonly #storeWrites = this.#value(families.storeWrites);
  readonly #storeErrors = this.#value(families.storeErrors);
  readonly #storeLastWrite = this.#value(families.storeLastWrite);
  readonly #storeRecordsLost = this.#value(families.storeRecordsLost);
  readonly #storeFailing = this.#value(families.storeFailing);
  readonly #configReloadSuccessful = this.#value(families.configReloadSuccessful);
  readonly #configReloadSuccess = this.#value(families.configReloadSuccess);

  constructor(options: ExporterMetricsOptions) {
    const { build, clock } = options;
    this.#options = options;
    this.served = options.served ?? ServedFamilies.lean;
    this.#buildInfo.set({ revision: '', branch: '', ...build }, 1);
    for (const started of [this.#storeWrites, this.#storeErrors]) started.inc({}, 0);
    for (const gauge of [this.#series, this.#renderSeconds, this.#storeFailing]) gauge.set({}, 0);
    this.reloaded({ successful: true, succeededAtSeconds: unixSeconds(clock) });
    collectRuntimeMetrics(this.#registry);
  }

  #value<L extends string>(family: RecordedFamily<L>): RecordedValue<L> {
    const value = new RecordedValue(family);
    this.#recorders.push(value);
    return value;
  }

  #histogram<L extends string>(family: HistogramFamily<L>): RecordedHistogram<L> {
    const histogram = new RecordedHistogram(family);
    this.#recorders.push(histogram);
    return histogram;
  }

  attempted({ account, operation, code, ...attempt }: AccountAttempt): void {
    const { durationSeconds, responseBytes, clockOffsetSeconds } = attempt;
    this.#apiRequests.inc({ account, operation, code });
    this.#apiRequestDuration.observe({ account, operation }, durationSeconds);
    this.#apiResponseBytes.inc({ account, operation }, responseBytes);
    if (clockOffsetSeconds !== undefined) this.#apiClockOffset.set({ account }, clockOffsetSeconds);
  }

  /** A beat of the leases has ended, successful or not. */
  databaseRequested(seconds: number): void {
    this.#databaseRequestDuration.observe({}, seconds);
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
    this.#series.set({}, page.series);
    this.#pageBytes.set({ encoding: 'identity' }, page.bytes.identity);
    this.#pageBytes.set({ encoding: 'gzip' }, page.bytes.gzip);
    this.#renderSeconds.set({}, page.renderSeconds);
  }

  storeWritten(): void {
    this.#storeWrites.inc({});
    this.#storeFailing.set({}, 0);
    this.#storeLastWrite.set({}, unixSeconds(this.#options.clock));
  }

  storeFailed(): void {
    this.#storeErrors.inc({});
    this.#storeFailing.set({}, 1);
  }

  /** `counts` contains every kind, also kinds without lost records. */
  storeRecordsLost(counts: ReadonlyMap<string, number>): void {
    for (const [kind, count] of counts) this.#storeRecordsLost.inc({ kind }, count);
  }

  reloaded(last: { readonly successful: boolean; readonly succeededAtSeconds: number }): void {
    this.#configReloadSuccessful.set({}, Number(last.successful));
    this.#configReloadSuccess.set({}, last.succeededAtSeconds);
  }

  /** Removes the series of an account that is no longer monitored. */
  forget(account: string): void {
    this.#started.delete(account);
    for (const dataset of datasetNames) this.#started.delete(`${dataset} ${account}`);
    for (const recorder of this.#recorders) recorder.forget(account);
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
      ...this.#recorders
        .filter(({ family }) => isServed(family))
        .map((recorder) => recorder.text(format, now, served.servesZeros(recorder.family))),
      await registryText(this.#registry, format),
    ];
    return texts.join('');
  }

  /** Counters start at 0: otherwise `rate` would not see the first event. */
  #startCounters({ account, apiVersion, datasets }: AccountSnapshot): void {
    if (!this.#started.has(account)) {
      this.#started.add(account);
      this.#probeRequests.inc({ account }, 0);
      this.#pollerErrors.inc({ account }, 0);
      for (const operation of operationsOf(apiVersion)) {
        this.#apiRequests.inc({ account, operation, code: '200' }, 0);
        this.#apiResponseBytes.inc({ account, operation }, 0);
        this.#apiRequestDuration.start({ account, operation });
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
        const own = datasetsOfReason[reason];
        if (own !== undefined && !own.includes(dataset)) continue;
        this.#rejectedEntries.inc({ account, dataset, reason }, 0);
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
