import type { Check } from '../domain/check.ts';
import type { ItemId } from '../domain/dataset.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type ItemRefresh, nothingLeft, type OwnItems, type Refresh } from '../schedule/refresh.ts';
import type { KnownItem } from '../schedule/refresh-task.ts';
import { missingPast } from '../slo/past.ts';
import { lacksTests, withPastReport } from '../slo/past-report.ts';
import type { KnownStates } from '../slo/state-log.ts';
import { dueTail } from '../slo/tail.ts';
import type { AwaitedReports } from '../tally/awaited-reports.ts';
import { reportPatience } from '../tally/count-report.ts';
import { isUsable } from '../tally/incomplete-reports.ts';
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

/** The pasts of the first that has any to read. */
export function pastsInTurn(all: readonly DeeperPasts[]): DeeperPasts {
  const present = () => all.find(({ items }) => items.requests > 0);
  const items: DeeperItems = {
    get version() {
      return all.reduce((sum, { items: { version } }) => sum + version, 0);
    },
    ids: () => present()?.items.ids() ?? [],
    isOpen: (id) => present()?.items.isOpen(id) === true,
    get requests() {
      return present()?.items.requests ?? 0;
    },
  };
  return { items, read: async (...task) => (await present()?.read(...task)) ?? nothingLeft };
}

/** Outage reports that may show a pause which began and ended while no list was read. */
interface AbsenceReports {
  readonly reports: AwaitedReports;
  readonly read: ItemRefresh;
}

/** Reads the past of each item once: the 35 days before first sight, then what is wanted beyond. */
export function refreshHistory(
  context: RefreshContext,
  absence: AbsenceReports,
  deeper?: DeeperPasts,
): Refresh {
  const { state, clock } = context;
  const { firstSight } = state;
  const ofFirstSight = refreshFirstPast(context);
  const refresh: Refresh = async (id, signal, allRead) => {
    const record = id === 'account' ? undefined : state.checks.get(id);
    if (record?.awaitedReport?.hidden !== undefined) {
      if (!absence.reports.isDue(record, clock.monotonic())) return nothingLeft;
      const read = await absence.read(record.entry.id, signal, allRead);
      firstSight.pastRead(record.entry.id);
      return read;
    }
    const isDeeper = id === 'account' || !firstSight.isPastUnknown(id);
    const read = isDeeper
      ? await deeper?.read(id, signal)
      : await ofFirstSight(id, signal, allRead);
    if (read === undefined || read.unrequested === 'nothing left') return nothingLeft;
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
      const wanted = new Map<ItemId, KnownItem>();
      for (const id of firstSight.unread()) wanted.set(id, { id });
      for (const id of deeper?.items.ids() ?? []) wanted.set(id, { id, isDeeper: true });
      return [...wanted.values()];
    },
  };
  return Object.assign(refresh, { items });
}

/**
 * Reads the states of one check before it was first seen, with one outage report of 35 days, if the
 * check failed in that time. These states go into error ratios, never into counters. What the report
 * and the list prove is used at once. The rest is read again, at first after the lag of the report.
 */
function refreshFirstPast(context: RefreshContext): ItemRefresh {
  const { service, state, clock, events } = context;
  return async (id, signal, allRead) => {
    const record = state.checks.get(id);
    const wanted = record && wantedPast(record);
    if (record === undefined || wanted === undefined) return nothingLeft;
    const { startSeconds, horizonSeconds } = record.totals.states;
    const requestedAtSeconds = unixSeconds(clock);
    const { fromSeconds } = wanted;
    const { items, rejected } = await service.listOutages(
      { checkId: id, fromSeconds, toSeconds: Math.max(horizonSeconds, requestedAtSeconds) },
      signal,
    );
    // It may have left in the meantime.
    if (!state.checks.has(id)) return nothingLeft;
    const isReadable = rejected.length === 0;
    const isComplete = isReadable && !lacksTests(items, record.entry, wanted);
    const read = { isComplete, nowSeconds: requestedAtSeconds, awaitedSeconds: startSeconds };
    const isUsed = isUsable(record, read, reportPatience);
    if (!isUsed) requireComplete('list_outages', rejected);
    allRead?.();
    const isGivenUp = isUsed && !isComplete;
    const report = { items, requestedAtSeconds, wanted, isGivenUp };
    await state.totals.commitCheck(id, (totals) => {
      const { log } = totals;
      const { entry } = state.checks.get(id) ?? record;
      const present = wantedPast({ totals, entry });
      // A list may have proven a part, and a report may have moved the horizon, but never the start.
      if (log === undefined || present?.toSeconds !== wanted.toSeconds) return undefined;
      const left = { ...wanted, fromSeconds: log.tail?.fromSeconds ?? wanted.fromSeconds };
      return {
        ...totals,
        log: withPastReport({ ...totals, log }, entry, { ...report, wanted: left }),
      };
    });
    state.firstSight.pastRead(id);
    if (isGivenUp) events.reportGivenUp('history', id, wanted);
    return { rejected, events: [], entries: items.length };
  };
}

function wantedPast({ totals, entry }: { totals: KnownStates; entry: Check }) {
  return missingPast(totals, entry) ?? dueTail(totals, entry);
}
