import type { LabelPolicy, LabelSource } from './label-policy.ts';

/** By label, the values that are left empty because they are too many. */
export type DroppedValues = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The values beyond the cap. The first sources keep theirs, so with sources in the order of their ids a
 * new value takes no old one's place, and the outcome depends on nothing but the sources.
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

/** By label, how many values are dropped that were not before. */
export function newlyDropped(
  before: DroppedValues | undefined,
  after: DroppedValues,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [label, values] of after) {
    const former = before?.get(label);
    counts.set(label, [...values].filter((value) => former?.has(value) !== true).length);
  }
  return counts;
}
