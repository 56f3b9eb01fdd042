import type { StabilityName } from './stability.ts';

/**
 * A span in which a check is tested: at `phaseSeconds + k · resolutionSeconds` for every whole k whose
 * time lies in [from, to). A pause ends a run; resuming, or a new resolution, opens another.
 */
export interface TestRun {
  /** UNIX seconds. */
  readonly from: number;
  /** UNIX seconds, exclusive; absent while the run goes on. */
  readonly to?: number;
  readonly resolutionSeconds: number;
  readonly phaseSeconds: number;
}

/** What the history needs to know of a check. */
export interface MonitoredCheck {
  readonly id: number;
  readonly stability: StabilityName;
  readonly typicalResponseMilliseconds: number;
  /** In order of time, not overlapping; empty for a check that is never tested. */
  readonly runs: readonly TestRun[];
}

export function testTime(run: TestRun, index: number): number {
  return run.phaseSeconds + index * run.resolutionSeconds;
}

/** The first test of the run's grid at or after `time`. */
export function testIndexFrom(run: TestRun, time: number): number {
  return Math.ceil((time - run.phaseSeconds) / run.resolutionSeconds);
}

/** The last test of the run's grid before `time`. */
export function testIndexBefore(run: TestRun, time: number): number {
  return testIndexFrom(run, time) - 1;
}

export function firstTestIndex(run: TestRun): number {
  return testIndexFrom(run, run.from);
}

/** The last test of the run that is done at `time`; lower than the first test's index when there is none. */
export function lastTestIndex(run: TestRun, time: number): number {
  const done = Math.floor((time - run.phaseSeconds) / run.resolutionSeconds);
  return run.to === undefined ? done : Math.min(done, testIndexBefore(run, run.to));
}

/** When something about the check can next change after `time`: with a test, or with the start or end of a run. */
export function nextChangeTime({ runs }: MonitoredCheck, time: number): number {
  const candidates = runs.flatMap((run) => [
    run.from,
    run.to ?? Number.POSITIVE_INFINITY,
    Math.max(testTime(run, lastTestIndex(run, time) + 1), testTime(run, firstTestIndex(run))),
  ]);
  return Math.min(...candidates.filter((candidate) => candidate > time));
}
