const units: readonly (readonly [name: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** From this time on, an interval is shown as `never`. */
const neverSeconds = 365 * 86_400;

/** Formats an interval or a wait. A year or more is `never`. */
export function humanizeInterval(seconds: number): string {
  return seconds < neverSeconds ? humanizeDuration(seconds) : 'never';
}

/** A duration in its two largest units, rounded down: `2 d 4 h`, `3 min`, `0 s`. */
export function humanizeDuration(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds));
  const first = units.findIndex(([, size]) => rest >= size);
  if (first === -1) return '0 s';
  const words: string[] = [];
  for (const [name, size] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${name}`);
  }
  return words.join(' ');
}
