import { ApiError } from '../api/errors.ts';
import { unixSeconds } from '../lib/clock.ts';
import { itemReasons } from '../schedule/failure-reasons.ts';
import { type ItemRefresh, nothingLeft } from '../schedule/refresh.ts';
import { explainingDatasets } from '../state/items/outage-causes.ts';
import { checkWithCounted } from '../state/items/totals.ts';
import type { AwaitedReports } from '../tally/awaited-reports.ts';
import type { ReportUpdate } from '../tally/count-report.ts';
import { type RefreshContext, requireComplete } from './refresh-context.ts';

/**
 * Reads the outage report of one check whose states the list could not settle, and then the data
 * that explain what it has counted.
 */
export function refreshOutages(context: RefreshContext, reports: AwaitedReports): ItemRefresh {
  const { service, state, clock, events } = context;

  return async (id, signal, allRead) => {
    const record = state.checks.get(id);
    const question = record && reports.ask(record, record.totals.states, unixSeconds(clock));
    if (record === undefined || question === undefined) return nothingLeft;
    const { fromSeconds, toSeconds } = question;
    const { items, rejected } = await service
      .listOutages({ checkId: id, fromSeconds, toSeconds }, signal)
      .catch((error: unknown) => {
        // Each list would ask for it again.
        if (error instanceof ApiError && itemReasons.has(error.reason)) {
          reports.refused(record, clock.monotonic());
        }
        throw error;
      });
    allRead?.();
    const report = { items, isReadable: rejected.length === 0 };
    let answer: ReportUpdate | undefined;
    let { awaitedReport } = record;
    const commit = state.totals.commitCheck(id, (totals) => {
      // It may have left and returned in the meantime.
      if (state.checks.get(id) !== record) return undefined;
      awaitedReport = record.awaitedReport;
      const now = { tally: totals.states, check: record.entry };
      answer = reports.apply(record, question, report, now);
      if (answer.tally === totals.states) return undefined;
      const counted = checkWithCounted(totals, answer, state.maintenance.occurrencesOf.check(id));
      state.causes.counted(record, counted, clock.monotonic());
      return counted;
    });
    await commit.catch((error: unknown) => {
      // It is still awaited: nothing else may show what it has of an absence.
      record.awaitedReport = awaitedReport;
      throw error;
    });
    const isCounted = answer !== undefined && answer.recorded.length > 0;
    const { tally = record.totals.states } = answer ?? {};
    reports.answered(record, question, { items, isCounted, tally }, clock.monotonic());
    if (!isCounted) requireComplete('list_outages', rejected);
    if (answer?.givenUp !== undefined) events.reportGivenUp('outages', id, answer.givenUp);
    for (const fact of answer?.contradicted ?? []) events.reportContradicted(id, fact);
    const explained = isCounted ? explainingDatasets.map((dataset) => ({ dataset, id })) : [];
    return { rejected, entries: items.length, events: explained };
  };
}
