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
import type { ErrorBudget } from '../windows/error-budget.ts';
import type { GroupRow } from '../windows/groups.ts';
import type { AlertLabels, LabelValues } from '../windows/outages.ts';

/** How one dataset of an account is doing. Times are UNIX seconds of the wall clock. */
export interface DatasetStatus {
  /** The planned interval between refreshes; absent while there is no plan. */
  readonly intervalSeconds?: number;
  readonly lastAttemptAtSeconds?: number;
  readonly lastSuccessAtSeconds?: number;
  /** The failure of the last attempt; absent when it succeeded or there was none. */
  readonly failure?: DatasetFailure;
  /** Entries in the last good reply. */
  readonly items?: number;
  /** True when there are no data, or they are older than the dataset may be. */
  readonly stale: boolean;
}

export interface DatasetFailure {
  readonly reason: ApiErrorReason;
  readonly message: string;
  /** When the run of failures began. */
  readonly sinceSeconds: number;
  readonly consecutive: number;
}

export const averageWindows = ['24h', '7d', '30d'] as const;
export type AverageWindow = (typeof averageWindows)[number];

export interface WindowAverage {
  readonly window: AverageWindow;
  /** Share of the monitored time that was up, 0 to 1; absent when nothing was monitored. */
  readonly uptimeRatio?: number;
  readonly responseTimeSeconds?: number;
  /** Empty unless asked for. */
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

/** An outage that is open, or that has been over for less than a day, and the same of flapping. */
export interface ShownOutage extends AlertLabels {
  /** Absent while only flapping is shown. */
  readonly open?: boolean;
  /** When it began; while it is open, and where that is known. */
  readonly sinceSeconds?: number;
  /** When it was first seen, where nothing tells when it began. */
  readonly seenAtSeconds?: number;
  /** Absent for an item that has not been flapping. */
  readonly flapping?: boolean;
  /** The promoted labels under which it was shown; absent where those of the item are shown. */
  readonly promoted?: LabelValues;
}

/**
 * A check and all that is known of it beyond the list. A part that did not change is the same object in
 * the next snapshot; a part that is not known, or too old, is undefined. Totals are never too old.
 */
export interface CheckRow extends Check {
  readonly availability?: AvailabilityTotals;
  readonly results?: ResultTotals;
  readonly analyses?: number;
  readonly averages?: readonly WindowAverage[];
  /** The last complete hour. */
  readonly performance?: PerformanceInterval;
  readonly hoursOfDay?: readonly HourOfDayAverage[];
  readonly settings?: CheckAlertSettings;
  readonly activeProbes?: number;
  readonly maintenance?: MaintenanceState;
  readonly budget?: ErrorBudget;
  readonly outage?: ShownOutage;
  /** When the last outage that has ended began; for 24 hours after its end. */
  readonly lastOutageStartSeconds?: number;
}

/** A transaction and all that is known of it beyond the list; as with `CheckRow`. */
export interface TransactionRow extends Transaction {
  readonly availability?: AvailabilityTotals;
  /** Number of the step that fails now, as the service counts. */
  readonly failingStep?: number;
  /** The last complete hour. */
  readonly performance?: TransactionPerformanceInterval;
  readonly maintenance?: MaintenanceState;
  readonly budget?: ErrorBudget;
  readonly outage?: ShownOutage;
  /** When the last outage that has ended began; for 24 hours after its end. */
  readonly lastOutageStartSeconds?: number;
}

/** How rows came from former ones: at other places than these, both have the same. */
export interface RowStep {
  readonly from: readonly object[];
  readonly places: readonly number[];
}

/**
 * All that is known of one account at one moment; immutable. What is not known is absent. Whether a
 * dataset is too old to be shown is in `datasets`; its totals are shown all the same. A check that
 * did not change from one snapshot to the next is the same object in both.
 */
export interface AccountSnapshot extends Omit<AccountData, 'maintenance'> {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  /** Names the store; absent while there is none. */
  readonly storeId?: string;
  /** The last refresh of the check list worked and is not stale. */
  readonly up: boolean;
  /** Ordered by id, each id once. */
  readonly checks?: readonly CheckRow[];
  /** How the checks came from those of a snapshot before; absent where many changed. */
  readonly checkStep?: RowStep;
  /** Ordered by id, each id once. */
  readonly transactions?: readonly TransactionRow[];
  /** Labels under which an outage was shown that is now over, or whose list is not known yet; ordered by id. */
  readonly formerChecks?: readonly CheckRow[];
  readonly formerTransactions?: readonly TransactionRow[];
  /** The account is no longer monitored: only the end of its outages is shown. */
  readonly departed?: true;
  readonly groups?: readonly GroupRow[];
  /** How many outages of checks are open; absent until a complete list, or a restored one, has shown it. */
  readonly openCheckOutages?: number;
  readonly openTransactionOutages?: number;
  /** The newest outages of checks and transactions, newest first; absent before the check list is read. */
  readonly recentOutages?: readonly RecentOutage[];
  readonly maintenance?: MaintenanceSnapshot;
  readonly alertsSent?: readonly AlertTotal[];
  /** The datasets that are refreshed; the check list always is. */
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
  /** As the probes reported them, where results were read. */
  readonly causes: readonly string[];
  /** How much of it lies in maintenance. */
  readonly maintenance: 'none' | 'part' | 'whole';
}

/** The same object from one snapshot to the next while it holds. */
export interface MaintenanceSnapshot {
  readonly windows: readonly MaintenanceWindow[];
  /** By window, the occurrence that lasts or else the one that comes next; absent where none is known. */
  readonly next: ReadonlyMap<number, MaintenanceSpan>;
  /** Ids of the windows that are in effect now. */
  readonly activeIds: ReadonlySet<number>;
}

/** Alerts that were sent because of one check since it was first seen; it only grows. */
export interface AlertTotal {
  readonly checkId: number;
  readonly checkName: string;
  readonly via: AlertMedium;
  readonly status: AlertStatus;
  readonly count: number;
}
