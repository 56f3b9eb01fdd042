import type { Check, CheckTag } from '../../domain/check.ts';

/** What labels are promoted from: a check, or a transaction, which has tags only. */
export type LabelSource = Pick<Check, 'tags'> & Partial<Pick<Check, 'hostname' | 'type'>>;

/** A label that series bear besides those of the catalogue. */
export interface PromotedLabel {
  readonly name: string;
  readonly reads: keyof LabelSource;
  /** Empty where the source says nothing. */
  readonly read: (source: LabelSource) => string;
}

/** The properties of a check that can be promoted, by the label that `uptime_check_info` has for each. */
export const promotableProperties: ReadonlyMap<string, Omit<PromotedLabel, 'name'>> = new Map([
  ['hostname', { reads: 'hostname', read: ({ hostname = '' }) => hostname.toWellFormed() }],
  ['check_type', { reads: 'type', read: ({ type = '' }) => type }],
]);

/** Promotes what follows `prefix` in tags: with `team:`, the tag `team:payments` has the value `payments`. */
export function tagLabel(name: string, prefix: string): PromotedLabel {
  return { name, reads: 'tags', read: ({ tags }) => tagValue(tags, prefix) };
}

/** Several tags of one key are joined in the order of their text, each once. */
function tagValue(tags: readonly CheckTag[], prefix: string): string {
  const values = new Set<string>();
  for (const { name } of tags) {
    if (name.startsWith(prefix)) values.add(name.slice(prefix.length).toWellFormed());
  }
  return [...values].sort().join(',');
}
