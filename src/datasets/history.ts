import { type Check, lastFailureOf } from '../domain/check.ts';
import type { ItemId } from '../domain/dataset.ts';
import type { MonitoredState, StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import { unixSeconds } from '../lib/clock.ts';
import {
  type ItemRefresh,
  noChange,
  type OwnItems,
  type Refresh,
  type RefreshResult,
} from '../schedule/refresh.ts';
import type { KnownItem } from '../schedule/refresh-task.ts';
import { withGivenUp } from '../slo/given-up.ts';
import { withPast, withTail } from '../slo/log-past.ts';
import { missingPast, settledTail } from '../slo/past.ts';
import { isBeginning, type KnownStates, keptFromSeconds, openOutage } from '../slo/state-log.ts';
import { fillSpans } from '../tally/apply-report.ts';
import { reportPatience } from '../tally/count-report.ts';
import { IncompleteReports } from '../tally/incomplete-reports.ts';
import { longestLagSeconds } from '../tally/list-times.ts';
import { subtract } from '../tally/maintenance-tally.ts';
import { type RefreshContext, requireComplete } from './refresh-context.ts';

/** The items whose past beyond 35 days an operator wants. */
export interface DeeperItems {
  /** Increases whenever the items may have changed. */
  readonly version: number;
  /** Checks, and the account for what is read of all items at once. */
  ids(): readonly ItemId[];
  isOpen(id: ItemId): boolean;
  /** All requests; 0 if none is left. */
  readonly requests: number;
}

/** The past beyond 35 days, which is read after first sight. */
export interface DeeperPasts {
  readonly items: DeeperItems;
  readonly read: Refresh;
}

/** Reads the past of each item once: the 35 days before first sight, then what is wanted beyond. */
export function refreshHistory(
  context: RefreshContext,
  incomplete = new IncompleteReports<number>(reportPatience),
  deeper?: DeeperPasts,
): Refresh {
  const { firstSight } = context.state;
  const ofFirstSight = refreshFirstPast(context, incomplete);
  const refresh: Refresh = async (id, signal, allRead) => {
    const isDeeper = id === 'account' || !firstSight.isPastUnknown(id);
    const read = isDeeper
      ? await deeper?.read(id, signal)
      : await ofFirstSight(id, signal, allRead);
    if (read === undefined || read === noChange) return noChange;
    return { ...read, isUnfinished: deeper?.items.isOpen(id) === true };
  };
  const items: OwnItems = {
    get version() {
      return firstSight.version + (deeper?.items.version ?? 0);
    },
    get deeperRequests() {
      return deeper?.items.requests ?? 0;
    },
    items: () => {
      const known = new Map<ItemId, KnownItem>();
      for (const id of firstSight.unknownPasts()) known.set(id, { id });
      for (const id of deeper?.items.ids() ?? []) known.set(id, { id, isDeeper: true });
      return [...known.values()];
    },
  };
  return Object.assign(refresh, { items });
}

/**
 * Reads the states of one check before it was first seen, with one outage report of 35 days, if the
 * check failed in that time. These states go into error ratios, never into counters. What the report
 * proves is used at once. If it lagged, the rest is read once more when no report can lag so far.
 */
function refreshFirstPast(
  context: RefreshContext,
  incomplete: IncompleteReports<number>,
): ItemRefresh {
  const { service, state, clock, events } = context;
  return async (id, signal, allRead) => {
    const record = state.checks.get(id);
    if (record === undefined) return noChange;
    const past = missingPast(record.totals, record.entry);
    if (past === undefined) return readTail(context, id, signal, allRead);
    const { fromSeconds, toSeconds } = past;
    const { startSeconds, horizonSeconds } = record.totals.states;
    const requestedAtSeconds = unixSeconds(clock);
    const { items, rejected } = await service.listOutages(
      { checkId: id, fromSeconds, toSeconds: Math.max(horizonSeconds, requestedAtSeconds) },
      signal,
    );
    // It may have left in the meantime.
    if (!state.checks.has(id)) return noChange;
    const isReadable = rejected.length === 0;
    const isUsable = incomplete.isUsable(id, isReadable, requestedAtSeconds, startSeconds);
    if (!isUsable) requireComplete('list_outages', rejected);
    allRead?.();
    await state.totals.commitCheck(id, (totals) => {
      const { log: known } = totals;
      const oldest = keptFromSeconds(totals, totals.states.horizonSeconds);
      const { entry } = state.checks.get(id) ?? record;
      // A report that was applied in the meantime may have moved the horizon, but never the start.
      if (known === undefined || missingPast(totals, entry)?.toSeconds !== toSeconds) {
        return undefined;
      }
      const states = untilNextTest(items, totals, entry, toSeconds);
      const response = { items: states, toSeconds, requestedAtSeconds };
      const proven = isReadable ? provenUntil(totals, entry, response) : toSeconds;
      const until = Math.min(toSeconds, Math.max(fromSeconds, proven));
      const spans = fillSpans(states, fromSeconds, until);
      if (until === toSeconds) {
        const unread = isReadable ? [] : subtract([past], items);
        return { ...totals, log: withGivenUp(withPast(known, spans, oldest), unread) };
      }
      const tail = { fromSeconds: until, toSeconds };
      const listed = { state: listedStateIn(tail, spans.at(-1)?.state, entry), ...tail };
      const log = withPast(known, [...spans, listed], oldest);
      const isEndListed = isBeginning(known, toSeconds);
      return {
        ...totals,
        log: { ...log, tail: { ...tail, ...(isEndListed && { isEndListed }) } },
      };
    });
    state.firstSight.pastRead(id);
    if (!isReadable) events?.reportGivenUp('history', id, past);
    return { rejected, events: [], entries: items.length };
  };
}

async function readTail(
  { service, state }: RefreshContext,
  id: number,
  signal: AbortSignal,
  allRead?: () => void,
): Promise<RefreshResult> {
  const known = state.checks.get(id)?.totals;
  const tail = known && settledTail(known);
  if (tail === undefined) return noChange;
  const { fromSeconds, toSeconds } = tail;
  const range = { checkId: id, fromSeconds, toSeconds };
  const { items, rejected } = await service.listOutages(range, signal);
  requireComplete('list_outages', rejected);
  allRead?.();
  await state.totals.commitCheck(id, (totals) => {
    if (totals.log?.tail === undefined) return undefined;
    const spans = fillSpans(items, fromSeconds, toSeconds);
    return { ...totals, log: withTail(totals.log, spans) };
  });
  state.firstSight.pastRead(id);
  return { rejected, events: [], entries: items.length };
}

type States = readonly StateSpan<MonitoredState>[];

interface PastReport {
  readonly items: States;
  /** The end of the requested past, and the time of the request. */
  readonly toSeconds: number;
  readonly requestedAtSeconds: number;
}

/**
 * The time up to which a report of the past is right: to its own end if it has the failures that
 * the list shows, else to the longest lag before the request. What is older is final.
 */
function provenUntil(
  known: KnownStates,
  entry: Check,
  { items, toSeconds, requestedAtSeconds }: PastReport,
): number {
  const finalSeconds = requestedAtSeconds - longestLagSeconds;
  if (finalSeconds >= Math.max(toSeconds, entry.lastTestAtSeconds ?? 0)) return toSeconds;
  const last = items.at(-1);
  if (last === undefined) return finalSeconds;
  if (lacksFailure(known, entry, items, finalSeconds)) {
    return Math.min(last.toSeconds, finalSeconds);
  }
  return last.toSeconds;
}

/** From the last test that a report has to the next one, which is after the past, nothing changes. */
function untilNextTest(
  items: States,
  known: KnownStates,
  { resolutionSeconds = 0 }: Check,
  toSeconds: number,
): States {
  const last = items.at(-1);
  if (last === undefined || last.state !== stateBefore(known, toSeconds)) return items;
  const isLastTest = last.toSeconds < toSeconds && last.toSeconds + resolutionSeconds > toSeconds;
  return isLastTest ? [...items.slice(0, -1), { ...last, toSeconds }] : items;
}

/** The state up to the end of the past: up before a listed outage, else that of first sight. */
function stateBefore({ states, log }: KnownStates, toSeconds: number): TalliedState {
  if (toSeconds < states.startSeconds) return 'up';
  const isFirst = states.horizonSeconds === states.startSeconds;
  return isFirst ? states.state : (log?.changes.at(0)?.state ?? 'up');
}

/** Whether a report lacks a failure that is known, or may lack one that a later one hides. */
function lacksFailure(
  known: KnownStates,
  entry: Check,
  items: States,
  finalSeconds: number,
): boolean {
  const { lastErrorAtSeconds = 0, lastDownStartAtSeconds = 0 } = entry;
  const endSeconds = items.at(-1)?.toSeconds ?? 0;
  const isDownAt = (atSeconds: number) =>
    items.some(
      ({ state, fromSeconds, toSeconds }) =>
        // The report may end at this time.
        state === 'down' && fromSeconds <= atSeconds && atSeconds <= toSeconds,
    );
  const { startSeconds, horizonSeconds } = known.states;
  const changes = [...(known.log?.changes ?? [])];
  const first = changes.findLast(({ fromSeconds }) => fromSeconds <= startSeconds);
  const wasDown =
    first?.state === 'down' || (horizonSeconds === startSeconds && openOutage(known) !== undefined);
  const failures = [lastErrorAtSeconds, lastDownStartAtSeconds];
  if (!wasDown && failures.some((atSeconds) => atSeconds >= startSeconds)) return true;
  // Without a listed start, the outage of first sight may have begun before the report ends.
  if (wasDown && lastDownStartAtSeconds === 0) {
    return items.at(-1)?.state !== 'down' && !isDownAt(startSeconds);
  }
  return failures.some(
    (atSeconds) =>
      atSeconds < startSeconds &&
      atSeconds < endSeconds &&
      atSeconds >= finalSeconds &&
      !isDownAt(atSeconds),
  );
}

/** The state of a tail, if the list proves that it did not change. */
function listedStateIn(
  { fromSeconds, toSeconds }: TimeRange,
  before: TalliedState | undefined,
  entry: Check,
): TalliedState {
  const { lastDownStartAtSeconds: start, lastDownEndAtSeconds: end = 0, status } = entry;
  const { lastTestAtSeconds: lastTest = 0 } = entry;
  if (status === 'paused') return fromSeconds >= lastTest ? 'unmonitored' : 'unknown';
  const hasFailed = status !== 'up' || lastFailureOf(entry) >= fromSeconds;
  if (before === 'up' && !hasFailed) return 'up';
  const isDown =
    start !== undefined && start <= fromSeconds && (status === 'down' || end >= toSeconds);
  return before === 'down' && isDown ? 'down' : 'unknown';
}
