/** What users of the other exporters set with flags. */
export interface CompatOptions {
  /** In percent; for checks without a tag such as `uptime_slo_999`. */
  readonly defaultSlo: number;
  /** How far back outages are counted. */
  readonly outagePeriodSeconds: number;
  /** Absent when tags are shown as they are, by `pingdom_tags`. */
  readonly parsedTags?: ParsedTags;
}

export interface ParsedTags {
  /** Its first two groups are key and value. */
  readonly format: RegExp;
  /** Keys with a label each, in their order; empty for one series a tag. */
  readonly extraLabels: readonly string[];
}

export const defaultTagFormat = '^([a-zA-Z0-9_]+):(.+)$';

/** As kokuwaio's and jusbrasil's exporters have it without flags. */
export const defaultCompatOptions: CompatOptions = {
  defaultSlo: 99,
  outagePeriodSeconds: 7 * 86_400,
};

/** The key and the value in a tag; undefined for one of another form. */
export function parseTag(
  tag: string,
  format: RegExp,
): { readonly key: string; readonly value: string } | undefined {
  const match = format.exec(tag);
  return match === null ? undefined : { key: match[1] ?? '', value: match[2] ?? '' };
}

/** The name of the label of a key, as kokuwaio's exporter forms it: `BusinessUnit` gives `label_business_unit`. */
export function extraLabelName(key: string): string {
  const words = key.replace(/(?<!^)\p{Lu}/gu, '_$&').toLowerCase();
  return `label_${words.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '')}`;
}
