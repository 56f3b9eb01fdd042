import { unixSeconds } from '../../lib/clock.ts';
import { book } from '../../tally/book.ts';
import type { PendingReports } from './pending-reports.ts';
import { nothingNew, type Refresh, type RefreshContext } from './refresh.ts';
import { requireWhole } from './whole.ts';
import { checkWithBooked } from './with-booked.ts';

/** The outage report of one check, where the list could not settle its states. Without such evidence it costs nothing. */
export function refreshOutages(context: RefreshContext, reports: PendingReports): Refresh {
  const { service, state, clock } = context;

  return async (id, signal) => {
    const horizon = reports.get(id);
    const states = state.checks.get(id)?.totals.states;
    if (horizon === undefined || states === undefined) return nothingNew;
    if (horizon.atSeconds <= states.horizonSeconds) {
      reports.delete(id);
      return nothingNew;
    }
    const { items, rejected } = await service.listOutages(
      {
        checkId: id,
        fromSeconds: states.horizonSeconds,
        toSeconds: Math.max(horizon.atSeconds, unixSeconds(clock)),
      },
      signal,
    );
    requireWhole('list_outages', rejected);
    await state.book(() => {
      const totals = state.checks.get(id)?.totals;
      if (totals === undefined) return {};
      const booking = book(totals.states, items, horizon);
      if (booking.tally === totals.states) return {};
      const change = checkWithBooked(totals, booking, state.occurrencesOf(id));
      return { checks: new Map([[id, change]]) };
    });
    if (reports.get(id) === horizon) reports.delete(id);
    return {
      rejected,
      entries: items.length,
      events: [
        { dataset: 'results', id },
        { dataset: 'analyses', id },
      ],
    };
  };
}
