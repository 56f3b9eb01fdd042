import type { ResultStatus } from '../../domain/results.ts';
import {
  firstTestIndex,
  lastTestIndex,
  type MonitoredCheck,
  type TestRun,
  testIndexBefore,
  testIndexFrom,
} from './monitored-check.ts';
import type { TestOutcomes } from './test-outcomes.ts';

/** Consecutive tests of one run whose results have one status; `first` and `last` are test indices, both included. */
export interface StatusSpan {
  readonly run: TestRun;
  readonly status: ResultStatus;
  readonly first: number;
  readonly last: number;
}

/** The tests in [from, to), in UNIX seconds, oldest first. Neighbouring spans may have the same status. */
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
