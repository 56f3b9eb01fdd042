import type { CheckStatus } from '../domain/check.ts';
import { type Stretch, seededStretch, type TestOutcome } from './disturbance.ts';
import {
  firstTestIndex,
  lastTestIndex,
  type MonitoredCheck,
  type TestRun,
  testIndexBefore,
  testIndexFrom,
  testTime,
} from './monitored-check.ts';
import { responseMilliseconds } from './response-time.ts';

/** An outcome imposed on the tests of one check in [from, to), in UNIX seconds; without `to` it goes on. */
export interface PlantedDisturbance {
  readonly checkId: number;
  readonly status: TestOutcome;
  readonly from: number;
  readonly to?: number;
}

export interface TestResult {
  /** UNIX seconds. */
  readonly time: number;
  readonly status: 'up' | 'down' | 'unconfirmed_down' | 'unknown';
  /** Only a good test has one. */
  readonly responseMilliseconds?: number;
}

/** A span of one state, [from, to) in UNIX seconds. */
export interface Segment {
  readonly status: TestOutcome;
  readonly from: number;
  readonly to: number;
}

/** A confirmed outage, from its first failed test to the first good one after it; no `end` while it lasts. */
export interface Outage {
  readonly start: number;
  readonly end?: number;
}

interface Test {
  readonly run: TestRun;
  readonly index: number;
}

/**
 * What happened to checks: a function of seed, check and time, overlaid by planted disturbances.
 * Nothing is stored per test, so any range can be asked, and every answer follows from the same tests.
 *
 * The first failed test of a row is `unconfirmed_down`, the next ones are `down`; a row of one is never
 * confirmed, so it is no outage. Times are UNIX seconds. Nothing later than the time asked about shows.
 */
export class History {
  readonly #seed: number;
  readonly #planted = new Map<number, PlantedDisturbance[]>();
  #revision = 0;

  constructor({ seed }: { readonly seed: number }) {
    this.#seed = seed;
  }

  /** Where planted disturbances overlap, the later planted one holds. */
  plant(disturbance: PlantedDisturbance): void {
    const ofCheck = this.#planted.get(disturbance.checkId) ?? [];
    this.#planted.set(disturbance.checkId, [...ofCheck, disturbance]);
    this.#revision += 1;
  }

  /** Grows with every planted disturbance: what was read of the history before may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** The status the check list shows at `time`. */
  stateAt(check: MonitoredCheck, time: number): CheckStatus {
    const run = check.runs.findLast(({ from }) => from <= time);
    if (run === undefined) return 'unknown';
    if (run.to !== undefined && run.to <= time) return 'paused';
    const index = lastTestIndex(run, time);
    return index < firstTestIndex(run) ? 'unknown' : this.#statusOf(check, { run, index });
  }

  /** The last test at or before `time`. */
  lastTest(check: MonitoredCheck, time: number): TestResult | undefined {
    for (const run of check.runs.toReversed()) {
      const index = lastTestIndex(run, time);
      if (index >= firstTestIndex(run)) return this.#result(check, { run, index });
    }
    return undefined;
  }

  /** Time of the last failed test, confirmed or not, at or before `time`. */
  lastErrorTime(check: MonitoredCheck, time: number): number | undefined {
    for (const { run, outcome, last } of this.#stretchesBefore(check, time)) {
      if (outcome === 'down') return testTime(run, last);
    }
    return undefined;
  }

  /** The last outage that is confirmed at `time`. */
  lastOutage(check: MonitoredCheck, time: number): Outage | undefined {
    for (const { run, ...stretch } of this.#stretchesBefore(check, time)) {
      if (stretch.outcome !== 'down' || stretch.first === stretch.last) continue;
      const start = testTime(run, stretch.first);
      const end = stretchEnd(run, stretch);
      return end > time ? { start } : { start, end };
    }
    return undefined;
  }

  /** The results of the tests in [from, to), oldest first. */
  *results(check: MonitoredCheck, from: number, to: number): Generator<TestResult> {
    for (const run of check.runs) {
      const last = Math.min(testIndexBefore(run, to), lastTestIndex(run, to));
      const first = Math.max(testIndexFrom(run, from), firstTestIndex(run));
      for (let index = first; index <= last; index++) yield this.#result(check, { run, index });
    }
  }

