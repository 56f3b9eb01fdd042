import { type Check, lastTestFailed } from '../domain/check.ts';
import { unixSeconds } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { present } from '../lib/present.ts';
import type { Refresh } from '../schedule/refresh.ts';
import type { RefreshTask } from '../schedule/refresh-task.ts';
import { logAtFirstSight } from '../slo/past.ts';
import { withListedTail } from '../slo/tail.ts';
import { alertsOfListed } from '../state/alert-totals.ts';
import { missingSeconds } from '../state/items/item-store.ts';
import { mergeEntry } from '../state/items/merge-entry.ts';
import { type CheckTotals, checkWithCounted } from '../state/items/totals.ts';
import { type AwaitedReports, absencePatienceSeconds } from '../tally/awaited-reports.ts';
import { type CheckCounters, counterStarts } from '../tally/check-counters.ts';
import { type ListTimes, listTimesOf, newestOf } from '../tally/list-times.ts';
import { isFull } from '../tally/listed-facts.ts';
import { interruptedUntil, settle, withEvidence } from '../tally/settle.ts';
import { startTally } from '../tally/start-tally.ts';
import type { MaintenanceReport } from './maintenance.ts';
import { isComplete, type RefreshContext } from './refresh-context.ts';

/** Of so many checks, the reports of an absence are awaited with any budget. */
const fewestAbsent = 20;
/** Settling this many checks takes a few milliseconds. */
const checksPerSlice = 2000;

/** Reads the check list. It settles checks that have not failed; others need an outage report. */
export function refreshChecks(
  context: RefreshContext,
  reports: AwaitedReports,
  maintenance: Pick<MaintenanceReport, 'isKnownFor'>,
): Refresh {
  const { service, state, clock, serviceTime, responseTimeBounds } = context;
  /** The arrival time of the previous list, in UNIX seconds of the service. */
  let answeredBefore: number | undefined;

  return async (_id, signal, allRead) => {
    const askedAt = clock.monotonic();
    const lists = state.datasets.of('checks');
    const { intervalSeconds, ageSeconds } = lists;
    const {
      items: listed,
      rejected,
      excluded,
      unknownTypes,
      withMoreTags,
    } = await service.listChecks(signal, (id) => state.checks.get(id)?.entry);
    for (const [type, id] of unknownTypes ?? []) context.events.typeNotKnown(type, id);
    if (withMoreTags !== undefined) context.events.tagsLeftOut('checks', withMoreTags);
    const times = requestTimes(clock, askedAt);
    const isFirst = answeredBefore === undefined;
    // The service's clock is right only after a response.
    const unlistedSeconds = ageSeconds && Math.max(ageSeconds, lists.wallAgeSeconds);
    const listTimes = listTimesOf(listed, {
      ...times,
      intervalSeconds,
      unlistedSeconds,
      ...(answeredBefore !== undefined && {
        elapsedSeconds: times.receivedAtSeconds - answeredBefore,
      }),
    });
    serviceTime.observe(listed);
    const { entries, hasNewlyFailed, edited } = await compared(context, listed, listTimes);
    const isKnown = await maintenance.isKnownFor(hasNewlyFailed, signal);
    allRead?.();
    await yieldToEventLoop();
    const complete = isComplete(rejected);
    const countersFrom = counterStarts(responseTimeBounds);
    state.list(
      'check',
      entries,
      (check) => startTotals(check, listTimes, countersFrom),
      present({ isComplete: complete, excluded }),
    );
    answeredBefore = times.receivedAtSeconds;
    reports.read(listTimes);
    await yieldToEventLoop();
    if (isFirst) state.causes.restored(clock.monotonic());
    const list = { listTimes, complete, isKnown };
    const settled = await settleAll(context, reports, list);
    await yieldToEventLoop();
    const details = isFirst ? [] : edited;
    return {
      rejected,
      events: [...settled, ...details, ...state.causes.due(clock.monotonic())],
      ...(state.checks.isRemovalPending && { listAgainAfterMilliseconds: missingSeconds * 1000 }),
    };
  };
}

/** The time of the request is derived from the response's, with the monotonic clock. */
function requestTimes(clock: RefreshContext['clock'], askedAt: number) {
  const waitedMilliseconds = clock.monotonic() - askedAt;
  return {
    requestedAtSeconds: Math.floor((clock.now() - waitedMilliseconds) / 1000),
    receivedAtSeconds: unixSeconds(clock),
  };
}

function startTotals(
  check: Check,
  listTimes: ListTimes,
  countersFrom: (startSeconds: number) => CheckCounters,
): CheckTotals {
  const states = startTally(check, listTimes);
  const log = logAtFirstSight(check, check.status, states.startSeconds);
  return present({ states, log, ...countersFrom(states.startSeconds) });
}

interface ReadList {
  readonly listTimes: ListTimes;
  readonly complete: boolean;
  /** Maintenance is known, so horizons may advance. */
  readonly isKnown: boolean;
}

