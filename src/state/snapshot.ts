import type { ApiErrorReason } from '../api/errors.ts';
import type { AccountData } from '../domain/account.ts';
import type { AlertMedium, AlertStatus } from '../domain/action.ts';
import type { CountryAverage, HourOfDayAverage, PerformanceInterval } from '../domain/averages.ts';
import type { Check, RecipientCounts } from '../domain/check.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { MaintenanceSpan, MaintenanceWindow } from '../domain/maintenance.ts';
import type { AvailabilityTotals, ResultTotals } from '../domain/totals.ts';
import type { Transaction, TransactionPerformanceInterval } from '../domain/transaction.ts';
import type { ApiVersion } from '../domain/version.ts';
import type { ErrorBudget } from '../slo/error-budget.ts';
import type { GroupRow } from '../slo/groups.ts';
import type { AlertLabels, LabelValues } from '../slo/outages.ts';

/** The age and the failures of one dataset of an account. Times are UNIX seconds of the wall clock. */
export interface DatasetStatus {
  /** The planned interval between refreshes; absent while there is no plan. */
  readonly intervalSeconds?: number;
  readonly lastAttemptAtSeconds?: number;
  readonly lastSuccessAtSeconds?: number;
  /** The failure of the last attempt; absent when it succeeded or there was none. */
  readonly failure?: DatasetFailure;
  /** The entries in the last good response. */
  readonly items?: number;
  /** True without data, and when they are too old to be shown. */
  readonly stale: boolean;
}

export interface DatasetFailure {
  readonly reason: ApiErrorReason;
  readonly message: string;
  /** When the first of the consecutive failures occurred. */
  readonly sinceSeconds: number;
  readonly consecutive: number;
}

export const averageRanges = ['24h', '7d', '30d'] as const;
export type AverageRange = (typeof averageRanges)[number];

export interface RangeAverage {
  readonly window: AverageRange;
  /** Share of the monitored time that was up, 0 to 1; absent when nothing was monitored. */
  readonly uptimeRatio?: number;
  readonly responseTimeSeconds?: number;
  /** Empty unless averages by country are enabled. */
  readonly byCountry: readonly CountryAverage[];
}

export interface CheckAlertSettings {
  readonly responseTimeThresholdSeconds?: number;
  readonly certificateWarningSeconds?: number;
  readonly recipients: RecipientCounts;
}

export interface MaintenanceState {
  readonly active: boolean;
  readonly nextStartAtSeconds?: number;
}

/** An outage that is open or was closed less than a day ago, and flapping likewise. */
export interface ShownOutage extends AlertLabels {
  /** Absent while only flapping is shown. */
  readonly open?: boolean;
  /** When it began; only while it is open, if its start is known. */
  readonly sinceSeconds?: number;
  /** When it was first seen, if its start is unknown. */
  readonly seenAtSeconds?: number;
  /** Absent when the item has not flapped. */
  readonly flapping?: boolean;
  /** The promoted labels of the outage; absent when the item's own are shown. */
  readonly promoted?: LabelValues;
}

/**
 * The entry of a check and all other known data. An unchanged part is the same object in the next snapshot. An unknown
 * or stale part is undefined; totals are never stale.
 */
export interface CheckRow extends Check {
  readonly availability?: AvailabilityTotals;
  readonly results?: ResultTotals;
  readonly analyses?: number;
  readonly averages?: readonly RangeAverage[];
  /** The last complete hour. */
  readonly performance?: PerformanceInterval;
  readonly hoursOfDay?: readonly HourOfDayAverage[];
  readonly settings?: CheckAlertSettings;
  readonly activeProbes?: number;
  readonly maintenance?: MaintenanceState;
  readonly budget?: ErrorBudget;
  readonly outage?: ShownOutage;
  /** The start of the last closed outage; for 24 hours after its end. */
  readonly lastOutageStartSeconds?: number;
}

/** The entry of a transaction and all other known data, like `CheckRow`. */
export interface TransactionRow extends Transaction {
  readonly availability?: AvailabilityTotals;
  /** The number of the failing step, as the service counts. */
  readonly failingStep?: number;
  /** The last complete hour. */
  readonly performance?: TransactionPerformanceInterval;
  readonly maintenance?: MaintenanceState;
  readonly budget?: ErrorBudget;
  readonly outage?: ShownOutage;
  /** The start of the last closed outage; for 24 hours after its end. */
  readonly lastOutageStartSeconds?: number;
}

/** The places at which rows differ from earlier rows. */
export interface RowStep {
  readonly from: readonly object[];
  readonly places: readonly number[];
}

/**
 * All that is known of one account at one moment; immutable. Unknown data are absent. `datasets` has the age of each
 * dataset; totals are shown at any age. A check that did not change since the last snapshot is the same object.
 */
export interface AccountSnapshot extends Omit<AccountData, 'maintenance'> {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  /** The id of the store; absent without a store. */
  readonly storeId?: string;
  /** The last refresh of the check list succeeded, and its data are not stale. */
  readonly up: boolean;
  /** Ordered by id, each id once. */
  readonly checks?: readonly CheckRow[];
  /** The places at which the checks differ from an earlier snapshot; absent when many differ. */
  readonly checkStep?: RowStep;
  /** Ordered by id, each id once. */
  readonly transactions?: readonly TransactionRow[];
  /** Closed outages under earlier labels, and outages whose list is not read yet; ordered by id. */
  readonly formerChecks?: readonly CheckRow[];
  readonly formerTransactions?: readonly TransactionRow[];
  /** The account is no longer monitored, so only its closed outages are shown. */
  readonly departed?: true;
  readonly groups?: readonly GroupRow[];
  /** The number of open outages of checks; absent before the first complete or restored list. */
  readonly openCheckOutages?: number;
  readonly openTransactionOutages?: number;
  /** The newest outages of checks and transactions, newest first; absent before the check list is read. */
  readonly recentOutages?: readonly RecentOutage[];
  readonly maintenance?: MaintenanceSnapshot;
  readonly alertsSent?: readonly AlertTotal[];
  /** The datasets that are refreshed, always with the check list. */
  readonly datasets: DatasetStatuses;
}

export type DatasetStatuses = { readonly checks: DatasetStatus } & {
  readonly [D in DatasetName]?: DatasetStatus;
};

/** One outage of a check or a transaction. UNIX seconds. */
export interface RecentOutage {
  readonly kind: 'check' | 'transaction';
  readonly id: number;
  readonly name: string;
  readonly fromSeconds: number;
  /** It began at some time before `fromSeconds`. */
  readonly beganBefore: boolean;
  /** Absent while it is ongoing. */
  readonly toSeconds?: number;
  /** It is over, and ended at `toSeconds` or later: its end is not read yet. */
  readonly endsLater?: true;
  /** As the probes reported them, where results were read. */
  readonly causes: readonly string[];
  /** How much of it lies in maintenance. */
  readonly maintenance: 'none' | 'part' | 'whole';
}

/** The same object from one snapshot to the next while it holds. */
export interface MaintenanceSnapshot {
  readonly windows: readonly MaintenanceWindow[];
  /** By id of the maintenance window: its current occurrence, or the next one. A window without either is absent. */
  readonly next: ReadonlyMap<number, MaintenanceSpan>;
  /** Ids of the windows that are in effect now. */
  readonly activeIds: ReadonlySet<number>;
}

/** The number of alerts sent about one check since it was first seen; it only grows. */
export interface AlertTotal {
  readonly checkId: number;
  readonly checkName: string;
  readonly via: AlertMedium;
  readonly status: AlertStatus;
  readonly count: number;
}
