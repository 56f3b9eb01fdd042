import type { CheckStatus, ResultStatus } from '../vocabulary.ts';
import type { Wire } from '../wire.ts';
import {
  firstTestIndex,
  lastTestIndex,
  type MonitoredCheck,
  probeOfTest,
  repetitionTime,
  responseTimes,
  type TestRun,
  testTime,
} from './monitored-check.ts';
import {
  isRepeatedFailure,
  type OutcomeRow,
  rowsBefore,
  statusSpans,
  timesOf,
} from './outcome-rows.ts';
import { type PlantedDisturbance, type TestOutcome, TestOutcomes } from './test-outcomes.ts';

export type { PlantedDisturbance } from './test-outcomes.ts';

export interface TestResult {
  /** UNIX seconds. */
  readonly time: number;
  readonly status: ResultStatus;
  readonly probeId: number;
  /** Only a successful test has one. */
  readonly responseMilliseconds?: number;
}

/** A span of one state, [from, to) in UNIX seconds. */
export interface Segment {
  readonly status: TestOutcome;
  readonly from: number;
  readonly to: number;
}

/**
 * A confirmed outage, from its first failed test to the first other test after it; no `end` while
 * it is ongoing.
 */
export interface Outage {
  readonly start: number;
  readonly end?: number;
}

export interface ConfirmedOutage extends Outage {
  /** When the second test failed. */
  readonly confirmedAt: number;
  /** From one test to the next. */
  readonly resolutionSeconds: number;
  /** A successful test ended the outage, not a pause or an unknown result. */
  readonly recovered: boolean;
}

/** Changed response times of a check in [from, to), in UNIX seconds; without `to` it continues. */
interface PlantedSlowness {
  readonly checkId: number;
  /** The factor of the response times, above 0. */
  readonly factor: number;
  readonly from: number;
  readonly to?: number;
}

/**
 * The history of checks: a function of seed, check and time, overlaid by planted disturbances.
 * Nothing is stored per test, so any range can be queried, and all results are consistent.
 *
 * In a row of failed tests the first one is `unconfirmed_down`, the following ones are `down`. A
 * row of one test is not an outage, unless another probe repeats it, which fails as well. Times are
 * UNIX seconds. A query shows nothing later than its time.
 */
export class History {
  readonly #seed: number;
  readonly #outcomes: TestOutcomes;
  readonly #slowness = new Map<number, PlantedSlowness[]>();
  #slownessPlanted = 0;

  constructor({ seed }: { readonly seed: number }) {
    this.#seed = seed;
    this.#outcomes = new TestOutcomes({ seed });
  }

  /** If planted disturbances overlap, the one planted later applies. */
  plant(disturbance: PlantedDisturbance): void {
    this.#outcomes.plant(disturbance);
  }

  /** If planted slownesses overlap, both apply. */
  plantSlowness(slowness: PlantedSlowness): void {
    const ofCheck = this.#slowness.get(slowness.checkId) ?? [];
    this.#slowness.set(slowness.checkId, [...ofCheck, slowness]);
    this.#slownessPlanted += 1;
  }

  /** Increases with every planted change, because earlier results may have changed. */
  get revision(): number {
    return this.#outcomes.revision + this.#slownessPlanted;
  }

  /** The status the check list shows at `time`. */
  stateAt(check: MonitoredCheck, time: number): CheckStatus {
    const run = check.runs.findLast(({ from }) => from <= time);
    if (run === undefined) return 'unknown';
    if (run.to !== undefined && run.to <= time) return 'paused';
    const index = lastTestIndex(run, time);
    return index < firstTestIndex(run) ? 'unknown' : this.#last(check, run, index, time).status;
  }

  /** The last test at or before `time`. */
  lastTest(check: MonitoredCheck, time: number): TestResult | undefined {
    for (const run of check.runs.toReversed()) {
      const index = lastTestIndex(run, time);
      if (index < firstTestIndex(run)) continue;
      const last = this.#last(check, run, index, time);
      return this.#resultsOf(check)(last.status, last.time);
    }
    return undefined;
  }

