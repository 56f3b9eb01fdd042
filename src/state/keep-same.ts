import { plainEqual } from '../lib/plain-equal.ts';

/** Returns the values of `next`, reusing equal objects of the same key. */
export function keepSame<T>(
  previous: ReadonlyMap<number, T> | undefined,
  next: ReadonlyMap<number, T>,
): ReadonlyMap<number, T> {
  if (previous === undefined || previous.size === 0) return next;
  const kept = new Map<number, T>();
  for (const [id, value] of next) {
    const before = previous.get(id);
    kept.set(id, before !== undefined && plainEqual(before, value) ? before : value);
  }
  return kept;
}

/** The keys whose value in `next` is not the same object as in `previous`, including removed keys. */
export function* changedKeys<T>(
  previous: ReadonlyMap<number, T>,
  next: ReadonlyMap<number, T>,
): Iterable<number> {
  for (const [id, value] of next) if (previous.get(id) !== value) yield id;
  for (const id of previous.keys()) if (!next.has(id)) yield id;
}
