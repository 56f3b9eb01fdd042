import type { Wire } from '../wire.ts';
import type { History } from './history.ts';
import {
  firstTestIndex,
  lastTestIndex,
  type MonitoredCheck,
  type TestRun,
  testTime,
} from './monitored-check.ts';
import { reportEnd } from './report-bounds.ts';

/** [from, to) in UNIX seconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A span of one state; `since` is the start of the failure, even before the requested range. */
export type TransactionState = Span &
  ({ readonly status: 'up' | 'unknown' } | { readonly status: 'down'; readonly since: number });

/**
 * The states of a transaction in [from, to), oldest first, without the time without runs. Unlike an
 * uptime check, a transaction is down after one failed run: nothing is confirmed. `to` must not be
 * in the future.
 */
export function transactionStates(
  history: History,
  transaction: MonitoredCheck,
  { from, to }: Span,
): TransactionState[] {
  const down: TransactionState[] = [];
  for (const failure of failures(history, transaction, to)) {
    if (failure.to <= from) break;
    const span = { from: Math.max(from, failure.from), to: Math.min(to, failure.to) };
    if (span.from < span.to) down.unshift({ ...span, status: 'down', since: failure.from });
  }
  const rest = history
    .segments(transaction, from, to)
    .flatMap(({ status, ...segment }): TransactionState[] =>
      status === 'down' ? [] : outside(segment, down).map((span) => ({ ...span, status })),
    );
  return [...rest, ...down].sort((a, b) => a.from - b.from);
}

/**
 * The states of a report at `now`. A report ends with the last run, whose own outcome appears with
 * the next run. The report of an inactive transaction ends with the last run too. In the other
 * forms, the last state lasts until the report ends, or until the transaction became inactive: a
 * later report keeps what an earlier one had after the last run.
 */
export function reportedStates(
  history: History,
  transaction: MonitoredCheck,
  { from, to }: Span,
  now: number,
  wire: Pick<Wire, 'reportsEnd'>,
): TransactionState[] {
  const end = Math.min(to, reportEnd(history, transaction, now, wire));
  if (end <= from) return [];
  const period = { from, to: end };
  if (wire.reportsEnd !== 'last-test') return transactionStates(history, transaction, period);
  const runs = transaction.runs.filter(isTested);
  const reported = runs.flatMap((run, place) => endingWithItsLastRun(run, runs[place + 1]));
  return transactionStates(history, { ...transaction, runs: reported }, period);
}

function isTested(run: TestRun): boolean {
  return run.to === undefined || lastTestIndex(run, run.to) >= firstTestIndex(run);
}

/** A run that another run follows immediately only changed its interval. */
function endingWithItsLastRun(run: TestRun, next: TestRun | undefined): TestRun[] {
  if (run.to === undefined || next?.from === run.to) return [run];
  const to = testTime(run, lastTestIndex(run, run.to));
  return to > run.from ? [{ ...run, to }] : [];
}

/** The last failure of the transaction, as known at `now`; no `end` while it is ongoing. */
export function lastDowntime(
  history: History,
  transaction: MonitoredCheck,
  now: number,
): { readonly start: number; readonly end?: number } | undefined {
  for (const { from, to } of failures(history, transaction, now)) {
    return to > now ? { start: from } : { start: from, end: to };
  }
  return undefined;
}

/** Whole failures, newest first, from the first failed run to the next run with another outcome. */
function* failures(history: History, transaction: MonitoredCheck, until: number): Generator<Span> {
  let failure = failureBefore(history, transaction, until);
  while (failure !== undefined) {
    const earlier = failureBefore(history, transaction, failure.from - 1);
    // A change of the interval splits one failure into two runs.
    if (earlier?.to === failure.from) {
      failure = { from: earlier.from, to: failure.to };
    } else {
      yield failure;
      failure = earlier;
    }
  }
}

function failureBefore(
  history: History,
  transaction: MonitoredCheck,
  time: number,
): Span | undefined {
  const error = history.lastErrorTime(transaction, time);
  const run = transaction.runs.findLast(({ from }) => error !== undefined && from <= error);
  if (error === undefined || run === undefined) return undefined;
  const outage = history.lastOutage(transaction, error);
  const from = outage !== undefined && outage.end === undefined ? outage.start : error;
  const next = testTime(run, lastTestIndex(run, error) + 1);
  return { from, to: Math.min(next, run.to ?? Number.POSITIVE_INFINITY) };
}

/** The parts of `span` outside of `holes`, which are in order and do not overlap. */
function outside(span: Span, holes: readonly Span[]): Span[] {
  const left: Span[] = [];
  let { from } = span;
  for (const hole of holes) {
    if (hole.to <= from || hole.from >= span.to) continue;
    if (from < hole.from) left.push({ from, to: hole.from });
    from = hole.to;
  }
  if (from < span.to) left.push({ from, to: span.to });
  return left;
}
