export function median(runs: readonly number[]): number {
  const sorted = runs.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.max(0, middle - 1)], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}
