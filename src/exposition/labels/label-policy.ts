import { labelNameOf, refusalOf } from './label-names.ts';
import { type PromotedLabel, promotableProperties, tagLabel } from './promoted-label.ts';

/** One label to promote onto every series of a check and, if it comes from tags, of a transaction. */
export interface Promotion {
  /** `hostname`, `check_type`, or the key of tags and `*`, such as `team:*` or `team-*`. */
  readonly from: string;
  /** The label's name; without it, it is made from the property or the key. */
  readonly as?: string;
}

export interface LabelPolicyOptions {
  /** Nothing else is promoted. */
  readonly promote?: readonly Promotion[];
  /** Distinct values of a label in one account; further ones are left empty. */
  readonly maxValuesPerLabel?: number;
}

/** Labels cannot be promoted as asked for; the message names every one of them and says why. */
export class LabelPolicyError extends Error {
  override readonly name = 'LabelPolicyError';
}

export const defaultMaxValuesPerLabel = 1000;
const tagPattern = /^(.*[^a-zA-Z0-9*])\*$/s;

/** Which labels are promoted; by default none. */
export class LabelPolicy {
  readonly labels: readonly PromotedLabel[];
  readonly maxValuesPerLabel: number;
  readonly #asked: string;

  /** @throws LabelPolicyError */
  constructor({ promote = [], maxValuesPerLabel = defaultMaxValuesPerLabel }: LabelPolicyOptions) {
    const problems: string[] = [];
    const labels = new Map<string, PromotedLabel>();
    for (const promotion of promote) {
      const label = promotedLabel(promotion);
      if (typeof label === 'string') problems.push(`${JSON.stringify(promotion.from)}: ${label}`);
      else if (labels.has(label.name))
        problems.push(`${JSON.stringify(promotion.from)}: two labels cannot both be ${label.name}`);
      else labels.set(label.name, label);
    }
    if (!(Number.isInteger(maxValuesPerLabel) && maxValuesPerLabel > 0))
      problems.push(`the cap on values must be a whole number above 0, not ${maxValuesPerLabel}`);
    if (problems.length > 0) throw new LabelPolicyError(`promoted labels: ${problems.join('; ')}`);
    this.labels = [...labels.values()];
    this.maxValuesPerLabel = maxValuesPerLabel;
    this.#asked = JSON.stringify([promote.map(({ from, as }) => [from, as]), maxValuesPerLabel]);
  }

  equals(other: LabelPolicy): boolean {
    return this.#asked === other.#asked;
  }
}

/** The label, or what is wrong with it. */
function promotedLabel({ from, as }: Promotion): PromotedLabel | string {
  const property = promotableProperties.get(from);
  const prefix = tagPattern.exec(from)?.[1];
  if (property === undefined && prefix === undefined)
    return 'only hostname, check_type, and tags by a key and *, such as team:*, can be promoted';
  const name = labelNameOf(as ?? prefix?.slice(0, -1) ?? from);
  const isItself = property !== undefined && name === from;
  const refusal = isItself ? undefined : refusalOf(name);
  if (refusal !== undefined)
    return `the label ${name} is not possible: ${refusal}; give it another name, such as owner_team for team`;
  return property === undefined ? tagLabel(name, prefix ?? '') : { name, ...property };
}
