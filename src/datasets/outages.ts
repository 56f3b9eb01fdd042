import { unixSeconds } from '../lib/clock.ts';
import { type ItemRefresh, noChange } from '../schedule/refresh.ts';
import { AwaitedAnalyses } from '../state/items/awaited-analyses.ts';
import { checkWithRecorded } from '../state/items/totals.ts';
import type { Horizon } from '../tally/advance.ts';
import { applyReport, fillSpans } from '../tally/apply-report.ts';
import { missingPast } from '../windows/past.ts';
import { withPast } from '../windows/state-history.ts';
import { type RefreshContext, requireComplete } from './refresh-context.ts';

/** By check, up to where an outage report is needed: the lists that asked for it have shown that it is final. */
export type PendingReports = Map<number, Horizon>;

/** The outage report of one check, where the list could not settle its states. Without such evidence it costs nothing. */
export function refreshOutages(
  context: RefreshContext,
  reports: PendingReports,
  awaited = new AwaitedAnalyses(),
): ItemRefresh {
  const { service, state, clock } = context;

  return async (id, signal) => {
    const horizon = reports.get(id);
    const states = state.checks.get(id)?.totals.states;
    if (horizon === undefined || states === undefined) return noChange;
    if (horizon.atSeconds <= states.horizonSeconds) {
      reports.delete(id);
      return noChange;
    }
    const { items, rejected } = await service.listOutages(
      {
        checkId: id,
        fromSeconds: states.horizonSeconds,
        toSeconds: Math.max(horizon.atSeconds, unixSeconds(clock)),
      },
      signal,
    );
    requireComplete('list_outages', rejected);
    await state.totals.commitCheck(id, (totals) => {
      const update = applyReport(totals.states, items, horizon);
      if (update.tally === totals.states) return undefined;
      if (update.tally.outages > totals.states.outages) awaited.expect(id, clock.monotonic());
      return checkWithRecorded(totals, update, state.occurrencesOf(id));
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

/**
 * The states of one check before it was seen for the first time: one outage report of 35 days, for a check that
 * failed within them. What it reports goes into windows and never into counters.
 */
export function refreshHistory({ service, state }: RefreshContext): ItemRefresh {
  return async (id, signal) => {
    const record = state.checks.get(id);
    const past = record && missingPast(record.totals, record.entry);
    if (record === undefined || past === undefined) return noChange;
    const { items, rejected } = await service.listOutages({ checkId: id, ...past }, signal);
    requireComplete('list_outages', rejected);
    const { fromSeconds, toSeconds } = past;
    await state.totals.commitCheck(id, (totals) => {
      const { history: known, states } = totals;
      // A report that was applied meanwhile moved the horizon, never the beginning.
      const missing = missingPast(totals, record.entry);
      if (known === undefined || missing?.toSeconds !== toSeconds) return undefined;
      const spans = fillSpans(items, fromSeconds, toSeconds);
      return { ...totals, history: withPast(known, spans, states.horizonSeconds) };
    });
    state.unknownPast.known(id);
    return { rejected, events: [], entries: items.length };
  };
}
