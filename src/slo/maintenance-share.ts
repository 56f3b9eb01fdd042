import type { TimeRange } from '../domain/interval.ts';
import { clip } from '../tally/maintenance-tally.ts';
import { type ItemStates, type KnownOutage, knownUntil } from './reported-states.ts';

/** Whether none of a range, a part of it, or all of it was in maintenance. */
export type MaintenanceShare = 'none' | 'part' | 'whole';

/** The occurrences do not overlap. */
export function maintenanceShare(
  { fromSeconds, toSeconds }: TimeRange,
  occurrences: readonly TimeRange[],
): MaintenanceShare {
  const inside = clip(occurrences, fromSeconds, toSeconds);
  const seconds = inside.reduce((sum, part) => sum + part.toSeconds - part.fromSeconds, 0);
  if (seconds === 0) return 'none';
  return seconds === toSeconds - fromSeconds ? 'whole' : 'part';
}

/** Of an ongoing outage, this is the share of its known part, which is at least its first second. */
export function maintenanceShareOf(
  states: ItemStates,
  outage: KnownOutage,
  occurrences: readonly TimeRange[],
): MaintenanceShare {
  const { fromSeconds } = outage;
  const toSeconds = Math.max(fromSeconds + 1, knownUntil(states, outage));
  return maintenanceShare({ fromSeconds, toSeconds }, occurrences);
}
