import { type ItemRefresh, noChange } from '../schedule/refresh.ts';
import { fillSpans } from '../tally/apply-report.ts';
import { missingPast } from '../windows/past.ts';
import { withPast } from '../windows/state-history.ts';
import { type RefreshContext, requireComplete } from './refresh-context.ts';

/**
 * The states of one check before it was seen for the first time: one outage report of 35 days, for a check that
 * failed within them. What it reports goes into windows and never into counters.
 */
export function refreshHistory({ service, state }: RefreshContext): ItemRefresh {
  return async (id, signal) => {
    const record = state.checks.get(id);
    const past = record && missingPast(record.totals, record.entry);
    if (past === undefined) return noChange;
    const { items, rejected } = await service.listOutages({ checkId: id, ...past }, signal);
    requireComplete('list_outages', rejected);
    const { fromSeconds, toSeconds } = past;
    await state.commit(() => {
      const totals = state.checks.get(id)?.totals;
      const known = totals?.history;
      // A report that was applied meanwhile moved the horizon, never the beginning.
      if (totals === undefined || known === undefined) return {};
      if (Math.min(known.knownFromSeconds, totals.states.horizonSeconds) !== toSeconds) return {};
      const spans = fillSpans(items, fromSeconds, toSeconds);
      const history = withPast(known, spans, totals.states.horizonSeconds);
      return { checks: new Map([[id, { ...totals, history }]]) };
    });
    state.unknownPast.known(id);
    return { rejected, events: [], entries: items.length };
  };
}
