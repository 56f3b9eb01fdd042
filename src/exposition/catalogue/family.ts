import type { BudgetView } from '../../budget/budget-view.ts';
import type { DatasetName, RefreshClass } from '../../domain/dataset.ts';
import type { HistogramTotals, SecondsByState } from '../../domain/totals.ts';
import type { AccountFailure } from '../../state/account-failure.ts';
import type { BackfillJobState } from '../../state/backfill/backfill-job.ts';
import type { AccountSnapshot, CheckRow, TransactionRow } from '../../state/snapshot.ts';

/** A summary has a sum and a count, and no quantiles. */
export type MetricType = 'gauge' | 'counter' | 'histogram' | 'summary';

/** A family as people and rules see it: everything but where its values come from. */
export interface Family {
  readonly name: string;
  readonly type: MetricType;
  /** One sentence. */
  readonly help: string;
  /** Labels that every family of the scope bears, in the order of the sample line. */
  readonly commonLabels: readonly string[];
  readonly labels: readonly string[];
  /** The dataset whose age the values have; absent when they are true whatever its age. */
  readonly dataset?: DatasetName;
  /** The family once for each dataset that its samples stem from, where those are several. */
  readonly byDataset?: readonly Family[];
  /** The values stand, and are to be seen, however old the dataset is. */
  readonly neverWithdrawn?: boolean;
}

/**
 * Takes one sample: its value and the values of the family's own labels, in their order. A value that
 * is not known is undefined and gives no sample.
 */
export type Emit = (value: SampleValue, ...labelValues: readonly string[]) => void;
export type SampleValue = number | boolean | undefined;

/** Takes the samples of one family, in whichever form its type has. */
export interface SampleSink {
  readonly emit: Emit;
  /** One histogram; none when there are no totals. */
  readonly histogram: (totals: HistogramTotals | undefined) => void;
  /** One summary. */
  readonly summary: (sum: number, count: number, ...labelValues: readonly string[]) => void;
}

/** Series for each check, transaction or account, read from its data. */
export interface RowFamily<R> extends Family {
  /** The fields the samples depend on: text is rendered again only when one of them changed. */
  readonly reads: readonly (keyof R)[];
  readonly samples: (row: R, sink: SampleSink) => void;
  /**
   * The same samples in parts that are rendered apart, where some change with every list and others hardly
   * ever. The page has one part after the other.
   */
  readonly parts?: readonly RowFamily<R>[];
  readonly byDataset?: readonly RowFamily<R>[];
  /** Tells at little cost that the samples are the same, where a field that they read is a new object. */
  readonly isSame?: (before: R, after: R) => boolean;
}

export type AccountFamily = RowFamily<AccountSnapshot>;
export type CheckFamily = RowFamily<CheckRow>;
export type TransactionFamily = RowFamily<TransactionRow>;

/** What the exporter knows about its own work for one account. */
export interface AccountView {
  readonly snapshot: AccountSnapshot;
  readonly budget: BudgetView;
  readonly schedule: ScheduleView;
  readonly counting?: CountingView;
  /** Why the check list cannot be read, or `none`. */
  readonly failure: AccountFailure;
  /** Absent when the past of every check is known. */
  readonly firstSight?: FirstSightView;
  /** Absent when no backfill job was begun. */
  readonly backfill?: Pick<BackfillJobState, 'items' | 'read' | 'open'>;
}

/** How far what happened before the first sight of the checks has been read. */
export interface FirstSightView {
  /** Checks whose past is not known. */
  readonly pastsLeft: number;
  /** False if the dataset is switched off or the service refuses it: the past will not be known. */
  readonly isRead: boolean;
  /** The service refuses the past of every check that is left. */
  readonly isRefused?: true;
  /** Until all have been read, if the budget goes on as it is; absent while nothing tells. */
  readonly doneInSeconds?: number;
}

/** How far the counters of the checks reach. */
export interface CountingView {
  /** UNIX seconds by the service's clock; absent when no check is tested. */
  readonly countedUntilSeconds?: number;
  readonly lagSeconds: number;
  readonly lateSeconds: SecondsByState;
  /** What the counting of maintenance rests on, and why where it was not read. */
  readonly maintenance: { readonly is: 'known' | 'awaited' | 'none'; readonly why?: string };
}

/** The requests that the exporter has scheduled for one account, and how late they are. */
export interface ScheduleView {
  /** Requests per second needed to refresh everything at its shortest interval, whatever the budget. */
  readonly demandRequestsPerSecond: number;
  /** By planned dataset: requests per second missing to refresh it often enough to be useful. */
  readonly missingRequestsPerSecond: { readonly [D in DatasetName]?: number };
  /** Items on the agenda by class. */
  readonly items: { readonly [C in RefreshClass]: number };
  /** How long the oldest due item has been waiting; 0 when nothing is due. */
  readonly oldestDueSeconds: number;
}

/** Series about the exporter's own work for each account, read at the moment of the scrape. */
export interface ViewFamily extends Family {
  /** `nowSeconds` is the UNIX time of the scrape. */
  readonly samples: (view: AccountView, emit: Emit, nowSeconds: number) => void;
}

/** Series that the exporter records while it works. */
export interface RecordedFamily<L extends string = string> extends Family {
  readonly labels: readonly L[];
}

export interface HistogramFamily<L extends string = string> extends RecordedFamily<L> {
  /** Upper bounds in seconds, ascending, without +Inf. */
  readonly buckets: readonly number[];
}

const unitSuffix = /_(seconds|bytes)(?:_total)?$/;

/** The base unit that the name ends in, by the Prometheus naming rules; undefined for a plain number. */
export function unitOf(name: string): string | undefined {
  return unitSuffix.exec(name)?.[1];
}

export function allLabels(family: Family): readonly string[] {
  return [...family.commonLabels, ...family.labels];
}
