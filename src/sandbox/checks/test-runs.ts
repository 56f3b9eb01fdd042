import type { TestRun } from '../monitored-check.ts';

/** A run that starts with a test at `now`, UNIX seconds. */
export function startedRun(now: number, resolutionMinutes: number): TestRun {
  const resolutionSeconds = 60 * resolutionMinutes;
  return { from: now, resolutionSeconds, phaseSeconds: now % resolutionSeconds };
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

/** Testing goes on from `now`, as it was before or in another rhythm. */
export function restartedRuns(
  runs: readonly TestRun[],
  now: number,
  resolutionMinutes: number,
): readonly TestRun[] {
  return [...pausedRuns(runs, now, resolutionMinutes), startedRun(now, resolutionMinutes)];
}
