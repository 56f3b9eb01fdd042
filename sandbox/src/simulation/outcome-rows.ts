import type { ResultStatus } from '../vocabulary.ts';
import {
  firstTestIndex,
  lastTestIndex,
  type MonitoredCheck,
  repetitionTime,
  type TestRun,
  testIndexBefore,
  testIndexFrom,
  testTime,
} from './monitored-check.ts';
import type { OutcomeStretch, TestOutcome, TestOutcomes } from './test-outcomes.ts';

/** All consecutive tests of one run with one outcome. */
export interface OutcomeRow extends OutcomeStretch {
  readonly run: TestRun;
  /** The outcome of the test after the row; absent if its run has no further test yet. */
  readonly next?: TestOutcome;
  /** When a second test failed in UNIX seconds; only of failed tests, and only if one has. */
  readonly confirmedAt?: number;
}

/** A first failed test that was repeated fails again if the next test of the grid does. */
export function isRepeatedFailure(
  outcomes: TestOutcomes,
  check: MonitoredCheck,
  run: TestRun,
  index: number,
): boolean {
  return outcomes.around(check, run, index + 1).outcome === 'down';
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
    if (start < first) continue;
    for (const row of rowsOfRun(outcomes, check, run, { first, start, done })) {
      const confirmedAt =
        row.outcome === 'down' ? confirmed(outcomes, check, asOf, row) : undefined;
      yield confirmedAt === undefined ? row : { ...row, confirmedAt };
    }
  }
}

function confirmed(
  outcomes: TestOutcomes,
  check: MonitoredCheck,
  asOf: number,
  { run, first, last }: OutcomeRow,
): number | undefined {
  const repeatedAt = repetitionTime(run, first);
  if (repeatedAt === undefined) return first < last ? testTime(run, first + 1) : undefined;
  const isKnown = repeatedAt <= asOf;
  return isKnown && isRepeatedFailure(outcomes, check, run, first) ? repeatedAt : undefined;
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
  /** Set if it is the repetition of the test `first`: its time in UNIX seconds. */
  readonly repeatedAt?: number;
}

/** The times of the tests of a span in UNIX seconds, oldest first (1) or newest first (-1). */
export function* timesOf(
  { run, first, last, repeatedAt }: StatusSpan,
  order: 1 | -1 = 1,
): Generator<number> {
  if (repeatedAt !== undefined) yield repeatedAt;
  for (let place = 0; repeatedAt === undefined && place <= last - first; place++) {
    yield testTime(run, order === 1 ? first + place : last - place);
  }
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
  const isDown = (index: number) =>
    index >= firstTest && outcomes.around(check, run, index).outcome === 'down';
  const repeat = (index: number) => {
    const repeatedAt = repetitionTime(run, index);
    if (repeatedAt === undefined || repeatedAt < from || repeatedAt >= to) return;
    const status = isRepeatedFailure(outcomes, check, run, index) ? 'down' : 'up';
    spans.push({ run, status, first: index, last: index, repeatedAt });
  };
  let first = Math.max(testIndexFrom(run, from), firstTest);
  let failing = isDown(first - 1);
  // The test before the range may be repeated within it.
  if (failing && !isDown(first - 2)) repeat(first - 1);
  while (first <= done) {
    const stretch = outcomes.around(check, run, first);
    const unconfirmed = stretch.outcome === 'down' && !failing;
    const last = unconfirmed ? first : Math.min(done, stretch.last);
    spans.push({ run, status: unconfirmed ? 'unconfirmed_down' : stretch.outcome, first, last });
    if (unconfirmed) repeat(first);
    failing = stretch.outcome === 'down';
    first = last + 1;
  }
  return spans;
}
