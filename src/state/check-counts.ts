import {
  type Check,
  type CheckStatus,
  type CheckType,
  checkStatuses,
  shownStatus,
} from '../domain/check.ts';
import { getOrMake } from '../lib/get-or-make.ts';

/** The number of checks by type and status; 0 for a status that no check of a type has. */
export type CheckCounts = ReadonlyMap<CheckType, ReadonlyMap<CheckStatus, number>>;

type Counted = Pick<Check, 'type' | 'status'>;

export function checkCounts(checks: Iterable<{ readonly entry: Counted }>): CheckCounts {
  const byType = new Map<CheckType, Map<CheckStatus, number>>();
  for (const { entry } of checks) {
    const { type } = entry;
    const status = shownStatus(entry.status);
    const none = () => new Map(checkStatuses.map((known) => [known, 0] as const));
    const counts = getOrMake(byType, type, none);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return byType;
}
