/** The flags of the other exporters. */
export interface CompatOptions {
  /** In percent; for checks without a tag such as `uptime_slo_999`. */
  readonly defaultSlo: number;
  /** The period before the scrape in which outages are counted. */
  readonly outagePeriodSeconds: number;
  /** Absent when `pingdom_tags` shows tags as they are. */
  readonly parsedTags?: ParsedTags;
}

export interface ParsedTags {
  /** Its first two groups are key and value. */
  readonly format: RegExp;
  /** Keys that become labels, in order; empty for one series per tag. */
  readonly extraLabels: readonly string[];
}

export const defaultTagFormat = '^([a-zA-Z0-9_]+):(.+)$';

/** The defaults of kokuwaio's and jusbrasil's exporters. */
export const defaultCompatOptions: CompatOptions = {
  defaultSlo: 99,
  outagePeriodSeconds: 7 * 86_400,
};

/** Returns the key and the value in a tag; undefined when the tag does not match. */
export function parseTag(
  tag: string,
  format: RegExp,
): { readonly key: string; readonly value: string } | undefined {
  const match = format.exec(tag);
  return match === null ? undefined : { key: match[1] ?? '', value: match[2] ?? '' };
}

/** Returns the label name as in kokuwaio's exporter: `label_business_unit`. */
export function extraLabelName(key: string): string {
  const words = key.replace(/(?<!^)\p{Lu}/gu, '_$&').toLowerCase();
  return `label_${words.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '')}`;
}