  /**
   * The states in [from, to), oldest first, as they are known at `asOf`: neighbours differ or have
   * unmonitored time between them, which is in no segment. Each test's state holds until the next test.
   */
  segments(check: MonitoredCheck, from: number, to: number, asOf = to): Segment[] {
    const newestFirst: Segment[] = [];
    for (const { run, ...stretch } of this.#stretchesBefore(check, asOf, to)) {
      const end = Math.min(stretchEnd(run, stretch), asOf);
      if (end <= from) break;
      const segment = {
        status: stateOf(stretch),
        from: Math.max(from, testTime(run, stretch.first)),
        to: Math.min(to, end),
      };
      if (segment.from < segment.to) joinBefore(newestFirst, segment);
    }
    return newestFirst.reverse();
  }

  /**
   * Whole rows of equal outcomes, newest first, of tests done at `time`. With `until`, tests after
   * the first one at or past `until` are left out: that one still tells whether the failure before it is confirmed.
   */
  *#stretchesBefore(
    check: MonitoredCheck,
    time: number,
    until = Number.POSITIVE_INFINITY,
  ): Generator<Stretch & { readonly run: TestRun }> {
    for (const run of check.runs.toReversed()) {
      const first = firstTestIndex(run);
      let index = Math.min(lastTestIndex(run, time), testIndexFrom(run, until));
      while (index >= first) {
        const { outcome } = this.#stretchAround(check, { run, index });
        const last = index;
        let start = index;
        for (;;) {
          const piece = this.#stretchAround(check, { run, index: start });
          if (piece.outcome !== outcome) break;
          start = Math.max(first, piece.first) - 1;
          if (start < first) break;
        }
        yield { run, outcome, first: start + 1, last };
        index = start;
      }
    }
  }

  /** The largest stretch around a test that the seed's block and the planted disturbances give at once. */
  #stretchAround(check: MonitoredCheck, { run, index }: Test): Stretch {
    let stretch = seededStretch(this.#seed, check, run, index);
    for (const planted of this.#planted.get(check.id) ?? []) {
      const first = testIndexFrom(run, planted.from);
      const last =
        planted.to === undefined ? Number.POSITIVE_INFINITY : testIndexBefore(run, planted.to);
      if (first > last) continue;
      if (last < index) stretch = { ...stretch, first: Math.max(stretch.first, last + 1) };
      else if (first > index) stretch = { ...stretch, last: Math.min(stretch.last, first - 1) };
      else stretch = { outcome: planted.status, first, last };
    }
    return stretch;
  }

  #result(check: MonitoredCheck, test: Test): TestResult {
    const time = testTime(test.run, test.index);
    const status = this.#statusOf(check, test);
    if (status !== 'up') return { time, status };
    return { time, status, responseMilliseconds: responseMilliseconds(this.#seed, check, time) };
  }

  #statusOf(check: MonitoredCheck, { run, index }: Test): TestResult['status'] {
    const { outcome, first } = this.#stretchAround(check, { run, index });
    if (outcome !== 'down') return outcome;
    if (index === firstTestIndex(run)) return 'unconfirmed_down';
    if (first < index) return 'down';
    const before = this.#stretchAround(check, { run, index: index - 1 });
    return before.outcome === 'down' ? 'down' : 'unconfirmed_down';
  }
}

function stateOf(stretch: Stretch): TestOutcome {
  const unconfirmed = stretch.outcome === 'down' && stretch.first === stretch.last;
  return unconfirmed ? 'up' : stretch.outcome;
}

/** When the state of a stretch ends: with the next test, or with its run. */
function stretchEnd(run: TestRun, { last }: Stretch): number {
  return Math.min(testTime(run, last + 1), run.to ?? Number.POSITIVE_INFINITY);
}

/** Puts an older segment behind newer ones; where it meets the oldest of them in the same state, they become one. */
function joinBefore(newestFirst: Segment[], older: Segment): void {
  const oldest = newestFirst.at(-1);
  if (oldest !== undefined && oldest.status === older.status && oldest.from === older.to) {
    newestFirst[newestFirst.length - 1] = { ...oldest, from: older.from };
  } else {
    newestFirst.push(older);
  }
}