async function settleAll(
  context: RefreshContext,
  reports: AwaitedReports,
  { listTimes, complete, isKnown }: ReadList,
): Promise<RefreshTask[]> {
  const { state, clock, isEnabled, events } = context;
  reports.isHeld = !isKnown;
  const isPastRead = isEnabled('history');
  /** Of so many more checks, the reports of an absence can be read before the lists decide. */
  let absent: number | undefined;
  await state.totals.commit(async () => {
    const checks = new Map<number, CheckTotals | null>();
    for (const [id, totals] of state.checks.removed) checks.set(id, totals);
    let seen = 0;
    for (const record of state.checks.records()) {
      const { entry, totals } = record;
      if (++seen % checksPerSlice === 0) await yieldToEventLoop();
      // The list has nothing about it, so its horizon waits.
      if (state.checks.isMissing(entry.id)) continue;
      const states = withEvidence(totals.states, record.reportOnlyUntilSeconds);
      const proven = settle(states, entry, listTimes);
      const waiting = isPastRead
        ? reports.afterAbsence(record, entry, states, proven, clock.monotonic())
        : proven;
      const isFresh = waiting.isHiddenPause === true && record.awaitedReport === undefined;
      if (isFresh) absent = (absent ?? absentChecks(context)) - 1;
      const settled = isFresh && Number(absent) < 0 ? proven : waiting;
      const { tally, recorded } = settled;
      if (tally.reportUntilSeconds !== undefined) {
        record.reportOnlyUntilSeconds = tally.reportUntilSeconds;
      }
      reports.listed(record, entry, settled, clock.monotonic());
      if (tally !== totals.states) {
        if (isFull(tally) && !isFull(totals.states)) events.changesLeftOut(entry.id);
        // While maintenance is unknown, the horizon waits, but what the list has shown is stored.
        if (isKnown) {
          const counted = checkWithCounted(
            totals,
            settled,
            state.maintenance.occurrencesOf.check(entry.id),
          );
          state.causes.counted(record, counted, clock.monotonic());
          checks.set(entry.id, counted);
        } else if (recorded.length === 0) checks.set(entry.id, { ...totals, states: tally });
      }
      if (totals.log?.tail !== undefined) {
        const counted = checks.get(entry.id) ?? totals;
        const log = withListedTail(counted, entry);
        if (log !== undefined) checks.set(entry.id, { ...counted, log });
      }
    }
    for (const { entry, totals } of state.checks.unstored()) {
      if (!checks.has(entry.id)) checks.set(entry.id, totals);
    }
    // Alerts of checks that the filter excludes expire here too, because alerts are counted for the
    // whole account.
    const alerts = complete ? alertsOfListed(state.alerts, state.checks) : state.alerts;
    const outages = state.listedOutages('check', complete);
    // Those of transactions that are not read any more are marked and expire with the checks.
    const transactions = new Map(state.transactions.removed);
    return present({
      checks,
      ...(transactions.size > 0 && { transactions }),
      ...(alerts !== state.alerts && { alerts }),
      outages,
    });
  });
  const due: RefreshTask[] = [];
  for (const record of state.checks.records()) {
    record.reportOnlyUntilSeconds = undefined;
    const { id } = record.entry;
    if (record.awaitedReport?.hidden !== undefined) state.firstSight.pauseAwaited(record);
    else if (reports.isDue(record, clock.monotonic()) && !state.checks.isMissing(id)) {
      due.push({ dataset: 'outages', id });
    }
  }
  return due;
}

/** The number of checks whose reports of an absence can be awaited besides what is read now. */
function absentChecks({ state, pastReportsWithin }: RefreshContext): number {
  const { pastsLeft, pausesLeft } = state.firstSight;
  const reports = pastReportsWithin(absencePatienceSeconds) - pastsLeft;
  return Math.max(fewestAbsent, reports) - pausesLeft;
}

/** A list beside the previous one. */
interface ComparedList {
  /** The entries to keep, with the equal parts of the previous ones. */
  readonly entries: readonly Check[];
  /** A check has failed since the last list, so maintenance is read first: it silences alerts. */
  readonly hasNewlyFailed: boolean;
  /** The details of checks that are new or were edited. */
  readonly edited: readonly RefreshTask[];
}

/**
 * Compares with the list before, and notes interrupted tests. An entry is replaced by its previous one
 * if that had a later test.
 */
async function compared(
  { state }: RefreshContext,
  listed: readonly Check[],
  listTimes: ListTimes,
): Promise<ComparedList> {
  let hasNewlyFailed = false;
  const edited: RefreshTask[] = [];
  const entries: Check[] = [];
  for (const [place, listedCheck] of listed.entries()) {
    if (place > 0 && place % checksPerSlice === 0) await yieldToEventLoop();
    const record = state.checks.get(listedCheck.id, place);
    const before = record?.entry;
    const check = newestOf(before, listedCheck, listTimes.receivedAtSeconds);
    entries.push(before === undefined ? check : mergeEntry(before, check));
    if (before !== undefined && lastTestFailed(check.status) && !lastTestFailed(before.status)) {
      hasNewlyFailed = true;
    }
    const interrupted = before && interruptedUntil(before, check, listTimes);
    if (record !== undefined && interrupted !== undefined) {
      record.reportOnlyUntilSeconds = Math.max(interrupted, record.reportOnlyUntilSeconds ?? 0);
    }
    const isSame =
      before !== undefined &&
      before.name === check.name &&
      before.hostname === check.hostname &&
      before.resolutionSeconds === check.resolutionSeconds;
    if (!isSame) edited.push({ dataset: 'detail', id: check.id });
  }
  return { entries, hasNewlyFailed, edited };
}
