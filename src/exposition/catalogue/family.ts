import type { BudgetView } from '../../budget/budget-view.ts';
import type { DatasetName, RefreshClass } from '../../domain/dataset.ts';
import type { HistogramTotals, SecondsByState } from '../../domain/totals.ts';
import type { AccountFailure } from '../../state/account-failure.ts';
import type { ListTiming } from '../../state/list-timing.ts';
import type {
  AccountSnapshot,
  AccountSummary,
  CheckRow,
  TransactionRow,
} from '../../state/snapshot.ts';

/** A summary has a sum and a count, and no quantiles. */
export type MetricType = 'gauge' | 'counter' | 'histogram' | 'summary';

/** The properties of a family that users and rules can see. */
export interface Family {
  readonly name: string;
  readonly type: MetricType;
  /** One sentence. */
  readonly help: string;
  /** Labels that all families of the same scope have, in the order of the sample line. */
  readonly commonLabels: readonly string[];
  readonly labels: readonly string[];
  /** The dataset that the values come from; absent if they are valid at any age of the data. */
  readonly dataset?: DatasetName;
  /**
   * The same samples in parts that are rendered separately, because they come from several datasets,
   * or because some change with every list and others rarely. The page contains the parts of an
   * account one after the other.
   */
  readonly parts?: readonly Family[];
  /** Whether the values are shown even if the dataset is stale. */
  readonly neverWithdrawn?: boolean;
  /** What `metrics: lean` serves of it; the whole family if absent. */
  readonly lean?: LeanPart;
}

/**
 * A part of a family:
 *
 * - `nothing`: no rule, board or documented query reads it.
 * - `ones`: the series whose value is 1.
 * - `events`: no series before its first event.
 * - `hourly results`: every series, of accounts whose limits allow the results of each check hourly.
 * - values of a label: the series with one of these.
 */
export type LeanPart = 'nothing' | 'ones' | 'events' | 'hourly results' | LabelValues;

interface LabelValues {
  readonly label: string;
  readonly values: readonly string[];
}

/** Serves only a part of the family with `metrics: lean`. */
export function lean<F extends Family>(part: LeanPart, family: F): F {
  return { ...family, lean: part };
}

export function inWindows(...values: readonly string[]): LabelValues {
  return { label: 'window', values };
}

/** Takes a value and the values of the family's own labels; an undefined value is no sample. */
export type Emit = (value: SampleValue, ...labelValues: readonly string[]) => void;
export type SampleValue = number | boolean | undefined;

/** Receives the samples of one family, in the form of its type. */
export interface SampleSink {
  readonly emit: Emit;
  /** Adds one histogram; adds nothing without totals. */
  readonly histogram: (totals: HistogramTotals | undefined) => void;
  /** Adds one summary. */
  readonly summary: (sum: number, count: number, ...labelValues: readonly string[]) => void;
}

/** A family with series for each row: a check, an account, or the exporter itself. */
export interface SampledFamily<R> extends Family {
  readonly samples: (row: R, sink: SampleSink) => void;
}

/** Series for each check, transaction or account, read from its data. */
export interface RowFamily<R> extends SampledFamily<R> {
  /** The fields the samples depend on: text is written again only when one of them changed. */
  readonly reads: readonly (keyof R)[];
  /** The only value that the samples depend on, where the field that is read has others, too. */
  readonly value?: (row: R) => SampleValue;
  readonly parts?: readonly RowFamily<R>[];
}

/** Returns the parts of a family, which is its own part if it has no others. */
export function partsOf<F extends { readonly parts?: readonly F[] }>(family: F): readonly F[] {
  return family.parts ?? [family];
}

export type AccountFamily = RowFamily<AccountSnapshot>;
export type CheckFamily = RowFamily<CheckRow>;
export type TransactionFamily = RowFamily<TransactionRow>;

/** The exporter's own state for one account. */
export interface AccountView {
  readonly snapshot: AccountSummary;
  readonly budget: BudgetView;
  readonly schedule: ScheduleView;
  readonly counting?: CountingView;
  /** The reason for which the check list cannot be read, or `none`. */
  readonly failure: AccountFailure;
  /** Absent before the first check list. */
  readonly list?: ListTiming;
  /** Absent when the past of every check is known. */
  readonly firstSight?: FirstSightView;
}

