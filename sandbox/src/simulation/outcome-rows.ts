import type { ResultStatus } from '../vocabulary.ts';
import {
  firstTestIndex,
  lastTestIndex,
  type MonitoredCheck,
  type TestRun,
  testIndexBefore,
  testIndexFrom,
} from './monitored-check.ts';
import type { OutcomeStretch, TestOutcome, TestOutcomes } from './test-outcomes.ts';

/** All consecutive tests of one run with one outcome. */
export interface OutcomeRow extends OutcomeStretch {
  readonly run: TestRun;
  /** The outcome of the test after the row; absent if its run has no further test yet. */
  readonly next?: TestOutcome;
}

/** The rows that begin before `until`, newest first, each with all its tests up to `asOf`. */
export function* rowsBefore(
  outcomes: TestOutcomes,
  check: MonitoredCheck,
  asOf: number,
  until = Number.POSITIVE_INFINITY,
): Generator<OutcomeRow> {
  for (const run of check.runs.toReversed()) {
    const first = firstTestIndex(run);
    const done = lastTestIndex(run, asOf);
    const start = Math.min(done, testIndexBefore(run, until));
    if (start >= first) yield* rowsOfRun(outcomes, check, run, { first, start, done });
  }
}

interface Bounds {
  readonly first: number;
  /** The index of a test of the newest row. */
  readonly start: number;
  readonly done: number;
}

function* rowsOfRun(
  outcomes: TestOutcomes,
  check: MonitoredCheck,
  run: TestRun,
  { first, start, done }: Bounds,
): Generator<OutcomeRow> {
  const around = (index: number) => outcomes.around(check, run, index);
  let piece: OutcomeStretch | undefined = around(start);

  let newest = piece;
  let after: OutcomeStretch | undefined;
  while (newest.last < done) {
    after = around(newest.last + 1);
    if (after.outcome !== piece.outcome) break;
    newest = after;
    after = undefined;
  }
  let last = Math.min(newest.last, done);
  let next = after?.outcome;

  // Each stretch is visited once: at the start of a row, the newest stretch of the older row is
  // already known.
  while (piece !== undefined) {
    const { outcome } = piece;
    let rowFirst = first;
    let older: OutcomeStretch | undefined;
    while (piece.first > first) {
      older = around(piece.first - 1);
      if (older.outcome !== outcome) {
        rowFirst = piece.first;
        break;
      }
      piece = older;
      older = undefined;
    }
    const row = { run, outcome, first: rowFirst, last };
    yield next === undefined ? row : { ...row, next };
    next = outcome;
    last = rowFirst - 1;
    piece = older;
  }
}

/**
 * Consecutive tests of one run whose results have one status; `first` and `last` are test indices,
 * both included.
 */
interface StatusSpan {
  readonly run: TestRun;
  readonly status: ResultStatus;
  readonly first: number;
  readonly last: number;
}

/**
 * The tests in [from, to), in UNIX seconds, oldest first. Neighbouring spans may have the same
 * status.
 */
export function statusSpans(
  outcomes: TestOutcomes,
  check: MonitoredCheck,
  from: number,
  to: number,
): StatusSpan[] {
  return check.runs.flatMap((run) => spansOfRun(outcomes, check, run, from, to));
}

function spansOfRun(
  outcomes: TestOutcomes,
  check: MonitoredCheck,
  run: TestRun,
  from: number,
  to: number,
): StatusSpan[] {
  const firstTest = firstTestIndex(run);
  const done = Math.min(testIndexBefore(run, to), lastTestIndex(run, to));
  const spans: StatusSpan[] = [];
  let first = Math.max(testIndexFrom(run, from), firstTest);
  let failing = first > firstTest && outcomes.around(check, run, first - 1).outcome === 'down';
  while (first <= done) {
    const stretch = outcomes.around(check, run, first);
    const unconfirmed = stretch.outcome === 'down' && !failing;
    const last = unconfirmed ? first : Math.min(done, stretch.last);
    spans.push({ run, status: unconfirmed ? 'unconfirmed_down' : stretch.outcome, first, last });
    failing = stretch.outcome === 'down';
    first = last + 1;
  }
  return spans;
}
