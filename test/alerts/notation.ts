/** One value a second in the notation of promtool; undefined marks a series as stale. */
export function notation(list: ReadonlyMap<number, number | undefined>, seconds: number): string {
  const parts: string[] = [];
  let next = 0;
  for (const [second, value] of list) {
    const gap = second - next;
    if (gap > 0) parts.push(`_x${gap}`);
    parts.push(value === undefined ? 'stale' : `${value}`);
    next = second + 1;
  }
  return next < seconds ? `${parts.join(' ')} _x${seconds - next}` : parts.join(' ');
}
