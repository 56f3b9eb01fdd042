import type { Credits, EmailReport, PublicReport, SharedReport } from '../domain/account.ts';
import type { Action } from '../domain/action.ts';
import type { Average, HourOfDayAverage, PerformanceInterval } from '../domain/averages.ts';
import type { Check, CheckAlertSettings } from '../domain/check.ts';
import type { OperationName } from '../domain/dataset.ts';
import type { MonitoredState, StateSpan, TimeRange } from '../domain/interval.ts';
import type { MaintenanceOccurrence, MaintenanceWindow } from '../domain/maintenance.ts';
import type { Contact, Team } from '../domain/people.ts';
import type { Analysis, Probe, Result } from '../domain/results.ts';
import type {
  Transaction,
  TransactionPerformanceInterval,
  TransactionStates,
} from '../domain/transaction.ts';
import type { ApiVersion } from '../domain/version.ts';
import type {
  AverageQuery,
  CheckTimeRange,
  PerformanceQuery,
  TransactionPerformanceQuery,
} from './reader.ts';

/** The check with an id; undefined when it was never listed. */
export type KnownCheck = (id: number) => Check | undefined;

/**
 * The read operations of the service, which return domain types. No operation changes anything, so
 * a read-only token is enough. A list is complete, or the operation fails.
 *
 * Every operation rejects with an `ApiError`. An operation that the API version lacks rejects with
 * reason `unsupported`, without a request.
 */
export interface ServiceOperations {
  /** `known` returns a check of the previous list, whose equal parts are reused. */
  listChecks(signal: AbortSignal, known?: KnownCheck): Promise<Listing<Check>>;
  /** One check with its settings and the numbers of its recipients. */
  check(query: { readonly checkId: number }, signal: AbortSignal): Promise<CheckAlertSettings>;
  /** Results in the order of the tests. They no longer change if the period is in the past. */
  listResults(query: CheckTimeRange, signal: AbortSignal): Promise<Listing<Result>>;
  average(query: AverageQuery, signal: AbortSignal): Promise<Decoded<Average>>;
  hoursOfDay(query: CheckTimeRange, signal: AbortSignal): Promise<Listing<HourOfDayAverage>>;
  /**
   * States in order of time, without overlaps. Time without a span was not monitored; if an entry
   * was rejected, it may also be the time of that entry.
   */
  listOutages(
    query: CheckTimeRange,
    signal: AbortSignal,
  ): Promise<Listing<StateSpan<MonitoredState>>>;
  /** In order of time. */
  performance(query: PerformanceQuery, signal: AbortSignal): Promise<Listing<PerformanceInterval>>;
  /** Ids of the probes that tested the check. */
  listActiveProbes(query: CheckTimeRange, signal: AbortSignal): Promise<Listing<number>>;
  listAnalyses(query: CheckTimeRange, signal: AbortSignal): Promise<Listing<Analysis>>;
  credits(signal: AbortSignal): Promise<Credits>;
  listProbes(signal: AbortSignal): Promise<Listing<Probe>>;
  /** The alerts sent. They no longer change if the period is in the past. */
  listActions(query: TimeRange, signal: AbortSignal): Promise<Listing<Action>>;
  /** The contacts of 3.1 and 2.0, the users of 2.1. */
  listContacts(signal: AbortSignal): Promise<Listing<Contact>>;
  listMaintenance(signal: AbortSignal): Promise<Listing<MaintenanceWindow>>;
  listTeams(signal: AbortSignal): Promise<Listing<Team>>;
  listOccurrences(query: TimeRange, signal: AbortSignal): Promise<Listing<MaintenanceOccurrence>>;
  listTransactions(signal: AbortSignal): Promise<Listing<Transaction>>;
  /** The states of all transactions; the states of each are in order, without overlaps. */
  listTransactionStates(query: TimeRange, signal: AbortSignal): Promise<Listing<TransactionStates>>;
  /** In order of time. */
  transactionPerformance(
    query: TransactionPerformanceQuery,
    signal: AbortSignal,
  ): Promise<Listing<TransactionPerformanceInterval>>;
  /** The service's clock, in UNIX seconds. */
  serverTime(signal: AbortSignal): Promise<number>;
  listEmailReports(signal: AbortSignal): Promise<Listing<EmailReport>>;
  listPublicReports(signal: AbortSignal): Promise<Listing<PublicReport>>;
  listSharedReports(signal: AbortSignal): Promise<Listing<SharedReport>>;
}

/** The monitoring service as the exporter sees it, in any version. */
export interface MonitoringService extends ServiceOperations {
  readonly version: ApiVersion;
  readonly baseUrl: string;
  /** The operations of this version. */
  readonly capabilities: ReadonlySet<OperationName>;
}

/** The entries of a list that could be decoded, and those that were rejected. */
export interface Listing<T> {
  readonly items: readonly T[];
  readonly rejected: readonly RejectedEntry[];
  /** Ids of entries that the configuration's filter excludes; absent without such entries. */
  readonly excluded?: ReadonlySet<number>;
  /** Types of checks that are read as `unknown`, each with the id of one; absent without any. */
  readonly unknownTypes?: ReadonlyMap<string, number>;
  /** Ids of entries with more tags than are read; absent without any. */
  readonly withMoreTags?: ReadonlySet<number>;
}

/** A value that contains lists, and the entries of these lists that were rejected. */
export interface Decoded<T> {
  readonly value: T;
  readonly rejected: readonly RejectedEntry[];
}

/**
 * The reasons for which an entry, or one of its values, is omitted from a valid list. The last
 * reason has the name of the setting that corrects the problem.
 */
export const rejectionReasons = [
  'shape',
  'duplicate',
  'overlap',
  'unknown_word',
  'not_listed',
  'transaction_response_unit',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export interface RejectedEntry {
  readonly reason: RejectionReason;
  /** For the log: field names, types of values and words, but no confidential value. */
  readonly detail: string;
}
