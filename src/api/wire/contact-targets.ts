import { type TargetCount, type TargetMedium, targetSeverities } from '../../domain/contact.ts';
import { isObject } from './envelope.ts';
import { wordOf } from './fields.ts';

/** Counts the targets in each of the lists. Nothing but their severity is read. */
export function countTargets(
  lists: { readonly [M in TargetMedium]?: unknown },
): readonly TargetCount[] {
  return Object.entries(lists).flatMap(([medium, list]) => {
    const targets = Array.isArray(list) ? list.filter(isObject) : [];
    const found = targets.map(({ severity }) => wordOf(targetSeverities, severity));
    return targetSeverities
      .map((severity) => ({
        medium: medium as TargetMedium,
        severity,
        count: found.filter((other) => other === severity).length,
      }))
      .filter(({ count }) => count > 0);
  });
}
