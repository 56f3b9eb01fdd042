import type { Emit } from './family.ts';

/**
 * Counts by the values of labels. The ones that are known beforehand are there with 0, so that a count
 * falls to 0 and does not vanish.
 */
export class LabelCounts {
  readonly #counts = new Map<string, { labelValues: readonly string[]; count: number }>();

  constructor(known: readonly (readonly string[])[] = []) {
    for (const labelValues of known) this.add(0, ...labelValues);
  }

  add(count: number, ...labelValues: readonly string[]): void {
    const key = JSON.stringify(labelValues);
    const former = this.#counts.get(key)?.count ?? 0;
    this.#counts.set(key, { labelValues, count: former + count });
  }

  emit(emit: Emit): void {
    for (const { labelValues, count } of this.#counts.values()) emit(count, ...labelValues);
  }
}

/** Every pair of a value of each list. */
export function pairs(
  first: readonly string[],
  second: readonly string[],
): readonly (readonly [string, string])[] {
  return first.flatMap((one) => second.map((other) => [one, other] as const));
}
