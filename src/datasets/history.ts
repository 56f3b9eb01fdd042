import type { MonitoredState, StateSpan } from '../domain/interval.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type ItemRefresh, noChange } from '../schedule/refresh.ts';
import { type ListedPast, missingPast } from '../slo/past.ts';
import { type KnownStates, withPast } from '../slo/state-history.ts';
import { fillSpans } from '../tally/apply-report.ts';
import { IncompleteReports } from '../tally/incomplete-reports.ts';
import { longestLagSeconds } from '../tally/list-times.ts';
import { reportPatience } from '../tally/reported-horizon.ts';
import { type RefreshContext, requireComplete } from './refresh-context.ts';

/**
 * Reads the states of one check before it was first seen, with one outage report of 35 days, if the
 * check failed in that time. These states go into error ratios, never into counters.
 */
export function refreshHistory({ service, state, clock, events }: RefreshContext): ItemRefresh {
  const incomplete = new IncompleteReports<number>(reportPatience);
  return async (id, signal, allRead) => {
    const record = state.checks.get(id);
    if (record === undefined) return noChange;
    const past = missingPast(record.totals, record.entry);
    if (past === undefined) return noChange;
    const { fromSeconds, toSeconds } = past;
    // A list has shown that all states up to the horizon are final, so a report that reaches the
    // horizon has the whole past.
    const { horizonSeconds } = record.totals.states;
    const requestedAtSeconds = unixSeconds(clock);
    const { items, rejected } = await service.listOutages(
      { checkId: id, fromSeconds, toSeconds: Math.max(horizonSeconds, requestedAtSeconds) },
      signal,
    );
    const { startSeconds } = record.totals.states;
    const isReadable = rejected.length === 0;
    const isUsable = incomplete.isUsable(id, isReadable, requestedAtSeconds, startSeconds);
    if (!isUsable) requireComplete('list_outages', rejected);
    allRead?.();
    const endSeconds = items.reduce((end, span) => Math.max(end, span.toSeconds), 0);
    const { lastTestAtSeconds = 0 } = record.entry;
    const laggingSinceSeconds = requestedAtSeconds - longestLagSeconds;
    const isSettled = laggingSinceSeconds >= Math.max(toSeconds, lastTestAtSeconds);
    const isWhole =
      endSeconds >= horizonSeconds &&
      !lacksAnOutage(record.totals, record.entry, items, laggingSinceSeconds);
    if (isReadable && !isWhole && !isSettled) return { ...noChange, rejected };
    await state.totals.commitCheck(id, (totals) => {
      const { history: known, states } = totals;
      // A report that was applied in the meantime may have moved the horizon, but never the start.
      const missing = missingPast(totals, record.entry);
      if (known === undefined || missing?.toSeconds !== toSeconds) return undefined;
      const spans = fillSpans(items, fromSeconds, toSeconds);
      return { ...totals, history: withPast(known, spans, states.horizonSeconds) };
    });
    state.unknownPast.known(id);
    if (!isReadable) events?.reportGivenUp('history', id, past);
    return { rejected, events: [], entries: items.length };
  };
}

/**
 * Returns whether a report of the past lacks an outage that is known: the one that was open at first
 * sight, or one of a failed test. A failed test without an outage is not distinguished. After the
 * longest lag of a report the report is right.
 */
function lacksAnOutage(
  { states, history }: KnownStates,
  { lastErrorAtSeconds = 0, lastDownStartAtSeconds = 0 }: ListedPast,
  items: readonly StateSpan<MonitoredState>[],
  laggingSinceSeconds: number,
): boolean {
  const isDownAt = (atSeconds: number) =>
    items.some(
      ({ state, fromSeconds, toSeconds }) =>
        // The report may end at this time.
        state === 'down' && fromSeconds <= atSeconds && atSeconds <= toSeconds,
    );
  const { startSeconds, horizonSeconds, inOutage } = states;
  const first = history?.changes.findLast(({ fromSeconds }) => fromSeconds <= startSeconds);
  const wasDown = first?.state === 'down' || (horizonSeconds === startSeconds && inOutage);
  const failures = [lastErrorAtSeconds, lastDownStartAtSeconds];
  // A failure after first sight hides whether a test had failed before.
  const mayHaveFailed = failures.some((atSeconds) => atSeconds >= startSeconds);
  if (!wasDown && mayHaveFailed) return startSeconds >= laggingSinceSeconds;
  const known = failures.filter((atSeconds) => atSeconds < startSeconds);
  if (wasDown) known.push(startSeconds);
  return known.some((atSeconds) => atSeconds >= laggingSinceSeconds && !isDownAt(atSeconds));
}
