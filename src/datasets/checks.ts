import { type Check, isDown } from '../domain/check.ts';
import { unixSeconds } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { AgendaItem } from '../schedule/agenda-item.ts';
import type { Refresh, RefreshContext } from '../schedule/refresh.ts';
import { alertsOfListed } from '../state/alert-totals.ts';
import { type CheckTotals, checkWithRecorded } from '../state/totals.ts';
import { startEventTally } from '../tally/event-tally.ts';
import { type ListReading, listReadingOf } from '../tally/list-reading.ts';
import { startResultTally } from '../tally/result-tally.ts';
import { settle, withEvidence } from '../tally/settle.ts';
import { startTally } from '../tally/start-tally.ts';
import type { PendingReports } from './outages.ts';
import { datasetPolicies } from './policies.ts';
import { isComplete } from './refresh-context.ts';

/** By check, up to where only a report is believed because of lists whose totals could not be kept. */
type UnsavedEvidence = Map<number, number>;

/** Settling so many takes a few milliseconds. */
const checksPerSlice = 2000;

/**
 * The check list. It settles the states of every check that has not failed at no further cost, and asks
 * for an outage report of each of the others.
 */
export function refreshChecks(context: RefreshContext, reports: PendingReports): Refresh {
  const { service, state, clock, serviceTime, responseTimeBounds } = context;
  const unkept: UnsavedEvidence = new Map();
  let askedBefore: number | undefined;

  return async (_id, signal) => {
    const askedAtSeconds = unixSeconds(clock);
    const asked = clock.monotonic();
    const { items, rejected } = await service.listChecks(signal);
    serviceTime.observe(items);
    const elapsedSeconds = askedBefore === undefined ? undefined : (asked - askedBefore) / 1000;

    const look = listReadingOf(items, askedAtSeconds, elapsedSeconds);
    const changed =
      elapsedSeconds === undefined
        ? []
        : [...changedSettings(context, items), ...staleMaintenance(context, items)];
    await yieldToEventLoop();
    const whole = isComplete(rejected);
    const gone = state.listChecks(
      items,
      (check) => startTotals(check, look, responseTimeBounds),
      whole,
    );
    for (const id of gone) reports.delete(id);
    await yieldToEventLoop();
    const settled = await settleAll(context, { reports, unkept }, look, whole);
    // The horizons are those of the last list whose totals were kept.
    askedBefore = asked;
    await yieldToEventLoop();
    return { rejected, events: [...settled, ...changed] };
  };
}

function startTotals(check: Check, look: ListReading, bounds: readonly number[]): CheckTotals {
  const states = startTally(check, look);
  return {
    states,
    results: startResultTally(states.startSeconds, bounds),
    analyses: startEventTally(states.startSeconds),
  };
}

async function settleAll(
  { state }: RefreshContext,
  { reports, unkept }: { readonly reports: PendingReports; readonly unkept: UnsavedEvidence },
  look: ListReading,
  whole: boolean,
): Promise<AgendaItem[]> {
  const events: AgendaItem[] = [];
  await state.commit(async () => {
    const checks = new Map<number, CheckTotals | null>();
    for (const [id, totals] of state.checks.departed) checks.set(id, totals);
    let seen = 0;
    for (const { entry, totals } of state.checks.records()) {
      if (++seen % checksPerSlice === 0) await yieldToEventLoop();
      const states = withEvidence(totals.states, unkept.get(entry.id));
      const settled = settle(states, entry, look);
      const { tally, report } = settled;
      if (tally.reportUntilSeconds !== undefined) unkept.set(entry.id, tally.reportUntilSeconds);
      if (report !== undefined) {
        reports.set(entry.id, report);
        events.push({ dataset: 'outages', id: entry.id });
      }
      if (tally !== totals.states) {
        checks.set(entry.id, checkWithRecorded(totals, settled, state.occurrencesOf(entry.id)));
      } else if (!state.checks.isPersisted(entry.id)) {
        checks.set(entry.id, totals);
      }
    }
    // Those of checks that are filtered out are given up too: they are counted for the whole account.
    const alerts = whole ? alertsOfListed(state.alerts, state.checks) : state.alerts;
    return { checks, ...(alerts !== state.alerts && { alerts }) };
  });
  unkept.clear();
  return events;
}

/** Maintenance may be why a check has just failed; nobody is to be woken because it was read too long ago. */
function staleMaintenance({ state }: RefreshContext, checks: readonly Check[]): AgendaItem[] {
  const ageSeconds = state.ageSeconds('maintenance', 0) ?? Number.POSITIVE_INFINITY;
  if (ageSeconds < datasetPolicies.maintenance.floorSeconds) return [];
  const hasFailed = checks.some((check) => {
    const before = state.checks.get(check.id)?.entry;
    return before !== undefined && isDown(check.status) && !isDown(before.status);
  });
  return hasFailed ? [{ dataset: 'maintenance', id: 0 }] : [];
}

/** The details of checks that are new, or whose entry tells that somebody edited them. */
function changedSettings({ state }: RefreshContext, checks: readonly Check[]): AgendaItem[] {
  return checks
    .filter((check) => {
      const before = state.checks.get(check.id)?.entry;
      return (
        before === undefined ||
        before.name !== check.name ||
        before.hostname !== check.hostname ||
        before.resolutionSeconds !== check.resolutionSeconds
      );
    })
    .map(({ id }) => ({ dataset: 'detail', id }));
}
