import type { Listing } from '../api/service.ts';
import type { TalliedState } from '../domain/totals.ts';
import type {
  Transaction,
  TransactionStateSpan,
  TransactionStates,
} from '../domain/transaction.ts';
import type { Refresh, RefreshContext } from '../schedule/refresh.ts';
import { type StateTotals, withRecorded } from '../state/totals.ts';
import { applyReport } from '../tally/apply-report.ts';
import { noSeconds } from '../tally/state-tally.ts';
import { isComplete } from './refresh-context.ts';

/** A run is dated by its beginning and reported when it is over: up to here the report is final. */
const settlingSeconds = 300;
const noStates: readonly TransactionStateSpan[] = [];

/**
 * The transactions of the account, and the states of all of them since the earliest horizon. One whose report
 * cannot be read waits for the next; the others go on.
 */
export function refreshTransactions(context: RefreshContext): Refresh {
  const { service, state, serviceTime } = context;

  return async (_id, signal) => {
    const now = serviceTime.passedSeconds();
    const { items, rejected } = await service.listTransactions(signal);
    state.listTransactions(
      items,
      (transaction) => startTotals(transaction, now),
      isComplete(rejected),
    );
    await commitListed(context);
    if (items.length === 0) return { rejected, events: [] };

    const horizons = [...state.transactions.records()].map(
      ({ totals }) => totals.states.horizonSeconds,
    );
    const untilSeconds = now - settlingSeconds;
    const fromSeconds = horizons.reduce((first, at) => Math.min(first, at), untilSeconds);
    const reports = await service.listTransactionStates({ fromSeconds, toSeconds: now }, signal);
    await commitReports(context, reports, untilSeconds);
    return { rejected: [...rejected, ...reports.rejected], events: [] };
  };
}

function startTotals({ status }: Transaction, nowSeconds: number): StateTotals {
  return {
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

/** What is gone is marked, and what is new counts from now on, whatever becomes of its report. */
async function commitListed({ state }: RefreshContext): Promise<void> {
  const transactions = new Map<number, StateTotals | null>(state.transactions.departed);
  for (const { entry, totals } of state.transactions.records()) {
    if (!state.transactions.isPersisted(entry.id)) transactions.set(entry.id, totals);
  }
  if (transactions.size > 0) await state.commit(() => ({ transactions }));
}

async function commitReports(
  { state }: RefreshContext,
  { items, rejected }: Listing<TransactionStates>,
  untilSeconds: number,
): Promise<void> {
  const reported = new Map(items.map(({ transactionId, states }) => [transactionId, states]));
  // A report that is not there is one without states, unless one was left out: it may be the one.
  const withoutReport = rejected.length === 0 ? noStates : undefined;
  const statesOf = (id: number) => (reported.has(id) ? reported.get(id) : withoutReport);
  for (const id of state.transactions.ids()) {
    const last = statesOf(id)?.at(-1);
    const failingStep = last?.state === 'down' ? last.failedStep : undefined;
    state.setTransactionDetail(id, 'failingStep', failingStep);
  }
  await state.commit(() => {
    const transactions = new Map<number, StateTotals>();
    for (const { entry, totals } of state.transactions.records()) {
      const spans = statesOf(entry.id);
      if (spans === undefined) continue;
      const horizon = { atSeconds: untilSeconds, state: stateAt(spans, untilSeconds) };
      const booking = applyReport(totals.states, spans, horizon);
      if (booking.tally === totals.states) continue;
      transactions.set(entry.id, withRecorded(totals, booking));
    }
    return { transactions };
  });
}

function stateAt(spans: readonly TransactionStateSpan[], atSeconds: number): TalliedState {
  const span = spans.find(
    ({ fromSeconds, toSeconds }) => fromSeconds <= atSeconds && atSeconds < toSeconds,
  );
  return span?.state ?? 'unmonitored';
}