  /** The time of the last test whose result is known, at or before `time`. */
  lastOutcomeTime(check: MonitoredCheck, time: number): number | undefined {
    for (const { run, outcome, last } of rowsBefore(this.#outcomes, check, time)) {
      if (outcome !== 'unknown') return this.#last(check, run, last, time).time;
    }
    return undefined;
  }

  /** The time of the last failed test at or before `time`, or of what lists show in its place. */
  lastErrorTime(
    check: MonitoredCheck,
    time: number,
    shown: Wire['lastErrors'] = 'last-test',
  ): number | undefined {
    for (const row of rowsBefore(this.#outcomes, check, time)) {
      if (row.outcome !== 'down' || (shown === 'outage' && !isOutage(row))) continue;
      if (shown === 'first-test') return testTime(row.run, row.first);
      return Math.max(testTime(row.run, row.last), row.confirmedAt ?? 0);
    }
    return undefined;
  }

  /** The last outage that is confirmed at `time`. */
  lastOutage(check: MonitoredCheck, time: number): Outage | undefined {
    for (const row of rowsBefore(this.#outcomes, check, time)) {
      if (isOutage(row)) return outageSpan(row, time);
    }
    return undefined;
  }

  /** The outages that overlap [from, to], newest first, as known at `asOf`. */
  *outages(check: MonitoredCheck, from: number, to: number, asOf = to): Generator<ConfirmedOutage> {
    for (const row of rowsBefore(this.#outcomes, check, asOf, to + 1)) {
      if (rowEnd(row) < from) return;
      const { confirmedAt, run, next } = row;
      if (confirmedAt === undefined) continue;
      const { resolutionSeconds } = run;
      yield { ...outageSpan(row, asOf), confirmedAt, resolutionSeconds, recovered: next === 'up' };
    }
  }

  /** The results of the tests in [from, to), oldest first. */
  *results(check: MonitoredCheck, from: number, to: number): Generator<TestResult> {
    const resultOf = this.#resultsOf(check);
    for (const span of statusSpans(this.#outcomes, check, from, to)) {
      for (const time of timesOf(span)) yield resultOf(span.status, time);
    }
  }

  /** The results of the tests in [from, to) that have one of the statuses, newest first. */
  *resultsNewestFirst(
    check: MonitoredCheck,
    from: number,
    to: number,
    statuses: ReadonlySet<ResultStatus>,
  ): Generator<TestResult> {
    const resultOf = this.#resultsOf(check);
    for (const span of statusSpans(this.#outcomes, check, from, to).reverse()) {
      if (!statuses.has(span.status)) continue;
      for (const time of timesOf(span, -1)) yield resultOf(span.status, time);
    }
  }

  /**
   * Calls back for every successful test in [from, to), oldest first. Allocates nothing per test: a
   * year may have half a million.
   */
  eachGoodTest(
    check: MonitoredCheck,
    from: number,
    to: number,
    tell: (time: number, probeId: number, responseMilliseconds: number) => void,
  ): void {
    const probeAt = probeOfTest(this.#seed, check);
    const responseAt = this.#responseTimes(check);
    const tellTest = (time: number) => {
      const probeId = probeAt(time);
      tell(time, probeId, responseAt(time, probeId));
    };
    for (const { run, status, first, last, repeatedAt } of statusSpans(
      this.#outcomes,
      check,
      from,
      to,
    )) {
      if (status !== 'up') continue;
      if (repeatedAt !== undefined) tellTest(repeatedAt);
      else for (let index = first; index <= last; index++) tellTest(testTime(run, index));
    }
  }

  /**
   * The states in [from, to), oldest first, as they are known at `asOf`. The state of a test lasts
   * until the next test. Unmonitored time is in no segment. Adjacent segments with the same state
   * belong to two runs: an outage ends with its run, and the next run begins another.
   */
  segments(check: MonitoredCheck, from: number, to: number, asOf = to): Segment[] {
    const newestFirst: Segment[] = [];
    let newerRun: TestRun | undefined;
    for (const row of rowsBefore(this.#outcomes, check, asOf, to)) {
      const end = Math.min(rowEnd(row), asOf);
      if (end <= from) break;
      const segment = {
        status: stateOf(row),
        from: Math.max(from, testTime(row.run, row.first)),
        to: Math.min(to, end),
      };
      if (segment.from >= segment.to) continue;
      if (row.run === newerRun) joinBefore(newestFirst, segment);
      else newestFirst.push(segment);
      newerRun = row.run;
    }
    return newestFirst.reverse();
  }

  #responseTimes(check: MonitoredCheck): (time: number, probeId: number) => number {
    const usual = responseTimes(this.#seed, check);
    const slowness = this.#slowness.get(check.id);
    if (slowness === undefined) return usual;
    return (time, probeId) => {
      let milliseconds = usual(time, probeId);
      for (const { factor, from, to = Number.POSITIVE_INFINITY } of slowness) {
        if (time >= from && time < to) milliseconds *= factor;
      }
      return Math.max(1, Math.round(milliseconds));
    };
  }

  /** The test `index` of a run, or its repetition if there is one up to `time`. */
  #last(
    check: MonitoredCheck,
    run: TestRun,
    index: number,
    time: number,
  ): Pick<TestResult, 'status' | 'time'> {
    const status = this.#statusOf(check, run, index);
    const repeatedAt = repetitionTime(run, index) ?? Number.POSITIVE_INFINITY;
    if (status !== 'unconfirmed_down' || repeatedAt > time) {
      return { status, time: testTime(run, index) };
    }
    const fails = isRepeatedFailure(this.#outcomes, check, run, index);
    return { status: fails ? 'down' : 'up', time: repeatedAt };
  }

  #statusOf(check: MonitoredCheck, run: TestRun, index: number): ResultStatus {
    const { outcome, first } = this.#outcomes.around(check, run, index);
    if (outcome !== 'down') return outcome;
    if (index === firstTestIndex(run)) return 'unconfirmed_down';
    if (first < index) return 'down';
    const before = this.#outcomes.around(check, run, index - 1);
    return before.outcome === 'down' ? 'down' : 'unconfirmed_down';
  }

  #resultsOf(check: MonitoredCheck): (status: ResultStatus, time: number) => TestResult {
    const probeAt = probeOfTest(this.#seed, check);
    const responseAt = this.#responseTimes(check);
    return (status, time) => {
      const probeId = probeAt(time);
      if (status !== 'up') return { time, status, probeId };
      return { time, status, probeId, responseMilliseconds: responseAt(time, probeId) };
    };
  }
}

function isOutage({ confirmedAt }: OutcomeRow): boolean {
  return confirmedAt !== undefined;
}

function outageSpan(row: OutcomeRow, asOf: number): Outage {
  const start = testTime(row.run, row.first);
  const end = rowEnd(row);
  return end > asOf ? { start } : { start, end };
}

function stateOf(row: OutcomeRow): TestOutcome {
  return row.outcome === 'down' && !isOutage(row) ? 'up' : row.outcome;
}

/** The end of the state of a row: the next test, or the end of its run. */
function rowEnd({ run, last }: { readonly run: TestRun; readonly last: number }): number {
  return Math.min(testTime(run, last + 1), run.to ?? Number.POSITIVE_INFINITY);
}

/**
 * Appends an older segment to newer ones. If the oldest of them has the same state, the two are
 * merged.
 */
function joinBefore(newestFirst: Segment[], older: Segment): void {
  const oldest = newestFirst.at(-1);
  if (oldest?.status === older.status) {
    newestFirst[newestFirst.length - 1] = { ...oldest, from: older.from };
  } else {
    newestFirst.push(older);
  }
}