/** The progress of reading the time before the checks were first seen. */
export interface FirstSightView {
  /** Checks whose past is not known. */
  readonly pastsLeft: number;
  /** Checks whose counters wait for a report that may show a pause in an absence. */
  readonly pausesLeft: number;
  /** False if the dataset is switched off or the service refuses it: the past will not be known. */
  readonly isRead: boolean;
  /** The service refuses the past of every check that is left. */
  readonly isRefused?: true;
  /**
   * The expected time until all pasts are read, with as many events as recently; absent without an
   * estimate.
   */
  readonly doneInSeconds?: number;
  /** The same while events use their whole share of the budget. */
  readonly doneAtLatestInSeconds?: number;
}

/** The time up to which checks are counted, and the seconds from then to the present. */
interface CountingView {
  /** UNIX seconds by the service's clock; absent when no check is tested. */
  readonly countedUntilSeconds?: number;
  /** Until when counters stand still, because the service's clock was ahead. UNIX seconds. */
  readonly waitsUntilSeconds?: number;
  readonly lagSeconds: number;
  readonly lateSeconds: SecondsByState;
  /** Whether the maintenance for counting is known; `why`: the reason if it is not. */
  readonly maintenance: {
    readonly is: 'known' | 'awaited' | 'earlier' | 'none';
    readonly why?: string;
    readonly readAtSeconds?: number;
  };
}

/** The requests that the exporter has scheduled for one account, and how late they are. */
export interface ScheduleView {
  /** Requests per second for the shortest intervals, regardless of the budget. */
  readonly demandRequestsPerSecond: number;
  /** Requests per second that are missing to refresh a planned dataset often enough, by dataset. */
  readonly missingRequestsPerSecond: { readonly [D in DatasetName]?: number };
  /** Refresh tasks on the agenda, by class. */
  readonly items: { readonly [C in RefreshClass]: number };
  /** The time that the oldest due refresh task has been waiting; 0 if none is due. */
  readonly oldestDueSeconds: number;
  /** The time that the most overdue item of a dataset has been due; 0 if none is. */
  readonly overdueSeconds: { readonly [D in DatasetName]?: number };
}

/** An account that replicas share, as one of them sees its lease. */
export interface SharedAccount {
  readonly account: string;
  readonly isHeld: boolean;
  /** The number of the take; absent unless held. */
  readonly number?: number;
  readonly expiredTakes: number;
  readonly remainingSeconds: number;
}

/** The exporter's own state over all accounts. */
export interface ExporterView {
  /** The names of recently removed accounts. */
  readonly removedAccounts: readonly string[];
  /** Absent if accounts are not shared. */
  readonly leases?: {
    readonly isDatabaseUp: boolean;
    readonly accounts: readonly SharedAccount[];
  };
}

/** One account at the moment of a scrape. */
export interface ScrapedAccount extends AccountView {
  /** UNIX seconds. */
  readonly nowSeconds: number;
}

/** Series that the exporter records while it works. */
export interface RecordedFamily<L extends string = string> extends Family {
  readonly labels: readonly L[];
}

export interface HistogramFamily<L extends string = string> extends RecordedFamily<L> {
  /** Upper bounds in seconds, ascending, without +Inf. */
  readonly buckets: readonly number[];
}

/** A family about the exporter's own work: a counter if its name says so, otherwise a gauge. */
export function exporterFamily<const L extends string = never>(
  suffix: string,
  help: string,
  labels: readonly L[] = [],
): RecordedFamily<L> {
  const type = suffix.endsWith('_total') ? 'counter' : 'gauge';
  return { name: `uptime_exporter_${suffix}`, type, help, commonLabels: [], labels };
}

const unitSuffix = /_(seconds|bytes)(?:_total)?$/;

/** The base unit at the end of the name (Prometheus naming rules), if any. */
export function unitOf(name: string): string | undefined {
  return unitSuffix.exec(name)?.[1];
}

export function allLabels(family: Family): readonly string[] {
  return [...family.commonLabels, ...family.labels];
}
