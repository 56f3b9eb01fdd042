import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../domain/check.ts';

/**
 * The checks of a fresh list in the order of their ids. A check that says the same as before keeps its
 * former object, so that whoever renders it can see by identity that nothing changed.
 */
export function mergeChecks(former: readonly Check[], fresh: readonly Check[]): readonly Check[] {
  const formerById = new Map(former.map((check) => [check.id, check]));
  return fresh
    .map((check) => {
      const before = formerById.get(check.id);
      return before !== undefined && isDeepStrictEqual(before, check) ? before : check;
    })
    .sort((a, b) => a.id - b.id);
}
