import type { ApiErrorReason } from '../api/errors.ts';
import type { AccountData } from '../domain/account.ts';
import type { AlertMedium, AlertStatus } from '../domain/action.ts';
import type { HourOfDayAverage, PerformanceInterval, RangeAverage } from '../domain/averages.ts';
import type { Check, CheckAlertSettings, CheckStatus } from '../domain/check.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { MaintenanceSpan, MaintenanceWindow } from '../domain/maintenance.ts';
import type { AvailabilityTotals, ResultTotals } from '../domain/totals.ts';
import type { Transaction, TransactionPerformanceInterval } from '../domain/transaction.ts';
import type { ApiVersion } from '../domain/version.ts';
import type { ErrorBudget } from '../slo/error-budget.ts';
import type { GroupRow } from '../slo/groups.ts';
import type { LastOutage } from '../slo/last-outages.ts';
import type { MaintenanceShare } from '../slo/maintenance-share.ts';
import type { AlertLabels, LabelValues } from '../slo/outages.ts';
import type { CheckCounts } from './check-counts.ts';

/** The age and the failures of one dataset. UNIX seconds of the wall clock. */
export interface DatasetStatus {
  /** The planned interval between refreshes; absent without a plan. */
  readonly intervalSeconds?: number;
  readonly lastAttemptAtSeconds?: number;
  readonly lastSuccessAtSeconds?: number;
  /** The failure of the last attempt; absent when it succeeded or there was none. */
  readonly failure?: DatasetFailure;
  /** The number of entries in the last successful response. */
  readonly items?: number;
  /** Entries of the last list could not be decoded: the objects that they describe are not watched. */
  readonly isIncomplete?: true;
  /** True if there are no data, or if they are too old to be shown. */
  readonly stale: boolean;
}

export interface DatasetFailure {
  readonly reason: ApiErrorReason;
  readonly message: string;
  /** The time of the first of the consecutive failures. */
  readonly sinceSeconds: number;
  readonly consecutive: number;
}

export interface MaintenanceState {
  readonly active: boolean;
  /** The end of the windows that are in effect; absent unless `active`. */
  readonly endAtSeconds?: number;
  readonly nextStartAtSeconds?: number;
}

/** An outage, or flapping, that is open or ended less than 24 hours ago. */
export interface ShownOutage extends AlertLabels {
  /** Absent while only flapping is shown. */
  readonly open?: boolean;
  /** The start of the outage. Present only while it is open and its start is known. */
  readonly sinceSeconds?: number;
  /** The time at which the outage was first seen. Present only if its start is unknown. */
  readonly seenAtSeconds?: number;
  /** Whether the item is flapping; absent if it has not flapped. */
  readonly flapping?: boolean;
  /** The promoted labels during the outage; absent if the item's present labels are used. */
  readonly promoted?: LabelValues;
}

/** The known data that checks and transactions have in common. */
interface ItemStandingRow {
  readonly availability?: AvailabilityTotals;
  readonly maintenance?: MaintenanceState;
  readonly budget?: ErrorBudget;
  readonly outage?: ShownOutage;
  /** The start of the last closed outage; for 24 hours after its end. */
  readonly lastOutageStartSeconds?: number;
}

/**
 * The list entry of a check, with all other known data. A part that does not change is the same
 * object in the next snapshot. A part that is unknown or stale is undefined. Totals are never
 * stale.
 */
export interface CheckRow extends Omit<Check, 'status'>, ItemStandingRow {
  readonly status: CheckStatus;
  readonly results?: ResultTotals;
  readonly analyses?: number;
  readonly averages?: readonly RangeAverage[];
  /** The last complete hour. */
  readonly performance?: PerformanceInterval;
  readonly hoursOfDay?: readonly HourOfDayAverage[];
  readonly settings?: CheckAlertSettings;
  readonly activeProbes?: number;
}

/** The entry of a transaction and all other known data, like `CheckRow`. */
export interface TransactionRow extends Transaction, ItemStandingRow {
  /** The number of the failing step, as the service numbers steps. */
  readonly failingStep?: number;
  /** The last complete hour. */
  readonly performance?: TransactionPerformanceInterval;
}

/** The parts of a snapshot that the exporter's own metrics read. */
export type AccountSummary = Pick<AccountSnapshot, 'account' | 'apiVersion' | 'datasets'>;

/**
 * The known data of one account at one time. The object is immutable. Unknown data are absent.
 * `datasets` has the age of each dataset; totals are shown at any age. A check that did not change
 * since the last snapshot is the same object.
 */
export interface AccountSnapshot extends Omit<AccountData, 'maintenance'> {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  /** The id of the store; absent without a store. */
  readonly storeId?: string;
  /** True if the last refresh of the check list succeeded and its data are not stale. */
  readonly up: boolean;
  /** Checks in the last list, including those that a filter excludes; absent before the first list. */
  readonly listedChecks?: number;
  /** The limits allow the results of each check hourly. Stays until the account starts again. */
  readonly areResultsHourly?: true;
  /** Ordered by id, each id once. */
  readonly checks?: readonly CheckRow[];
  /** Of `checks`. The same object while no entry of the list changes. */
  readonly checkCounts?: CheckCounts;
  /** Ordered by id, each id once. */
  readonly transactions?: readonly TransactionRow[];
  /** Outages under previous labels, and of items whose list is not read yet; ordered by id. */
  readonly endedChecks?: readonly CheckRow[];
  readonly endedTransactions?: readonly TransactionRow[];
  /** The account is no longer monitored, so only its closed outages are shown. */
  readonly isRemoved?: true;
  readonly groups?: readonly GroupRow[];
  /** The names of the groups beyond the configured number, in order; absent without groups. */
  readonly groupsLeftOut?: readonly string[];
  /** The number of open outages of checks; absent before the first complete or restored list. */
  readonly openCheckOutages?: number;
  readonly openTransactionOutages?: number;
  /** The most recent outages, newest first; absent before the check list is read. */
  readonly recentOutages?: readonly RecentOutage[];
  readonly maintenance?: MaintenanceSnapshot;
  readonly alertsSent?: readonly AlertTotal[];
  /** The datasets that are refreshed. The check list is always included. */
  readonly datasets: DatasetStatuses;
}

export type DatasetStatuses = { readonly checks: DatasetStatus } & {
  readonly [D in DatasetName]?: DatasetStatus;
};

/** One outage of a check or a transaction. UNIX seconds. */
export interface RecentOutage extends LastOutage {
  readonly kind: 'check' | 'transaction';
  readonly id: number;
  readonly name: string;
  readonly maintenance: MaintenanceShare;
}

/** Maintenance at a time. Snapshots share the object while nothing changes. */
export interface MaintenanceSnapshot {
  readonly windows: readonly MaintenanceWindow[];
  /** The current or next occurrence, keyed by id of the window, if there is one. */
  readonly next: ReadonlyMap<number, MaintenanceSpan>;
  /** Ids of the windows that are in effect now. */
  readonly activeIds: ReadonlySet<number>;
}

/** The number of alerts sent about one check since it was first seen. It never decreases. */
export interface AlertTotal {
  readonly checkId: number;
  readonly checkName: string;
  readonly via: AlertMedium;
  readonly status: AlertStatus;
  readonly count: number;
}
