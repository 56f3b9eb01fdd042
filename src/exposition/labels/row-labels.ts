import { commonLabelText } from '../sample-writer.ts';
import type { DroppedValues } from './dropped-values.ts';
import type { LabelSource, PromotedLabel } from './promoted-label.ts';

/** A check or a transaction. */
export interface Row extends LabelSource {
  readonly id: number;
  readonly name: string;
}

/** The common labels of the checks or of the transactions of one account. */
export class RowLabels {
  /** The fields the labels depend on. */
  readonly reads: readonly (keyof Row)[];
  readonly #account: string;
  readonly #promoted: readonly PromotedLabel[];
  readonly #dropped: DroppedValues;

  constructor(account: string, promoted: readonly PromotedLabel[], dropped: DroppedValues) {
    this.#account = account;
    this.#promoted = promoted;
    this.#dropped = dropped;
    this.reads = [...new Set<keyof Row>(['id', 'name', ...promoted.map(({ reads }) => reads)])];
  }

  /** Text for `SampleWriter.common`. A family that has one of the labels itself does not get it again. */
  textOf(row: Row, ownLabels: readonly string[] = []): string {
    const labels: Record<string, string> = {
      account: this.#account,
      check_id: String(row.id),
      name: row.name,
    };
    for (const { name, read } of this.#promoted) {
      if (ownLabels.includes(name)) continue;
      const value = read(row);
      labels[name] = this.#dropped.get(name)?.has(value) ? '' : value;
    }
    return commonLabelText(labels);
  }

  /** Whether a family with these labels of its own has the same common labels as the others. */
  suits(ownLabels: readonly string[]): boolean {
    return !this.#promoted.some(({ name }) => ownLabels.includes(name));
  }
}
