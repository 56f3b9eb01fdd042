import type { ParsedFamily, ParsedSample } from './openmetrics-parser.ts';

/**
 * OpenMetrics 1.0.0, "Histogram": canonical ascending bounds, cumulative buckets, +Inf equal to the
 * count.
 */
export function checkHistogram({ name, samples }: ParsedFamily): void {
  const groups = new Map<string, ParsedSample[]>();
  let lastKey: string | undefined;
  for (const sample of samples) {
    const { le: _, ...others } = sample.labels;
    const key = JSON.stringify(Object.entries(others).sort());
    if (key !== lastKey && groups.has(key)) throw new Error(`${name}: one histogram in two places`);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
    lastKey = key;
  }
  for (const group of groups.values()) checkGroup(name, group);
}

function checkGroup(name: string, samples: readonly ParsedSample[]): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const counts = samples.filter((sample) => sample.name === `${name}_count`);
  const sums = samples.filter((sample) => sample.name === `${name}_sum`);
  if (counts.length !== 1 || sums.length !== 1)
    throw new Error(`${name}: not one sum and one count`);
  const bounds = buckets.map(({ labels }) => labels.le ?? '');
  for (const bound of bounds) {
    if (!/^(?:\d+\.\d+|\d\.?\d*e[+-]\d\d|\+Inf)$/.test(bound))
      throw new Error(`${name}: le "${bound}"`);
  }
  if (bounds.at(-1) !== '+Inf') throw new Error(`${name}: the last bucket is not +Inf`);
  const finite = bounds.slice(0, -1).map(Number);
  if (!isAscending(finite) || new Set(finite).size !== finite.length)
    throw new Error(`${name}: bounds`);
  if (!isAscending(buckets.map(({ value }) => value))) throw new Error(`${name}: not cumulative`);
  if (buckets.at(-1)?.value !== counts[0]?.value) throw new Error(`${name}: +Inf is not the count`);
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0));
}
