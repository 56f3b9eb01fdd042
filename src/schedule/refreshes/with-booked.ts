import type { CheckTotals, StateTotals } from '../../state/check-totals.ts';
import type { Booking } from '../../tally/book.ts';
import { type Occurrence, tallyMaintenance } from '../../tally/maintenance-tally.ts';
import { changesAfter } from '../../tally/recent-changes.ts';
import { noSeconds } from '../../tally/state-seconds.ts';

/** The totals with what was just booked: their states and the recent changes. */
export function withBooked<T extends StateTotals>(totals: T, { tally, booked }: Booking): T {
  const recent = changesAfter(totals, booked);
  return { ...totals, states: tally, ...(recent !== undefined && { recent }) };
}

/** The same of a check, with the seconds inside its maintenance. */
export function checkWithBooked(
  totals: CheckTotals,
  booking: Booking,
  occurrences: readonly Occurrence[],
): CheckTotals {
  const before = totals.maintenance ?? noSeconds;
  const maintenance =
    occurrences.length === 0 ? before : tallyMaintenance(before, booking.booked, occurrences);
  return { ...withBooked(totals, booking), ...(maintenance !== before && { maintenance }) };
}
