import { unixSeconds } from '../lib/clock.ts';
import { type ItemRefresh, noChange } from '../schedule/refresh.ts';
import type { RefreshTask } from '../schedule/refresh-task.ts';
import { AwaitedAnalyses } from '../state/items/awaited-analyses.ts';
import { checkWithCounted } from '../state/items/totals.ts';
import { applyReport } from '../tally/apply-report.ts';
import type { PendingReports } from '../tally/pending-reports.ts';
import { type ReportedHorizon, reportedHorizon } from '../tally/reported-horizon.ts';
import { type RefreshContext, requireComplete } from './refresh-context.ts';

/** Reads the outage report of one check whose states the list could not settle. */
export function refreshOutages(
  context: RefreshContext,
  reports: PendingReports,
  analyses = new AwaitedAnalyses(),
): ItemRefresh {
  const { service, state, clock, events } = context;

  return async (id, signal, allRead) => {
    const states = state.checks.get(id)?.totals.states;
    const newest = states && reports.awaitedOf(id, states.horizonSeconds)?.horizons.at(-1);
    if (states === undefined || newest === undefined) return noChange;
    const requestedAtSeconds = unixSeconds(clock);
    const times = reports.asked(id, requestedAtSeconds);
    const { items, rejected } = await service.listOutages(
      {
        checkId: id,
        fromSeconds: states.horizonSeconds,
        toSeconds: Math.max(newest.atSeconds, requestedAtSeconds),
      },
      signal,
    );
    allRead?.();
    let reported: ReportedHorizon | undefined;
    let recordedUntil = states.horizonSeconds;
    await state.totals.commitCheck(id, (totals) => {
      recordedUntil = totals.states.horizonSeconds;
      const awaited = reports.awaitedOf(id, recordedUntil);
      const isReadable = rejected.length === 0;
      reported = awaited && reportedHorizon(totals.states, items, awaited, times, isReadable);
      if (reported?.horizon === undefined) return undefined;
      const update = applyReport(totals.states, items, reported.horizon);
      if (update.tally === totals.states) return undefined;
      recordedUntil = update.tally.horizonSeconds;
      if (update.tally.outages > totals.states.outages) analyses.expect(id, clock.monotonic());
      return checkWithCounted(totals, update, state.occurrencesOf(id));
    });
    if (reported?.horizon === undefined) requireComplete('list_outages', rejected);
    if (reported !== undefined) {
      reports.answered(id, reported, times, recordedUntil, clock.monotonic());
    }
    const range = { fromSeconds: states.horizonSeconds, toSeconds: recordedUntil };
    const isRecorded = range.fromSeconds < range.toSeconds;
    if (reported?.isGivenUp && isRecorded) events?.reportGivenUp('outages', id, range);
    return { rejected, entries: items.length, events: isRecorded ? readNext(id) : [] };
  };
}

/** Returns the refreshes of the data that explain an outage. */
function readNext(id: number): RefreshTask[] {
  return [
    { dataset: 'results', id },
    { dataset: 'analyses', id },
  ];
}
