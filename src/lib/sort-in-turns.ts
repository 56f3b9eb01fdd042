/** At most this many comparisons or moves happen between two calls of `yieldIfDue`. */
export const stepsPerTurn = 1_024;

/**
 * Sorts like `toSorted`, in steps between which other work can be done: sorting tens of thousands
 * of rows by name takes longer than a request should wait.
 *
 * @param yieldIfDue awaited after each step
 */
export async function sortInTurns<T>(
  rows: readonly T[],
  compare: (a: T, b: T) => number,
  yieldIfDue: () => Promise<void>,
): Promise<T[]> {
  // A run of this length takes about as many comparisons as there are steps in a turn.
  const firstRun = 128;
  let sorted: T[] = [];
  for (let from = 0; from < rows.length; from += firstRun) {
    for (const row of rows.slice(from, from + firstRun).sort(compare)) sorted.push(row);
    await yieldIfDue();
  }
  for (let run = firstRun; run < rows.length; run *= 2) {
    const merged: T[] = [];
    for (let from = 0; from < sorted.length; from += 2 * run) {
      const middle = Math.min(from + run, sorted.length);
      const end = Math.min(middle + run, sorted.length);
      for (let left = from, right = middle; left < middle || right < end; ) {
        if (merged.length % stepsPerTurn === 0) await yieldIfDue();
        const a = sorted[left] as T;
        const b = sorted[right] as T;
        const isLeft = right >= end || (left < middle && compare(a, b) <= 0);
        merged.push(isLeft ? a : b);
        if (isLeft) left += 1;
        else right += 1;
      }
    }
    sorted = merged;
  }
  return sorted;
}
