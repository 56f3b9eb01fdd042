import type { Listing } from '../api/service.ts';
import type { TimeRange } from '../domain/interval.ts';
import type {
  Transaction,
  TransactionStateSpan,
  TransactionStates,
} from '../domain/transaction.ts';
import { pick, present } from '../lib/present.ts';
import type { Refresh } from '../schedule/refresh.ts';
import { withGivenUp } from '../slo/given-up.ts';
import { notesOfSteps } from '../slo/last-outages.ts';
import { withPast } from '../slo/log-past.ts';
import { missingPast } from '../slo/past.ts';
import { emptyLog, historySeconds, keptFromSeconds, openOutage } from '../slo/state-log.ts';
import type { ItemRecord } from '../state/items/item-rows.ts';
import { type StateTotals, withCounted } from '../state/items/totals.ts';
import type { TransactionItemDetails } from '../state/items/transaction-items.ts';
import { applyReport, fillSpans } from '../tally/apply-report.ts';
import { reportPatience } from '../tally/count-report.ts';
import { isUsable } from '../tally/incomplete-reports.ts';
import { longestLagSeconds } from '../tally/list-times.ts';
import { subtract } from '../tally/maintenance-tally.ts';
import {
  idleAfter,
  idleUntil,
  settlingSeconds,
  transactionHorizon,
} from '../tally/transaction-horizon.ts';
import type { MaintenanceReport } from './maintenance.ts';
import { isComplete, type RefreshContext } from './refresh-context.ts';

const hourSeconds = 3_600;
const noStates: readonly TransactionStateSpan[] = [];

/**
 * Reads the transactions of the account, and the states of all of them since the earliest horizon.
 * A transaction whose report cannot be decoded waits for the next report, for a day at most; the
 * others continue.
 */
export function refreshTransactions(
  context: RefreshContext,
  maintenance: Pick<MaintenanceReport, 'isKnownFor'>,
): Refresh {
  const { service, state, serviceTime } = context;

  return async (_id, signal, allRead) => {
    const now = serviceTime.passedSeconds();
    const listing = await service.listTransactions(signal);
    const { items: listed, rejected, excluded, withMoreTags } = listing;
    if (withMoreTags !== undefined) context.events.tagsLeftOut('transactions', withMoreTags);
    const items = listed.map((item) =>
      newestTransaction(state.transactions.get(item.id)?.entry, item, now),
    );
    // Maintenance silences alerts.
    const hasNewlyFailed = items.some(
      ({ id, status, active }) =>
        active !== false &&
        status === 'failing' &&
        state.transactions.get(id)?.entry.status !== 'failing',
    );
    if (hasNewlyFailed) await maintenance.isKnownFor(true, signal);
    state.list(
      'transaction',
      items,
      (transaction) => startTotals(transaction, now),
      present({ isComplete: isComplete(rejected), excluded }),
    );
    noteInactive(state, now);
    await commitListed(context, isComplete(rejected));
    if (items.length === 0) return { rejected, events: [] };

    const untilSeconds = now - settlingSeconds;
    // The same report contains the past of new transactions.
    const begins = [...state.transactions.records()].map(({ entry, totals }) => {
      const past = isCountedSinceFirstSight(totals) ? missingPast(totals, entry) : undefined;
      return requestedFrom(entry, past?.fromSeconds ?? totals.states.horizonSeconds);
    });
    const fromSeconds = begins.reduce((first, at) => Math.min(first, at), untilSeconds);
    const reports = await service.listTransactionStates({ fromSeconds, toSeconds: now }, signal);
    allRead?.();
    const usable = usableReports(context, reports, now);
    await commitReports(context, usable, { fromSeconds, untilSeconds });
    return { rejected: [...rejected, ...reports.rejected], events: [] };
  };
}

function noteInactive({ transactions }: RefreshContext['state'], nowSeconds: number): void {
  for (const record of transactions.records()) {
    const { active, modifiedAtSeconds = 0 } = record.entry;
    const { inactiveSinceSeconds: since = Number.NEGATIVE_INFINITY } = record;
    if (active !== false) record.inactiveSinceSeconds = undefined;
    // What was modified since may have run in between.
    else if (modifiedAtSeconds > since) record.inactiveSinceSeconds = nowSeconds;
  }
}

