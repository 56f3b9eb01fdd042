import { accountFamilies } from './account-families.ts';
import { catalogue, checkFamilies } from './catalogue.ts';
import type {
  AccountFamily,
  CheckFamily,
  Emit,
  Family,
  LeanPart,
  RowFamily,
  SampleSink,
  SampleValue,
  TransactionFamily,
} from './family.ts';
import { transactionFamilies } from './transaction-families.ts';

export const metricsModes = ['lean', 'full'] as const;
export type MetricsMode = (typeof metricsModes)[number];

/** Every family that can be included or excluded. */
export const familyNames: readonly string[] = catalogue.flatMap(({ families }) =>
  families.map(({ name }) => name),
);

interface MetricsChoice {
  readonly mode: MetricsMode;
  /** Families that are served whole in every mode. */
  readonly include?: readonly string[];
  /** Families that are not served. */
  readonly exclude?: readonly string[];
}

/** What the configuration serves of the catalogue; immutable. */
export class ServedFamilies {
  static readonly lean = new ServedFamilies({ mode: 'lean' });
  static readonly full = new ServedFamilies({ mode: 'full' });

  readonly account: readonly AccountFamily[];
  readonly transactions: readonly TransactionFamily[];
  readonly #checks: { readonly some: readonly CheckFamily[]; readonly all: readonly CheckFamily[] };
  readonly mode: MetricsMode;
  readonly #included: ReadonlySet<string>;
  readonly #excluded: ReadonlySet<string>;

  constructor({ mode, include = [], exclude = [] }: MetricsChoice) {
    this.mode = mode;
    this.#included = new Set(include);
    this.#excluded = new Set(exclude);
    this.account = this.#of(accountFamilies);
    this.transactions = this.#of(transactionFamilies);
    const all = this.#of(checkFamilies);
    const some = all.filter((family) => this.#partOf(family) !== 'hourly results');
    this.#checks = { some, all };
  }

  /**
   * The families of checks. `areResultsHourly`: the limits of the account allow the results of each
   * check hourly.
   */
  checks(areResultsHourly: boolean): readonly CheckFamily[] {
    return areResultsHourly ? this.#checks.all : this.#checks.some;
  }

  serves(family: Family): boolean {
    return !this.#excluded.has(family.name) && this.#partOf(family) !== 'nothing';
  }

  /** Returns whether a counter or histogram has series before its first event. */
  servesZeros(family: Family): boolean {
    return this.#partOf(family) !== 'events';
  }

  equals(other: ServedFamilies): boolean {
    return this.#key === other.#key;
  }

  get #key(): string {
    return JSON.stringify([this.mode, [...this.#included].sort(), [...this.#excluded].sort()]);
  }

  #of<R>(families: readonly RowFamily<R>[]): readonly RowFamily<R>[] {
    return families
      .filter((family) => this.serves(family))
      .map((family) => partOf(family, this.#partOf(family)));
  }

  /** Undefined for the whole family. */
  #partOf(family: Family): LeanPart | undefined {
    return this.mode === 'full' || this.#included.has(family.name) ? undefined : family.lean;
  }
}

type Keeps = (...sample: Parameters<Emit>) => boolean;

function partOf<R>(family: RowFamily<R>, part: LeanPart | undefined): RowFamily<R> {
  if (part === 'ones') return { ...family, samples: keptSamples(family, isOne) };
  if (typeof part !== 'object') return family;
  return { ...family, samples: keptSamples(family, hasValue(family, part)) };
}

function isOne(value: SampleValue): boolean {
  return Number(value) === 1;
}

function hasValue(family: Family, { label, values }: Exclude<LeanPart, string>): Keeps {
  const place = family.labels.indexOf(label);
  return (_, ...labelValues) => values.includes(labelValues[place] ?? '');
}

/** Allocates nothing per row, because most rows are written with every list. */
function keptSamples<R>({ samples }: RowFamily<R>, keeps: Keeps): RowFamily<R>['samples'] {
  let sink: SampleSink | undefined;
  const kept: SampleSink = {
    emit: (value, ...labelValues) => {
      if (keeps(value, ...labelValues)) sink?.emit(value, ...labelValues);
    },
    histogram: (totals) => sink?.histogram(totals),
    summary: (...summary) => sink?.summary(...summary),
  };
  return (row, of) => {
    sink = of;
    samples(row, kept);
    sink = undefined;
  };
}
