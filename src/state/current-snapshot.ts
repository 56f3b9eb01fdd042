import type { AccountData } from '../domain/account.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { ApiVersion } from '../domain/version.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { AlertTotals } from './alert-totals.ts';
import type { DatasetTrackers } from './dataset-tracker.ts';
import type { MaintenanceCalendar } from './maintenance.ts';
import type { AccountSnapshot, MaintenanceSnapshot } from './snapshot.ts';
import type { AccountStanding } from './standing/account-standing.ts';
import type { ChangeLog } from './stored-account.ts';

/** The parts of a snapshot that change without an event. */
export interface PassingOfTime {
  /** Names of datasets without fresh data. */
  readonly stale: string;
  readonly maintenance?: MaintenanceSnapshot;
}

/** Building this many rows takes a few milliseconds, also if all items had many outages. */
const rowsPerSlice = 250;

interface CurrentSnapshotOptions {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  readonly storeId: string | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly datasets: DatasetTrackers;
  readonly alerts: AlertTotals;
  readonly maintenance: MaintenanceCalendar;
  readonly standing: AccountStanding;
  readonly changes: ChangeLog;
}

/** Takes snapshots, in which unchanged parts are the same objects. UNIX seconds. */
export class CurrentSnapshot {
  readonly #options: CurrentSnapshotOptions;
  readonly #freshSince = (dataset: DatasetName) => this.#options.datasets.freshSince(dataset);

  constructor(options: CurrentSnapshotOptions) {
    this.#options = options;
  }

  passingOfTime(nowSeconds: number): PassingOfTime {
    const { datasets, maintenance } = this.#options;
    const shown = maintenance.at(nowSeconds)?.shown;
    return present({ stale: datasets.stale(), maintenance: shown });
  }

  /** Whether to take a snapshot needs more than a few milliseconds. */
  get isLongWork(): boolean {
    return this.#options.standing.checkRowsToBuild > rowsPerSlice;
  }

  /** Builds rows for a few milliseconds. Returns whether more are left. */
  prepare(nowSeconds: number): boolean {
    this.#moveTo(nowSeconds);
    const { standing, clock } = this.#options;
    return standing.prepareCheckRows(this.#freshSince, clock.monotonic(), rowsPerSlice);
  }

  take(data: Omit<AccountData, 'maintenance'>, nowSeconds: number): AccountSnapshot {
    const { account, apiVersion, baseUrl, storeId, clock, alerts, standing } = this.#options;
    const maintenance = this.#moveTo(nowSeconds);
    const datasets = this.#options.datasets.statuses();
    const { checks } = datasets;
    const freshSince = this.#freshSince;
    const now = clock.monotonic();
    const areShown = {
      checks: checks.lastSuccessAtSeconds !== undefined,
      transactions: datasets.transactions?.lastSuccessAtSeconds !== undefined,
    };
    const checkRows = areShown.checks && standing.checkRows(freshSince, now);
    const transactionRows = areShown.transactions && standing.transactionRows(freshSince, now);
    return present({
      account,
      apiVersion,
      baseUrl,
      storeId,
      up: !checks.stale && checks.failure === undefined,
      datasets,
      ...data,
      maintenance,
      ...(datasets.actions !== undefined && { alertsSent: alerts.shown(now) }),
      ...checkRows,
      ...standing.endedRows(areShown),
      ...standing.openOutages,
      ...transactionRows,
      ...(areShown.checks && { recentOutages: standing.recentOutages }),
    });
  }

  #moveTo(nowSeconds: number): MaintenanceSnapshot | undefined {
    const { maintenance, standing, changes } = this.#options;
    const now = maintenance.at(nowSeconds);
    if (standing.moveTo(nowSeconds)) changes.markPart('outages');
    return now?.shown;
  }
}