type TransactionRecord = ItemRecord<Transaction, StateTotals, TransactionItemDetails>;

/**
 * Returns from when a report is requested that must have the states from a time on. A report may begin
 * with the first run in its range, instead of the state at its start. So it is two runs earlier, and at
 * least two hours: the runs may have been further apart.
 */
export function requestedFrom(
  { intervalSeconds = hourSeconds }: Transaction,
  fromSeconds: number,
): number {
  return fromSeconds - 2 * Math.max(intervalSeconds, hourSeconds);
}

/** The states of a report that the one before it could not have had. */
function unnoted(
  { totals, details }: TransactionRecord,
  states: readonly TransactionStateSpan[] = noStates,
): readonly TransactionStateSpan[] {
  if (details.reportedUntilSeconds === undefined) return states;
  return states.filter(({ toSeconds }) => toSeconds > totals.states.horizonSeconds);
}

function startTotals({ status }: Transaction, nowSeconds: number): StateTotals {
  const state = status === 'failing' ? 'down' : 'unknown';
  return {
    log: emptyLog(nowSeconds),
    states: { startSeconds: nowSeconds, horizonSeconds: nowSeconds, state },
  };
}

/** Marks removed transactions. New ones count from now on, even if their report fails. */
async function commitListed({ state }: RefreshContext, complete: boolean): Promise<void> {
  const transactions = new Map<number, StateTotals | null>(state.transactions.removed);
  for (const { entry, totals } of state.transactions.unstored()) {
    transactions.set(entry.id, totals);
  }
  const outages = state.listedOutages('transaction', complete);
  if (transactions.size === 0 && outages === undefined) return;
  await state.totals.commit(() => present({ transactions, outages }));
}

interface UsableReports {
  /** The states of a transaction; undefined if it must wait for the next report. */
  readonly statesOf: (id: number) => readonly TransactionStateSpan[] | undefined;
  /** Whether a part of the report could not be read, so that it looks unmonitored. */
  readonly isIncomplete: (id: number) => boolean;
}

/**
 * A transaction without a report has no states, unless a report was rejected as a whole: that one
 * may belong to it.
 */
function usableReports(
  { state }: RefreshContext,
  { items, rejected }: Listing<TransactionStates>,
  nowSeconds: number,
): UsableReports {
  const reported = new Map(items.map((report) => [report.transactionId, report]));
  const ofReports = items.reduce((sum, { unreadable = 0 }) => sum + unreadable, 0);
  const isReportRejected = rejected.length > ofReports;
  const isIncomplete = (id: number) => {
    const report = reported.get(id);
    return report === undefined ? isReportRejected : report.unreadable !== undefined;
  };
  const waiting = new Set<number>();
  for (const record of state.transactions.records()) {
    const { id } = record.entry;
    const awaitedSeconds = record.totals.states.horizonSeconds;
    const read = { isComplete: !isIncomplete(id), nowSeconds, awaitedSeconds };
    if (!isUsable(record, read, reportPatience)) waiting.add(id);
  }
  const statesOf = (id: number) =>
    waiting.has(id) ? undefined : (reported.get(id)?.states ?? noStates);
  return { statesOf, isIncomplete };
}

interface ReadStates {
  readonly fromSeconds: number;
  readonly untilSeconds: number;
}

