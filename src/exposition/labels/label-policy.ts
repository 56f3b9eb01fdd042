import type { Check, CheckTag } from '../../domain/check.ts';
import type { LabelValues } from '../../slo/outages.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import { allLabels } from '../catalogue/family.ts';

/** The source of promoted labels: a check, or a transaction, which has only tags. */
export type LabelSource = Pick<Check, 'tags'> & Partial<Pick<Check, 'hostname' | 'type'>>;

/** A label that series have in addition to the catalogue's labels. */
export interface PromotedLabel {
  readonly name: string;
  readonly reads: keyof LabelSource;
  /** Returns an empty text when the source has no value. */
  readonly read: (source: LabelSource) => string;
}

/** The properties of a check that can be promoted, by their label of `uptime_check_info`. */
const promotableProperties: ReadonlyMap<string, Omit<PromotedLabel, 'name'>> = new Map([
  ['hostname', { reads: 'hostname', read: ({ hostname = '' }) => hostname.toWellFormed() }],
  ['check_type', { reads: 'type', read: ({ type = '' }) => type }],
]);

/** Promotes the part of a tag after `prefix`: `payments` of the tag `team:payments`. */
function tagLabel(name: string, prefix: string): PromotedLabel {
  return { name, reads: 'tags', read: ({ tags }) => tagValue(tags, prefix) };
}

/** Joins the values of tags with this prefix alphabetically, without duplicates. */
function tagValue(tags: readonly CheckTag[], prefix: string): string {
  const values = new Set<string>();
  for (const { name } of tags) {
    if (name.startsWith(prefix)) values.add(name.slice(prefix.length).toWellFormed());
  }
  return [...values].sort().join(',');
}

/**
 * Labels that scrape targets often have, those of the Prometheus operator among them: Prometheus
 * would rename ours to `exported_…`.
 */
const targetLabels = [
  'type',
  'region',
  'env',
  'service',
  'team',
  'job',
  'instance',
  'namespace',
  'pod',
  'container',
  'endpoint',
  'node',
  'prometheus',
  'prometheus_replica',
];
/** External labels by which servers recognise replicas: no server overwrites them in a series. */
const externalLabels = ['cluster', 'replica'];
/** Labels that an evaluated rule sets. */
const ruleLabels = ['alertname', 'alertstate', 'severity'];
/** Labels with a meaning in the exposition formats. */
const formatLabels = ['le', 'quantile'];

/** The names that every version of Prometheus accepts. */
export const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Returns a valid name: letters lose their accents, and other characters become `_`. */
function labelNameOf(text: string): string {
  const name = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-zA-Z0-9_]/gu, '_');
  return /^\d/.test(name) ? `_${name}` : name;
}

/** Returns why the name is not allowed for a promoted label; undefined if it is. */
function labelNameProblem(name: string): string | undefined {
  if (name === '') return 'a label needs a name';
  if (!labelName.test(name)) return 'a name has letters, digits and _, and begins with no digit';
  if (name.startsWith('__')) return 'names that begin with __ are reserved for Prometheus';
  if (targetLabels.includes(name)) return 'it clashes with a label that scrape targets have';
  if (externalLabels.includes(name)) return 'it clashes with an external label of Prometheus';
  if (name.startsWith('exported_')) return 'Prometheus renames clashing labels so';
  if (ruleLabels.includes(name)) return 'alerting rules set it';
  if (formatLabels.includes(name)) return 'it has a meaning of its own in the exposition formats';
  const family = catalogue
    .flatMap(({ families }) => families)
    .find((candidate) => allLabels(candidate).includes(name));
  return family && `${family.name} already has a label of that name`;
}

/** One label to promote to every series of a check and, if it comes from tags, of a transaction. */
export interface Promotion {
  /** `hostname`, `check_type`, or the key of tags and `*`, such as `team:*` or `team-*`. */
  readonly from: string;
  /** The label's name; by default derived from the property or the key. */
  readonly as?: string;
}

interface LabelPolicyOptions {
  /** Only these labels are promoted. */
  readonly promote?: readonly Promotion[];
}

/** Labels cannot be promoted as configured; the message names each of them and the reason. */
export class LabelPolicyError extends Error {
  override readonly name = 'LabelPolicyError';
}

const tagPattern = /^(.*[^a-zA-Z0-9*])\*$/s;

/** The labels to promote; by default none. */
export class LabelPolicy {
  readonly labels: readonly PromotedLabel[];
  readonly #key: string;

  /** @throws LabelPolicyError */
  constructor({ promote = [] }: LabelPolicyOptions) {
    const problems: string[] = [];
    const labels = new Map<string, PromotedLabel>();
    for (const promotion of promote) {
      const label = promotedLabel(promotion);
      if (typeof label === 'string') problems.push(`${JSON.stringify(promotion.from)}: ${label}`);
      else if (labels.has(label.name))
        problems.push(
          `${JSON.stringify(promotion.from)}: another label is already named ${label.name}; give this one another name with as`,
        );
      else labels.set(label.name, label);
    }
    if (problems.length > 0) throw new LabelPolicyError(`promoted labels: ${problems.join('; ')}`);
    this.labels = [...labels.values()];
    this.#key = JSON.stringify(promote.map(({ from, as }) => [from, as]));
  }

  /** Returns the promoted labels; a transaction has only those from tags. */
  promotedOf(kind: 'check' | 'transaction', source: LabelSource): LabelValues | undefined {
    const labels = this.labelsOf(kind);
    if (labels.length === 0) return undefined;
    return Object.fromEntries(labels.map(({ name, read }) => [name, read(source)]));
  }

  labelsOf(kind: 'check' | 'transaction'): readonly PromotedLabel[] {
    return kind === 'check' ? this.labels : this.labels.filter(({ reads }) => reads === 'tags');
  }

  equals(other: LabelPolicy): boolean {
    return this.#key === other.#key;
  }
}

/** Returns whether the source of a promotion has the right form; its label may still be refused. */
export function isPromotable(from: string): boolean {
  return promotableProperties.has(from) || tagPattern.test(from);
}

/** Returns the label, or the mistake in its configuration as text. */
function promotedLabel({ from, as }: Promotion): PromotedLabel | string {
  const property = promotableProperties.get(from);
  const prefix = tagPattern.exec(from)?.[1];
  if (property === undefined && prefix === undefined)
    return 'only hostname, check_type, and tags by a key and *, such as team:*, can be promoted';
  const derived = labelNameOf(prefix?.slice(0, -1) ?? from);
  const name = as ?? derived;
  const isItself = property !== undefined && name === from;
  const refusal = isItself ? undefined : labelNameProblem(name);
  if (refusal !== undefined) {
    const other = labelNameOf(name);
    const proposal = labelNameProblem(other) === undefined ? other : `owner_${other}`;
    return `the label "${name}" is not possible: ${refusal}; give it another name with as, such as "as: ${proposal}"`;
  }
  return property === undefined ? tagLabel(name, prefix ?? '') : { name, ...property };
}
