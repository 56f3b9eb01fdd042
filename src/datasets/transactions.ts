import type { Listing } from '../api/service.ts';
import type { TalliedState, TimeRange } from '../domain/interval.ts';
import type {
  Transaction,
  TransactionStateSpan,
  TransactionStates,
} from '../domain/transaction.ts';
import type { Refresh } from '../schedule/refresh.ts';
import { notesOfSteps } from '../slo/last-outages.ts';
import { missingPast } from '../slo/past.ts';
import { unknownHistory, withPast } from '../slo/state-history.ts';
import type { ItemRecord } from '../state/items/item-rows.ts';
import { type StateTotals, withCounted } from '../state/items/totals.ts';
import type { TransactionItemDetails } from '../state/items/transaction-items.ts';
import type { Horizon } from '../tally/advance.ts';
import { applyReport, fillSpans } from '../tally/apply-report.ts';
import { longestLagSeconds } from '../tally/list-times.ts';
import { noSeconds } from '../tally/state-tally.ts';
import { isComplete, type RefreshContext } from './refresh-context.ts';

/** A run is reported at its end with the time of its start, so younger states may change. */
const settlingSeconds = 300;
const hourSeconds = 3_600;
const noStates: readonly TransactionStateSpan[] = [];

/**
 * Reads the transactions of the account, and the states of all of them since the earliest horizon.
 * A transaction whose report cannot be decoded waits for the next report; the others continue.
 */
export function refreshTransactions(context: RefreshContext): Refresh {
  const { service, state, serviceTime } = context;

  return async (_id, signal, allRead) => {
    const now = serviceTime.passedSeconds();
    const { items, rejected } = await service.listTransactions(signal);
    state.listTransactions(
      items,
      (transaction) => startTotals(transaction, now),
      isComplete(rejected),
    );
    await commitListed(context, isComplete(rejected));
    if (items.length === 0) return { rejected, events: [] };

    const horizons = [...state.transactions.records()].map(readFrom);
    const untilSeconds = now - settlingSeconds;
    // The same report contains the past of new transactions.
    const pasts = [...state.transactions.records()].flatMap(({ entry, totals }) =>
      isSettled(totals) ? (missingPast(totals, entry)?.fromSeconds ?? []) : [],
    );
    const earliest = [...horizons, ...pasts];
    const fromSeconds = earliest.reduce((first, at) => Math.min(first, at), untilSeconds);
    const reports = await service.listTransactionStates({ fromSeconds, toSeconds: now }, signal);
    allRead?.();
    await commitReports(context, reports, { fromSeconds, untilSeconds });
    return { rejected: [...rejected, ...reports.rejected], events: [] };
  };
}

/** A new transaction is read from two runs before first sight: the last run ends the report. */
function readFrom({
  entry,
  totals,
  details,
}: ItemRecord<Transaction, StateTotals, TransactionItemDetails>): number {
  const { horizonSeconds } = totals.states;
  if (details.reportedUntilSeconds !== undefined) return horizonSeconds;
  return horizonSeconds - 2 * (entry.intervalSeconds ?? hourSeconds);
}

function startTotals({ status }: Transaction, nowSeconds: number): StateTotals {
  return {
    history: { ...unknownHistory, knownFromSeconds: nowSeconds },
    states: {
      startSeconds: nowSeconds,
      horizonSeconds: nowSeconds,
      seconds: noSeconds,
      outages: 0,
      state: 'unknown',
      inOutage: status === 'failing',
    },
  };
}

/** Marks removed transactions. New ones count from now on, even if their report fails. */
async function commitListed({ state }: RefreshContext, complete: boolean): Promise<void> {
  const transactions = new Map<number, StateTotals | null>(state.transactions.removed);
  for (const id of state.transactions.unstored) {
    const record = state.transactions.get(id);
    if (record !== undefined) transactions.set(id, record.totals);
  }
  const outages = state.listedOutages('transactions', complete);
  if (transactions.size === 0 && outages === undefined) return;
  await state.totals.commit(() => ({ transactions, ...(outages !== undefined && { outages }) }));
}

