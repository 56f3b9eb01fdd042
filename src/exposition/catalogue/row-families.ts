import type { DatasetName } from '../../domain/dataset.ts';
import { type TalliedState, talliedStates } from '../../domain/interval.ts';
import type { SecondsByState } from '../../domain/totals.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Emit, Family, MetricType, RowFamily, SampleSink, SampleValue } from './family.ts';

/** The labels of every series of a check or a transaction; promoted ones follow them. */
const rowLabels = ['account', 'check_id', 'name'] as const;

interface LabelledRow<R, K extends keyof R> {
  readonly reads: readonly K[];
  readonly labels: readonly string[];
  readonly samples: (row: Pick<R, K>, emit: Emit) => void;
}

/** A field whose value is a sample. */
type SampleField<R> = {
  [K in keyof R]-?: NonNullable<R[K]> extends NonNullable<SampleValue> ? K : never;
}[keyof R];

/**
 * Makes families with the same common labels and dataset. They are gauges, or counters by their
 * name. The types let a family read only the fields that it declares.
 */
class RowFamilies<R> {
  readonly #common: Pick<Family, 'commonLabels' | 'dataset'>;

  constructor(commonLabels: readonly string[], dataset?: DatasetName) {
    this.#common = dataset === undefined ? { commonLabels } : { commonLabels, dataset };
  }

  /** Makes a family with one series: the value of a field, absent while it is unknown. */
  field(name: string, help: string, field: SampleField<R>): RowFamily<R> {
    return this.value(name, help, field, (value) => value as SampleValue);
  }

  /** Makes a family with one series, from a field that is absent while it is unknown. */
  value<K extends keyof R>(
    name: string,
    help: string,
    field: K,
    value: (part: NonNullable<R[K]>) => SampleValue,
  ): RowFamily<R> {
    const family = this.values(name, help, field, [], (part: NonNullable<R[K]>, emit) =>
      emit(value(part)),
    );
    return { ...family, value: valueIn(field, value) };
  }

  /** Makes a family with several series from a field, absent while it is unknown. */
  values<K extends keyof R>(
    name: string,
    help: string,
    field: K,
    labels: readonly string[],
    samples: (part: NonNullable<R[K]>, emit: Emit) => void,
  ): RowFamily<R> {
    return this.labelled(name, help, {
      reads: [field],
      labels,
      samples: (row, emit) => withPart(row[field], samples, emit),
    });
  }

  /** Makes a family with a series for each state of the tally, absent while unknown. */
  stateSeconds<K extends keyof R>(
    name: string,
    help: string,
    field: K,
    secondsOf: (part: NonNullable<R[K]>) => SecondsByState | undefined,
  ): RowFamily<R> {
    const ofStates = (states: readonly TalliedState[]) =>
      this.values(name, help, field, ['state'], (part, emit) => {
        const seconds = secondsOf(part);
        if (seconds !== undefined) for (const state of states) emit(seconds[state], state);
      });
    const parts = talliedStates.map((state) => ({
      ...ofStates([state]),
      value: valueIn(field, (part: NonNullable<R[K]>) => secondsOf(part)?.[state]),
    }));
    return { ...ofStates(talliedStates), parts };
  }

  /** Makes a family with series from several fields. */
  labelled<K extends keyof R>(name: string, help: string, row: LabelledRow<R, K>): RowFamily<R> {
    const { reads, labels, samples } = row;
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    return {
      ...this.#family(name, type, help, reads, labels),
      samples: (entry, { emit }) => samples(entry, emit),
    };
  }

  /** Makes a family with histograms or summaries from a field, absent while unknown. */
  distributions<K extends keyof R>(
    name: string,
    type: 'histogram' | 'summary',
    help: string,
    field: K,
    labels: readonly string[],
    samples: (part: NonNullable<R[K]>, sink: SampleSink) => void,
  ): RowFamily<R> {
    return {
      ...this.#family(name, type, help, [field], labels),
      samples: (row, sink) => withPart(row[field], samples, sink),
    };
  }

  #family<K extends keyof R>(
    name: string,
    type: MetricType,
    help: string,
    reads: readonly K[],
    labels: readonly string[],
  ) {
    return { name, type, help, ...this.#common, labels, reads };
  }
}

/** Families of the checks, of the transactions, or of what both have in common. */
export function itemFamiliesOf<R>(dataset: DatasetName): RowFamilies<R> {
  return new RowFamilies(rowLabels, dataset);
}

/** Without a dataset, the values are valid at any age of the data. */
export function accountFamiliesOf(dataset?: DatasetName): RowFamilies<AccountSnapshot> {
  return new RowFamilies(['account'], dataset);
}

/** Returns a function that reads a value from a field, undefined while the field is unknown. */
function valueIn<R, K extends keyof R>(
  field: K,
  value: (part: NonNullable<R[K]>) => SampleValue,
): (row: R) => SampleValue {
  return (row) => {
    const part = row[field];
    return part === undefined || part === null ? undefined : value(part);
  };
}

function withPart<T, S>(part: T, use: (known: NonNullable<T>, sink: S) => void, sink: S): void {
  if (part !== undefined && part !== null) use(part, sink);
}
