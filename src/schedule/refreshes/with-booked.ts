import type { StateTotals } from '../../state/check-totals.ts';
import type { Booking } from '../../tally/book.ts';
import { type Occurrence, tallyMaintenance } from '../../tally/maintenance-tally.ts';
import { changesAfter } from '../../tally/recent-changes.ts';
import { noSeconds } from '../../tally/state-seconds.ts';

/** The totals with what was just booked: their states, the recent changes, and the seconds inside maintenance. */
export function withBooked<T extends StateTotals>(
  totals: T,
  { tally, booked }: Booking,
  occurrences: readonly Occurrence[],
): T {
  const before = totals.maintenance ?? noSeconds;
  const maintenance =
    occurrences.length === 0 ? before : tallyMaintenance(before, booked, occurrences);
  const recent = changesAfter(totals, booked);
  return {
    ...totals,
    states: tally,
    ...(recent !== undefined && { recent }),
    ...(maintenance !== before && { maintenance }),
  };
}
