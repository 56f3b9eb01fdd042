import type { StateTotals } from '../../state/check-totals.ts';
import { type Occurrence, tallyMaintenance } from '../../tally/maintenance-tally.ts';
import { type BookedSpan, noSeconds } from '../../tally/state-seconds.ts';

/** The totals with what was just booked inside maintenance added to its seconds. */
export function withMaintenance<T extends StateTotals>(
  totals: T,
  booked: readonly BookedSpan[],
  occurrences: readonly Occurrence[],
): T {
  if (occurrences.length === 0 || booked.length === 0) return totals;
  const before = totals.maintenance ?? noSeconds;
  const after = tallyMaintenance(before, booked, occurrences);
  return after === before ? totals : { ...totals, maintenance: after };
}
