import { plainEqual } from '../../lib/plain-equal.ts';

/**
 * The new entry, reusing equal parts of `previous`; `previous` itself if all are equal. A list does
 * this too, and is quick with entries that were merged before.
 */
export function mergeEntry<E extends object>(previous: E, entry: E): E {
  if (previous === entry) return previous;
  let merged: E | undefined;
  let kept = 0;
  let isSame = true;
  for (const key in entry) {
    const [before, after] = [previous[key], entry[key]];
    if (before !== undefined) kept++;
    if (before === after) continue;
    if (typeof after === 'object' && plainEqual(before, after)) {
      merged ??= { ...entry };
      merged[key] = before;
    } else isSame = false;
  }
  if (isSame) for (const _ in previous) kept--;
  return isSame && kept === 0 ? previous : (merged ?? entry);
}
