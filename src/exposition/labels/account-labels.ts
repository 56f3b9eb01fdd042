import { isDeepStrictEqual } from 'node:util';
import type { DroppedValues } from '../../slo/outage-policy.ts';
import type { LabelValues } from '../../slo/outages.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { commonLabelText } from '../text-format.ts';
import type { LabelPolicy, LabelSource, PromotedLabel } from './label-policy.ts';

/** A check or a transaction. */
export interface LabelledRow extends LabelSource {
  readonly id: number;
  readonly name: string;
}

/** The common labels of the checks or of the transactions of one account. */
export class RowLabels {
  /** The fields the labels depend on. */
  readonly reads: readonly (keyof LabelledRow)[];
  readonly #account: string;
  readonly #promoted: readonly PromotedLabel[];
  readonly #dropped: DroppedValues;

  constructor(account: string, promoted: readonly PromotedLabel[], dropped: DroppedValues) {
    this.#account = account;
    this.#promoted = promoted;
    this.#dropped = dropped;
    this.reads = [
      ...new Set<keyof LabelledRow>(['id', 'name', ...promoted.map(({ reads }) => reads)]),
    ];
  }

  /** Returns text for `SampleWriter.common`. */
  textOf(row: LabelledRow, ownLabels?: readonly string[], promoted?: LabelValues): string {
    return commonLabelText(this.of(row, ownLabels, promoted));
  }

  /** Omits labels of the family itself. `promoted`: other labels, as they were shown. */
  of(row: LabelledRow, ownLabels: readonly string[] = [], promoted?: LabelValues): LabelValues {
    const labels: Record<string, string> = {
      account: this.#account,
      check_id: String(row.id),
      name: row.name,
    };
    const values = promoted === undefined ? this.#valuesOf(row) : Object.entries(promoted);
    for (const [name, value] of values) {
      if (!ownLabels.includes(name)) labels[name] = value;
    }
    return labels;
  }

  *#valuesOf(row: LabelledRow): Iterable<readonly [name: string, value: string]> {
    for (const { name, read } of this.#promoted) {
      const value = read(row);
      yield [name, this.#dropped.get(name)?.has(value) ? '' : value];
    }
  }

  /** Returns whether a family with these labels has the usual common labels. */
  suits(ownLabels: readonly string[]): boolean {
    return !this.#promoted.some(({ name }) => ownLabels.includes(name));
  }
}

/** The labels of one account's checks and transactions; immutable. */
export interface AccountLabels {
  readonly checks: RowLabels;
  readonly transactions: RowLabels;
  readonly dropped: DroppedValues;
  readonly policy: LabelPolicy;
}

/** The previous labels and the snapshot from which they were made. */
interface PreviousLabels {
  readonly snapshot: Pick<AccountSnapshot, 'checks' | 'transactions'>;
  readonly labels: AccountLabels;
}

/** Returns the previous labels if they are still valid. */
export function accountLabels(
  policy: LabelPolicy,
  { account, checks = [], transactions = [] }: AccountSnapshot,
  previous?: PreviousLabels,
): AccountLabels {
  const isSamePolicy = previous?.labels.policy === policy;
  if (
    isSamePolicy &&
    haveSameValues(policy, previous.snapshot.checks ?? [], checks) &&
    haveSameValues(policy, previous.snapshot.transactions ?? [], transactions)
  ) {
    return previous.labels;
  }
  const dropped = droppedValues(policy, [...checks, ...transactions]);
  if (isSamePolicy && isDeepStrictEqual(previous.labels.dropped, dropped)) return previous.labels;
  return {
    checks: new RowLabels(account, policy.labelsOf('check'), dropped),
    transactions: new RowLabels(account, policy.labelsOf('transaction'), dropped),
    dropped,
    policy,
  };
}

/** Whether promoted labels certainly have the same values, by the fields that they read. */
function haveSameValues(
  { labels }: LabelPolicy,
  before: readonly LabelledRow[],
  after: readonly LabelledRow[],
): boolean {
  if (labels.length === 0 || before === after) return true;
  return (
    before.length === after.length &&
    after.every((row, place) => {
      const old = before[place];
      return old === row || labels.every(({ reads }) => old?.[reads] === row[reads]);
    })
  );
}

/**
 * Returns the values beyond the cap. The first sources keep theirs. With sources in the order of
 * their ids, a new value never replaces an old one, and the result depends only on the sources.
 */
export function droppedValues(
  { labels, maxValuesPerLabel }: LabelPolicy,
  sources: readonly LabelSource[],
): DroppedValues {
  return new Map(
    labels.map(({ name, read }) => {
      const kept = new Set<string>();
      const dropped = new Set<string>();
      for (const source of sources) {
        const value = read(source);
        if (value === '' || kept.has(value)) continue;
        (kept.size < maxValuesPerLabel ? kept : dropped).add(value);
      }
      return [name, dropped];
    }),
  );
}

/** Returns the number of values of each label that are newly beyond the cap. */
export function newlyDropped(
  before: DroppedValues | undefined,
  after: DroppedValues,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [label, values] of after) {
    const previous = before?.get(label);
    counts.set(label, [...values].filter((value) => previous?.has(value) !== true).length);
  }
  return counts;
}
