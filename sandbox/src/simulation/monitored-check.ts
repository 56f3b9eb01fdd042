import { hashUnit } from '../lib/hash.ts';
import { day, hour, minute } from '../lib/instant.ts';
import type { Wire } from '../wire.ts';
import { testingProbes } from './probes.ts';

/**
 * The frequency and the length of failures of a kind of checks. Time is divided into blocks of
 * tests with at most one disturbance each, so that a query for any time is cheap.
 */
interface Stability {
  readonly blockSeconds: number;
  /** Share of blocks with a disturbance. */
  readonly disturbed: number;
  /** The share of disturbances that are one failed test, which is never confirmed. */
  readonly glitches: number;
  /** The share of disturbances with an unknown result. */
  readonly unknowns: number;
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

export const stabilities = {
  steady: {
    blockSeconds: 21 * day,
    disturbed: 0.7,
    glitches: 0.25,
    unknowns: 0.05,
    minSeconds: 15 * minute,
    maxSeconds: 3 * hour,
  },
  ordinary: {
    blockSeconds: 4 * day,
    disturbed: 0.5,
    glitches: 0.45,
    unknowns: 0.05,
    minSeconds: 3 * minute,
    maxSeconds: 45 * minute,
  },
  flaky: {
    blockSeconds: 6 * hour,
    disturbed: 0.5,
    glitches: 0.5,
    unknowns: 0.1,
    minSeconds: 2 * minute,
    maxSeconds: 12 * minute,
  },
} as const satisfies Record<string, Stability>;

export type StabilityName = keyof typeof stabilities;

/** How exactly tests keep their grid. A test and its repetition come before the next test is due. */
export interface Testing {
  /** By default 0. */
  readonly lateSeconds?: number;
  /**
   * How long after a first failed test another probe repeats it; by default none does, and the next test
   * of the grid confirms the failure.
   */
  readonly repeatSeconds?: number;
}

export function testingOf(
  wire: Pick<Wire, 'lateTestSeconds' | 'confirmationSeconds'>,
): Required<Testing> {
  return { lateSeconds: wire.lateTestSeconds, repeatSeconds: wire.confirmationSeconds };
}

/**
 * A span in which a check is tested: at `phaseSeconds + k · resolutionSeconds` for every whole k, or
 * up to `lateSeconds` later, if that time lies in [from, to). A pause ends a run; resuming, or a new
 * resolution, opens another.
 */
export interface TestRun extends Testing {
  /** UNIX seconds. */
  readonly from: number;
  /** UNIX seconds, exclusive; absent while the run continues. */
  readonly to?: number;
  readonly resolutionSeconds: number;
  readonly phaseSeconds: number;
}

/** The properties of a check that determine its history. */
export interface MonitoredCheck {
  readonly id: number;
  readonly stability: StabilityName;
  readonly typicalResponseMilliseconds: number;
  /** In order of time, not overlapping; empty for a check that is never tested. */
  readonly runs: readonly TestRun[];
}

const lateSalt = 15;

export function testTime(run: TestRun, index: number): number {
  const { phaseSeconds, resolutionSeconds, lateSeconds = 0 } = run;
  const due = phaseSeconds + index * resolutionSeconds;
  if (lateSeconds === 0) return due;
  return due + Math.floor(hashUnit(due, resolutionSeconds, lateSalt) * (lateSeconds + 1));
}

/** When a first failed test is repeated; undefined if it is not, or the run has ended by then. */
export function repetitionTime(run: TestRun, index: number): number | undefined {
  const { repeatSeconds = 0, to = Number.POSITIVE_INFINITY } = run;
  const time = testTime(run, index) + repeatSeconds;
  return repeatSeconds > 0 && time < to ? time : undefined;
}

/** The first test of the run's grid, within its span or not, at or after `time`. */
export function testIndexFrom(run: TestRun, time: number): number {
  const due = Math.ceil((time - run.phaseSeconds) / run.resolutionSeconds);
  return testTime(run, due - 1) >= time ? due - 1 : due;
}

/** The last test of the run's grid, within its span or not, before `time`. */
export function testIndexBefore(run: TestRun, time: number): number {
  return testIndexFrom(run, time) - 1;
}

export function firstTestIndex(run: TestRun): number {
  return testIndexFrom(run, run.from);
}

/**
 * The index of the last test of the run at `time`; lower than the first test's index if there is
 * none.
 */
export function lastTestIndex(run: TestRun, time: number): number {
  const due = Math.floor((time - run.phaseSeconds) / run.resolutionSeconds);
  const done = testTime(run, due) > time ? due - 1 : due;
  return run.to === undefined ? done : Math.min(done, testIndexBefore(run, run.to));
}

/**
 * The next time after `time` at which the check can change: a test, or the start or end of a run.
 */
export function nextChangeTime({ runs }: MonitoredCheck, time: number): number {
  const candidates = runs.flatMap((run) => {
    const last = lastTestIndex(run, time);
    return [
      run.from,
      run.to ?? Number.POSITIVE_INFINITY,
      repetitionTime(run, last) ?? Number.POSITIVE_INFINITY,
      Math.max(testTime(run, last + 1), testTime(run, firstTestIndex(run))),
    ];
  });
  return Math.min(...candidates.filter((candidate) => candidate > time));
}

/** A run that starts with a test that is due at `now`, UNIX seconds. */
export function startedRun(
  now: number,
  resolutionMinutes: number,
  { lateSeconds = 0, repeatSeconds = 0 }: Testing = {},
): TestRun {
  const resolutionSeconds = 60 * resolutionMinutes;
  const phaseSeconds = now % resolutionSeconds;
  return { from: now, resolutionSeconds, phaseSeconds, lateSeconds, repeatSeconds };
}

export function isPaused(runs: readonly TestRun[], now: number): boolean {
  const last = runs.at(-1);
  return last?.to !== undefined && last.to <= now;
}

/** Testing ends at `now`. A check that was never tested gets a run without a test. */
export function pausedRuns(
  runs: readonly TestRun[],
  now: number,
  resolutionMinutes: number,
): readonly TestRun[] {
  if (isPaused(runs, now)) return runs;
  const last = runs.at(-1) ?? startedRun(now, resolutionMinutes);
  return [...runs.slice(0, -1), { ...last, to: now }];
}

/**
 * Testing continues from `now`, with the same or another resolution: with a test at once, or with the
 * next test that was due at the same resolution.
 */
export function restartedRuns(
  runs: readonly TestRun[],
  now: number,
  resolutionMinutes: number,
  isAtOnce = true,
): readonly TestRun[] {
  const paused = pausedRuns(runs, now, resolutionMinutes);
  const last = paused.at(-1);
  const started = startedRun(now, resolutionMinutes, last);
  const isDue = !isAtOnce && last?.resolutionSeconds === started.resolutionSeconds;
  return [...paused, isDue ? { ...started, phaseSeconds: last.phaseSeconds } : started];
}

const dailySwing = 0.25;
const distanceSwing = 0.3;
const noiseSalt = 11;
const peakSalt = 12;
const distanceSalt = 13;

/**
 * The response time of a successful test in milliseconds, by its time and probe: the check's
 * typical time with a daily curve, a factor for the probe's distance, and noise per test.
 */
export function responseTimes(
  seed: number,
  check: MonitoredCheck,
): (time: number, probeId: number) => number {
  const peak = hashUnit(seed, check.id, peakSalt);
  const distances = new Map<number, number>();
  const distanceOf = (probeId: number) => {
    const distance = 1 + distanceSwing * (hashUnit(seed, check.id, probeId, distanceSalt) - 0.5);
    distances.set(probeId, distance);
    return distance;
  };
  return (time, probeId) => {
    const daily = 1 + dailySwing * Math.sin(2 * Math.PI * (time / day - peak));
    const distance = distances.get(probeId) ?? distanceOf(probeId);
    // The third power gives mostly little noise and sometimes a slow test.
    const noise = 0.85 + 1.4 * hashUnit(seed, check.id, time, noiseSalt) ** 3;
    return Math.max(1, Math.round(check.typicalResponseMilliseconds * daily * distance * noise));
  };
}

const probeSalt = 14;

/** The probe of the check's test at a time, drawn from the probes that test uptime checks. */
export function probeOfTest(seed: number, check: MonitoredCheck): (time: number) => number {
  return (time) => {
    const place = Math.floor(hashUnit(seed, check.id, time, probeSalt) * testingProbes.length);
    return testingProbes[place]?.id as number;
  };
}
