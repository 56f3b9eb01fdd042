import type { LabelValues } from '../../slo/outages.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { commonLabelText } from '../text-format.ts';
import type { LabelPolicy, LabelSource, PromotedLabel } from './label-policy.ts';

/** The labels that all families of rows have. */
export interface CommonLabels<R> {
  /** Returns text for `SampleWriter.common`. */
  textOf(row: R, ownLabels?: readonly string[]): string;
  /** Returns whether a family with these labels has the usual common labels. */
  suits(ownLabels: readonly string[]): boolean;
  /** Returns whether no field that the labels depend on has changed. */
  areSame(before: R, row: R): boolean;
}

/** A check or a transaction. */
export interface LabelledRow extends LabelSource {
  readonly id: number;
  readonly name: string;
}

/** The common labels of the checks or of the transactions of one account. */
export class RowLabels implements CommonLabels<LabelledRow> {
  /** The fields the labels depend on. */
  readonly #reads: readonly (keyof LabelledRow)[];
  readonly #account: string;
  readonly #promoted: readonly PromotedLabel[];

  constructor(account: string, promoted: readonly PromotedLabel[]) {
    this.#account = account;
    this.#promoted = promoted;
    this.#reads = ['id', 'name', ...promoted.map(({ reads }) => reads)];
  }

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
    const add = (name: string, value: string) => {
      if (!ownLabels.includes(name)) labels[name] = value;
    };
    if (promoted === undefined) for (const { name, read } of this.#promoted) add(name, read(row));
    else for (const [name, value] of Object.entries(promoted)) add(name, value);
    return labels;
  }

  suits(ownLabels: readonly string[]): boolean {
    return !this.#promoted.some(({ name }) => ownLabels.includes(name));
  }

  areSame(before: LabelledRow, row: LabelledRow): boolean {
    return this.#reads.every((field) => before[field] === row[field]);
  }
}

/** The labels of one account, its checks and transactions; immutable. */
export interface AccountLabels {
  readonly account: CommonLabels<AccountSnapshot>;
  readonly checks: RowLabels;
  readonly transactions: RowLabels;
  readonly policy: LabelPolicy;
}

export function accountLabels(policy: LabelPolicy, account: string): AccountLabels {
  return {
    account: {
      textOf: (snapshot) => commonLabelText({ account: snapshot.account }),
      suits: () => true,
      areSame: () => true,
    },
    checks: new RowLabels(account, policy.labelsOf('check')),
    transactions: new RowLabels(account, policy.labelsOf('transaction')),
    policy,
  };
}
