import { day, hour, minute } from '../lib/instant.ts';
import { present } from '../lib/present.ts';
import type { History } from '../simulation/history.ts';
import {
  lastTestIndex,
  type MonitoredCheck,
  type TestRun,
  testTime,
} from '../simulation/monitored-check.ts';

const maxResolutionMinutes = 5;

/** The state of a check when the sandbox starts. Every status exists from the first second. */
type SeedScenario = 'up' | 'down' | 'unconfirmed_down' | 'unknown' | 'paused' | 'untested';

const firstScenarios: ReadonlyMap<number, SeedScenario> = new Map([
  [0, 'up'],
  [3, 'down'],
  [6, 'unconfirmed_down'],
  [9, 'unknown'],
  [11, 'down'],
  [14, 'paused'],
  [17, 'untested'],
]);

/**
 * The role of the check at `position`, if it has one: the same few in small accounts, some more in
 * large ones.
 */
export function seedScenarioAt(position: number): SeedScenario | undefined {
  const first = firstScenarios.get(position);
  if (first !== undefined || position < 24) return first;
  if (position % 400 === 33) return 'down';
  if (position % 50 === 41) return 'paused';
  if (position % 300 === 57) return 'untested';
  return undefined;
}

/**
 * Checks with a role in the current state are tested often enough for a viewer to see it change.
 */
export function scenarioResolution(role: SeedScenario | undefined, minutes: number): number {
  return role === undefined ? minutes : Math.min(minutes, maxResolutionMinutes);
}

/** The runs of a check with a role; `run` are those without a role. */
export function scenarioRuns(
  role: SeedScenario | undefined,
  run: TestRun,
  startedAt: number,
): TestRun[] {
  if (role === 'untested') return [];
  if (role === 'paused') return [{ ...run, to: startedAt - 3 * day }];
  // The unconfirmed failure is found at the very start, so that its confirmation follows after a
  // whole resolution.
  if (role === 'unconfirmed_down') {
    return [{ ...run, resolutionSeconds: 5 * minute, phaseSeconds: startedAt % (5 * minute) }];
  }
  return [run];
}

/** Sets the current state of a check according to its role. */
export function plantScenario(
  history: History,
  role: SeedScenario | undefined,
  check: MonitoredCheck,
  startedAt: number,
): void {
  const run = check.runs[0];
  if (run === undefined) return;
  const last = lastTestIndex(run, startedAt);
  const lastTest = testTime(run, last);
  const before = { checkId: check.id, status: 'up', from: lastTest - 60 * minute } as const;
  if (role === 'up') {
    history.plant({ ...before, to: lastTest + 10 * minute });
  } else if (role === 'down') {
    const to = lastTest + 20 * minute;
    history.plant({ ...before, status: 'down', from: testTime(run, last - 2), to });
  } else if (role === 'unconfirmed_down') {
    history.plant({ ...before, to: lastTest });
    const to = testTime(run, last + 1);
    history.plant({ ...before, status: 'down', from: lastTest, to });
    history.plant({ ...before, from: to, to: to + 10 * minute });
  } else if (role === 'unknown') {
    const to = lastTest + 15 * minute;
    history.plant({ ...before, status: 'unknown', from: testTime(run, last - 1), to });
  }
}

interface DemoWorld {
  readonly checks: readonly { readonly id: number }[];
  readonly history: History;
}

/** Positions of checks that have no scenario and are tested every minute. */
const demoPositions = { outage: 2, slow: 8, flapping: 10 } as const;
/** A check that is in maintenance when the account starts. */
const inMaintenance = 18;

/** Past outages of the last day: hours before the start, minutes long. */
const pastOutages: readonly (readonly [position: number, hoursAgo: number, minutes: number])[] = [
  [1, 13.5, 26],
  [4, 6.2, 45],
  [5, 20.4, 15],
  [12, 9.1, 8],
  [13, 3.4, 20],
  [16, 16.8, 12],
];

/**
 * The last day of the demo's account: an ongoing outage, a flapping check, a check that is down in
 * maintenance, a check that became slow, and some past outages. `startedAt` is in UNIX seconds.
 */
export function plantDemoScenario({ checks, history }: DemoWorld, startedAt: number): void {
  const plant = (position: number, status: 'up' | 'down', from: number, to?: number) => {
    const checkId = checks[position]?.id;
    if (checkId === undefined) return;
    history.plant({ checkId, status, from, ...present({ to }) });
  };
  for (const position of Object.values(demoPositions)) {
    plant(position, 'up', startedAt - 8 * 24 * hour, startedAt + 24 * hour);
  }
  for (const [position, hoursAgo, minutes] of pastOutages) {
    const from = startedAt - hoursAgo * hour;
    plant(position, 'down', from, from + minutes * minute);
  }
  plant(demoPositions.outage, 'down', startedAt - 17 * minute);
  plant(inMaintenance, 'down', startedAt - 25 * minute, startedAt + hour);
  for (let from = startedAt - 3 * hour; from < startedAt + 24 * hour; from += 14 * minute) {
    plant(demoPositions.flapping, 'down', from, from + 4 * minute);
  }
  const slowId = checks[demoPositions.slow]?.id;
  if (slowId === undefined) return;
  history.plantSlowness({ checkId: slowId, factor: 4, from: startedAt - 9 * hour });
}

/** The check whose outage is ongoing; undefined in an account without it. */
export function demoOutageId(checks: readonly { readonly id: number }[]): number | undefined {
  return checks[demoPositions.outage]?.id;
}
