import type { BudgetView } from '../../budget/budget-view.ts';
import type { Check } from '../../domain/check.ts';
import type { DatasetName } from '../../domain/dataset.ts';
import type { AccountSnapshot } from '../../state/account-snapshot.ts';

export type MetricType = 'gauge' | 'counter' | 'histogram';

/** A family as people and rules see it: everything but where its values come from. */
export interface Family {
  readonly name: string;
  readonly type: MetricType;
  /** One sentence. */
  readonly help: string;
  /** Labels that every family of the scope bears, in the order of the sample line. */
  readonly commonLabels: readonly string[];
  readonly labels: readonly string[];
  /** The dataset the values come from; absent when they do not depend on one. */
  readonly dataset?: DatasetName;
}

/**
 * Takes one sample: its value and the values of the family's own labels, in their order. A value that
 * is not known is undefined and gives no sample.
 */
export type Emit = (value: SampleValue, ...labelValues: readonly string[]) => void;
export type SampleValue = number | boolean | undefined;

/** One or more series for each check. */
export interface CheckFamily extends Family {
  /** The fields the samples depend on: text is rendered again only when one of them changed. */
  readonly reads: readonly (keyof Check)[];
  readonly samples: (check: Check, emit: Emit) => void;
}

/** Series for each account, read from its data. */
export interface AccountFamily extends Family {
  readonly samples: (snapshot: AccountSnapshot, emit: Emit) => void;
}

/** What the exporter knows about its own work for one account. */
export interface AccountView {
  readonly snapshot: AccountSnapshot;
  readonly budget: BudgetView;
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