async function commitReports(
  { state }: RefreshContext,
  { items, rejected }: Listing<TransactionStates>,
  { fromSeconds, untilSeconds }: { fromSeconds: number; untilSeconds: number },
): Promise<void> {
  const reported = new Map(items.map(({ transactionId, states }) => [transactionId, states]));
  // A transaction without a report has no states, unless a report was rejected: that one may belong
  // to it.
  const withoutReport = rejected.length === 0 ? noStates : undefined;
  const statesOf = (id: number) => (reported.has(id) ? reported.get(id) : withoutReport);
  for (const id of state.transactions.ids()) {
    const record = state.transactions.get(id);
    const last = statesOf(id)?.at(-1);
    const notes = record?.details.notes?.value;
    const isInOutage = record?.totals.states.inOutage === true;
    const noted = notesOfSteps(notes, statesOf(id) ?? noStates, isInOutage);
    if (noted !== notes && noted.length > 0) state.setTransactionDetail(id, 'notes', noted);
    const isFailing = record?.entry.status === 'failing';
    // Most reports have no state of a transaction that runs rarely; the failing step of its last
    // run still applies.
    if (!isFailing || last !== undefined) {
      const step = isFailing && last?.state === 'down' ? last.failedStep : undefined;
      state.setTransactionDetail(id, 'failingStep', step);
    }
    const reportedUntil =
      record?.entry.active === false ? idleUntil(last, untilSeconds) : last?.toSeconds;
    if (reportedUntil !== undefined) {
      state.setTransactionDetail(id, 'reportedUntilSeconds', reportedUntil);
    }
  }
  await state.totals.commit(() => {
    const transactions = new Map<number, StateTotals>();
    for (const { entry, totals } of state.transactions.records()) {
      const spans = statesOf(entry.id);
      if (spans === undefined) continue;
      const horizon = horizonOf(entry, spans, untilSeconds);
      const update = applyReport(totals.states, spans, horizon);
      const past = isSettled(totals) ? missingPast(totals, entry) : undefined;
      const isReported = past !== undefined && past.fromSeconds >= fromSeconds;
      if (update.tally === totals.states && !isReported) continue;
      const recorded = withCounted(totals, update);
      transactions.set(entry.id, isReported ? withReportedPast(recorded, spans, past) : recorded);
    }
    return { transactions };
  });
}

/**
 * Returns the time up to which the states of an inactive transaction are known: the end of its last
 * state, or the longest lag of a report ago, whichever is later.
 */
function idleUntil(last: TransactionStateSpan | undefined, untilSeconds: number): number {
  const reportedSeconds = Math.min(last?.toSeconds ?? 0, untilSeconds);
  return Math.max(reportedSeconds, untilSeconds + settlingSeconds - longestLagSeconds);
}

/**
 * A report proves the states up to the end of its last state, which is the last run. An inactive
 * transaction has no further runs, so its states are also known up to the longest lag of a report.
 */
function horizonOf(
  { active }: Transaction,
  spans: readonly TransactionStateSpan[],
  untilSeconds: number,
): Horizon {
  const last = spans.at(-1);
  const reported = last?.toSeconds ?? 0;
  if (active === false) {
    const atSeconds = idleUntil(last, untilSeconds);
    return {
      atSeconds,
      state: last !== undefined && atSeconds === reported ? last.state : stateAt(spans, atSeconds),
    };
  }
  if (last !== undefined && reported <= untilSeconds) {
    return { atSeconds: reported, state: last.state };
  }
  const isKnown = reported > untilSeconds;
  return { atSeconds: isKnown ? untilSeconds : 0, state: stateAt(spans, untilSeconds) };
}

/** Whether a report covers time after first sight, when the last state may have been open. */
function isSettled({ states }: StateTotals): boolean {
  return states.horizonSeconds > states.startSeconds;
}

function withReportedPast(
  totals: StateTotals,
  spans: readonly TransactionStateSpan[],
  { fromSeconds, toSeconds }: TimeRange,
): StateTotals {
  if (totals.history === undefined) return totals;
  const past = fillSpans(spans, fromSeconds, toSeconds);
  return { ...totals, history: withPast(totals.history, past, totals.states.horizonSeconds) };
}

function stateAt(spans: readonly TransactionStateSpan[], atSeconds: number): TalliedState {
  const span = spans.find(
    ({ fromSeconds, toSeconds }) => fromSeconds <= atSeconds && atSeconds < toSeconds,
  );
  return span?.state ?? 'unmonitored';
}
