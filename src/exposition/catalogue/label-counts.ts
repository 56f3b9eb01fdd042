import type { Emit } from './family.ts';

/** The label value of a property that the service may omit. */
export function trueFalseUnknown(value: boolean | undefined): string {
  return value === undefined ? 'unknown' : String(value);
}

interface Count {
  readonly labelValues: readonly string[];
  count: number;
}

/** A node of the tree of counts, one level per label. A leaf has the count. */
interface Branch {
  readonly branches: Map<string, Branch>;
  count?: Count;
}

/** Counts by label values. Known values start at 0, so that they fall to 0. */
export class LabelCounts {
  readonly #root: Branch = { branches: new Map() };
  readonly #counts: Count[] = [];

  constructor(counted: readonly (readonly string[])[] = []) {
    for (const labelValues of counted) this.add(0, ...labelValues);
  }

  add(count: number, ...labelValues: readonly string[]): void {
    let branch = this.#root;
    for (const value of labelValues) {
      const below = branch.branches.get(value);
      const next = below ?? { branches: new Map() };
      if (below === undefined) branch.branches.set(value, next);
      branch = next;
    }
    if (branch.count === undefined) {
      branch.count = { labelValues, count };
      this.#counts.push(branch.count);
    } else branch.count.count += count;
  }

  emit(emit: Emit): void {
    for (const { labelValues, count } of this.#counts) emit(count, ...labelValues);
  }
}

/** Every combination of a value of the first list with a value of the second. */
export function pairs(
  first: readonly string[],
  second: readonly string[],
): readonly (readonly [string, string])[] {
  return first.flatMap((one) => second.map((other) => [one, other] as const));
}
