import type { History } from '../simulation/history.ts';
import {
  lastTestIndex,
  type MonitoredCheck,
  type TestRun,
  testTime,
} from '../simulation/monitored-check.ts';

const minute = 60;
const day = 86_400;
const maxResolutionMinutes = 5;

/** What a check has to show when the sandbox starts, so that every status is there from the first second. */
export type SeedScenario = 'up' | 'down' | 'unconfirmed_down' | 'unknown' | 'paused' | 'untested';

const firstScenarios: ReadonlyMap<number, SeedScenario> = new Map([
  [0, 'up'],
  [3, 'down'],
  [6, 'unconfirmed_down'],
  [9, 'unknown'],
  [11, 'down'],
  [14, 'paused'],
  [17, 'untested'],
]);

/** The role of the check at `position`, if it has one: the same few in small accounts, some more in large ones. */
export function seedScenarioAt(position: number): SeedScenario | undefined {
  const first = firstScenarios.get(position);
  if (first !== undefined || position < 24) return first;
  if (position % 400 === 33) return 'down';
  if (position % 50 === 41) return 'paused';
  if (position % 300 === 57) return 'untested';
  return undefined;
}

/** Checks with a role in the current state are tested often enough for it to change while one watches. */
export function scenarioResolution(role: SeedScenario | undefined, minutes: number): number {
  return role === undefined ? minutes : Math.min(minutes, maxResolutionMinutes);
}

/** The runs of a check with a role: what `run` would be without one. */
export function scenarioRuns(
  role: SeedScenario | undefined,
  run: TestRun,
  startedAt: number,
): TestRun[] {
  if (role === 'untested') return [];
  if (role === 'paused') return [{ ...run, to: startedAt - 3 * day }];
  // The unconfirmed failure is found at the very start, so that its confirmation is a whole resolution away.
  if (role === 'unconfirmed_down') {
    return [{ ...run, resolutionSeconds: 5 * minute, phaseSeconds: startedAt % (5 * minute) }];
  }
  return [run];
}

/** Makes the current state of a check be its role's. */
export function plantScenario(
  history: History,
  role: SeedScenario | undefined,
  check: MonitoredCheck,
  startedAt: number,
): void {
  const run = check.runs[0];
  if (run === undefined) return;
  const { resolutionSeconds } = run;
  const lastTest = testTime(run, lastTestIndex(run, startedAt));
  const before = { checkId: check.id, status: 'up', from: lastTest - 60 * minute } as const;
  if (role === 'up') {
    history.plant({ ...before, to: lastTest + 10 * minute });
  } else if (role === 'down') {
    const to = lastTest + 20 * minute;
    history.plant({ ...before, status: 'down', from: lastTest - 2 * resolutionSeconds, to });
  } else if (role === 'unconfirmed_down') {
    history.plant({ ...before, to: lastTest });
    const to = lastTest + resolutionSeconds;
    history.plant({ ...before, status: 'down', from: lastTest, to });
    history.plant({ ...before, from: to, to: to + 10 * minute });
  } else if (role === 'unknown') {
    const to = lastTest + 15 * minute;
    history.plant({ ...before, status: 'unknown', from: lastTest - resolutionSeconds, to });
  }
}