async function commitReports(
  { state, events }: RefreshContext,
  { statesOf, isIncomplete }: UsableReports,
  { fromSeconds, untilSeconds }: ReadStates,
): Promise<void> {
  for (const id of state.transactions.ids()) {
    const record = state.transactions.get(id);
    const last = statesOf(id)?.at(-1);
    const notes = record?.details.notes?.value;
    const isInOutage = record !== undefined && openOutage(record.totals) !== undefined;
    const noted = notesOfSteps(
      notes,
      record === undefined ? noStates : unnoted(record, statesOf(id)),
      isInOutage,
    );
    if (noted !== notes && noted.length > 0) state.setDetail('transaction', id, 'notes', noted);
    const isFailing = record?.entry.status === 'failing';
    // Most reports have no state of a transaction that runs rarely; the failing step of its last
    // run still applies.
    if (!isFailing || last !== undefined) {
      const step = isFailing && last?.state === 'down' ? last.failedStep : undefined;
      state.setDetail('transaction', id, 'failingStep', step);
    }
    const idleSeconds = idleUntil(record?.inactiveSinceSeconds, untilSeconds);
    const reportedUntil =
      idleSeconds === undefined ? last?.toSeconds : idleAfter(last, idleSeconds, untilSeconds);
    if (reportedUntil !== undefined) {
      state.setDetail('transaction', id, 'reportedUntilSeconds', reportedUntil);
    }
  }
  const givenUp = new Map<number, TimeRange>();
  await state.totals.commit(() => {
    const transactions = new Map<number, StateTotals>();
    for (const { entry, totals, inactiveSinceSeconds } of state.transactions.records()) {
      const spans = statesOf(entry.id);
      if (spans === undefined) continue;
      // Earlier runs are not awaited: reports would become longer and longer.
      const oldestSeconds = untilSeconds - historySeconds;
      const idleSeconds = idleUntil(inactiveSinceSeconds, untilSeconds) ?? oldestSeconds;
      const horizon = transactionHorizon(spans, untilSeconds, idleSeconds);
      const update = applyReport(totals.states, spans, horizon);
      const past = isCountedSinceFirstSight(totals) ? missingPast(totals, entry) : undefined;
      const isReported =
        past !== undefined &&
        past.fromSeconds >= fromSeconds &&
        horizon.atSeconds >= past.toSeconds;
      if (update.tally === totals.states && !isReported) continue;
      const counted = {
        fromSeconds: totals.states.horizonSeconds,
        toSeconds: update.tally.horizonSeconds,
      };
      const unread = isIncomplete(entry.id) ? subtract([counted], spans) : [];
      if (unread.length > 0) givenUp.set(entry.id, counted);
      const recorded = withCounted(totals, { ...update, unread });
      transactions.set(
        entry.id,
        isReported ? withReportedPast(recorded, spans, past, isIncomplete(entry.id)) : recorded,
      );
    }
    return { transactions };
  });
  for (const [id, range] of givenUp) events.reportGivenUp('transactions', id, range);
}

/**
 * The listed entry. A known downtime, or change of the settings, within the longest lag of a list
 * may be later than those of the list. Then the list is older, and what it shows of them is not
 * taken, so that nothing shown is taken back. The list may lack what does not change by itself.
 */
function newestTransaction(
  known: Transaction | undefined,
  listed: Transaction,
  nowSeconds: number,
): Transaction {
  if (known === undefined) return listed;
  const isOlder = (listedSeconds: number, knownSeconds: number) =>
    listedSeconds < knownSeconds && knownSeconds >= nowSeconds - longestLagSeconds;
  let newest = { ...pick(known, ['active', 'intervalSeconds', 'createdAtSeconds']), ...listed };
  if (isOlder(lastDowntimeOf(listed), lastDowntimeOf(known))) {
    const { lastDowntimeStartAtSeconds: _start, lastDowntimeEndAtSeconds: _end, ...rest } = newest;
    newest = {
      ...rest,
      ...pick(known, ['status', 'lastDowntimeStartAtSeconds', 'lastDowntimeEndAtSeconds']),
    };
  }
  if (isOlder(listed.modifiedAtSeconds ?? 0, known.modifiedAtSeconds ?? 0)) {
    newest = { ...newest, ...pick(known, ['active', 'modifiedAtSeconds']) };
  }
  return newest;
}

function lastDowntimeOf({
  lastDowntimeStartAtSeconds = 0,
  lastDowntimeEndAtSeconds = 0,
}: Transaction): number {
  return Math.max(lastDowntimeStartAtSeconds, lastDowntimeEndAtSeconds);
}

/** Whether a report covers time after first sight, when the last state may have been open. */
function isCountedSinceFirstSight({ states }: StateTotals): boolean {
  return states.horizonSeconds > states.startSeconds;
}

function withReportedPast(
  totals: StateTotals,
  spans: readonly TransactionStateSpan[],
  past: TimeRange,
  isIncomplete: boolean,
): StateTotals {
  if (totals.log === undefined) return totals;
  const filled = fillSpans(spans, past.fromSeconds, past.toSeconds);
  const oldest = keptFromSeconds(totals, totals.states.horizonSeconds);
  const log = withPast(totals.log, filled, oldest);
  return { ...totals, log: withGivenUp(log, isIncomplete ? subtract([past], spans) : []) };
}
