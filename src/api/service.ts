import type { EmailReport, PublicReport, SharedReport } from '../domain/account-reports.ts';
import type { AccountSettings } from '../domain/account-settings.ts';
import type { Action } from '../domain/action.ts';
import type { Analysis } from '../domain/analysis.ts';
import type { ApiVersion } from '../domain/api-version.ts';
import type { Average, HourOfDayAverage } from '../domain/average.ts';
import type { Check } from '../domain/check.ts';
import type { CheckDetail } from '../domain/check-detail.ts';
import type { Contact } from '../domain/contact.ts';
import type { Credits } from '../domain/credits.ts';
import type { MaintenanceOccurrence, MaintenanceWindow } from '../domain/maintenance.ts';
import type { StateSpan } from '../domain/outage.ts';
import type { PerformanceInterval } from '../domain/performance.ts';
import type { Period } from '../domain/period.ts';
import type { Probe } from '../domain/probe.ts';
import type { Reference } from '../domain/reference.ts';
import type { Result } from '../domain/result.ts';
import type { Team } from '../domain/team.ts';
import type { Transaction, TransactionDetail } from '../domain/transaction.ts';
import type {
  TransactionPerformanceInterval,
  TransactionStateSpan,
  TransactionStates,
} from '../domain/transaction-report.ts';
import type { OperationName } from './operation-names.ts';
import type {
  AnalysisQuery,
  AverageQuery,
  CheckPeriod,
  PerformanceQuery,
  TransactionPerformanceQuery,
  TransactionPeriod,
} from './queries.ts';

/**
 * The operations of the service: each reads, and answers with domain types. There is none that changes
 * anything, so a read-only token suffices. Lists are complete or fail.
 *
 * Every operation rejects with an `ApiError`; one that the version lacks with reason `unsupported`,
 * without a request.
 */
export interface ServiceOperations {
  listChecks(signal: AbortSignal): Promise<Listing<Check>>;
  /** One check with its settings and its teams. */
  check(query: { readonly checkId: number }, signal: AbortSignal): Promise<CheckDetail>;
  /** In the order in which the tests ran. Stable if the period lies in the past. */
  listResults(query: CheckPeriod, signal: AbortSignal): Promise<Listing<Result>>;
  average(query: AverageQuery, signal: AbortSignal): Promise<Legible<Average>>;
  hoursOfDay(query: CheckPeriod, signal: AbortSignal): Promise<Listing<HourOfDayAverage>>;
  /**
   * In order, without overlaps. Time that no span covers was not monitored, unless an entry was
   * rejected: then its time is not known.
   */
  listOutages(query: CheckPeriod, signal: AbortSignal): Promise<Listing<StateSpan>>;
  /** In order of time. */
  performance(query: PerformanceQuery, signal: AbortSignal): Promise<Listing<PerformanceInterval>>;
  /** Ids of the probes that tested the check. */
  listActiveProbes(query: CheckPeriod, signal: AbortSignal): Promise<Listing<number>>;
  listAnalyses(query: CheckPeriod, signal: AbortSignal): Promise<Listing<Analysis>>;
  /** The service does not describe the form of an analysis. */
  analysis(query: AnalysisQuery, signal: AbortSignal): Promise<unknown>;
  credits(signal: AbortSignal): Promise<Credits>;
  listProbes(signal: AbortSignal): Promise<Listing<Probe>>;
  reference(signal: AbortSignal): Promise<Legible<Reference>>;
  /** Stable if the period lies in the past. */
  listActions(query: Period, signal: AbortSignal): Promise<Listing<Action>>;
  /** The contacts of 3.1 and 2.0, the users of 2.1. */
  listContacts(signal: AbortSignal): Promise<Listing<Contact>>;
  listMaintenance(signal: AbortSignal): Promise<Listing<MaintenanceWindow>>;
  listTeams(signal: AbortSignal): Promise<Listing<Team>>;
  listOccurrences(query: Period, signal: AbortSignal): Promise<Listing<MaintenanceOccurrence>>;
  listTransactions(signal: AbortSignal): Promise<Listing<Transaction>>;
  transaction(
    query: { readonly transactionId: number },
    signal: AbortSignal,
  ): Promise<TransactionDetail>;
  /** The states of all transactions. Each one's are in order, without overlaps. */
  listTransactionStates(query: Period, signal: AbortSignal): Promise<Listing<TransactionStates>>;
  /** In order, without overlaps. */
  transactionStates(
    query: TransactionPeriod,
    signal: AbortSignal,
  ): Promise<Listing<TransactionStateSpan>>;
  /** In order of time. */
  transactionPerformance(
    query: TransactionPerformanceQuery,
    signal: AbortSignal,
  ): Promise<Listing<TransactionPerformanceInterval>>;
  /** The service's clock, in UNIX seconds. */
  serverTime(signal: AbortSignal): Promise<number>;
  settings(signal: AbortSignal): Promise<AccountSettings>;
  listEmailReports(signal: AbortSignal): Promise<Listing<EmailReport>>;
  listPublicReports(signal: AbortSignal): Promise<Listing<PublicReport>>;
  listSharedReports(signal: AbortSignal): Promise<Listing<SharedReport>>;
}

/** The monitoring service as the exporter sees it, in whichever version. */
export interface MonitoringService extends ServiceOperations {
  readonly version: ApiVersion;
  readonly baseUrl: string;
  /** What this version can be asked for. */
  readonly capabilities: ReadonlySet<OperationName>;
}

/** A list as far as it could be read. */
export interface Listing<T> {
  readonly items: readonly T[];
  readonly rejected: readonly RejectedEntry[];
}

/** A value as far as the lists within it could be read. */
export interface Legible<T> {
  readonly value: T;
  readonly rejected: readonly RejectedEntry[];
}

/** Why one entry of an otherwise good list was left out. */
export const rejectionReasons = ['shape', 'duplicate', 'overlap'] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export interface RejectedEntry {
  readonly reason: RejectionReason;
  /** Where and what, for the log: field names and kinds of value, never the value itself. */
  readonly detail: string;
}
