import { type Inputs, integerParameter, optionalBoolean } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxCheck } from '../sandbox-check.ts';
import { isEmpty } from './setting-field.ts';
import { isPaused, pausedRuns, restartedRuns } from './test-runs.ts';

const resolutions = [1, 5, 15, 30, 60];
export const standardResolution = 5;

/** The given resolution in minutes, the standard one when cleared. */
export function resolutionOf(inputs: Inputs): number | undefined {
  if (!('resolution' in inputs)) return undefined;
  if (isEmpty(inputs.resolution)) return standardResolution;
  const minutes = integerParameter(inputs, 'resolution', { min: 0 });
  if (minutes === undefined || resolutions.includes(minutes)) return minutes;
  const allowed = resolutions.join(', ');
  throw new Refusal(400, `Parameter resolution must be one of ${allowed}, not ${minutes}`);
}

/** Whether the check is to be paused; undefined when nothing is said of it. */
export function pausedOf(inputs: Inputs): boolean | undefined {
  return 'paused' in inputs && isEmpty(inputs.paused) ? false : optionalBoolean(inputs, 'paused');
}

/** The check in another rhythm, paused or resumed; what is not said stays. */
export function rescheduled(
  check: SandboxCheck,
  schedule: { readonly paused: boolean | undefined; readonly minutes: number | undefined },
  now: number,
): SandboxCheck {
  const { runs, resolutionMinutes } = check;
  const minutes = schedule.minutes ?? resolutionMinutes;
  const wasPaused = isPaused(runs, now);
  const changed = { ...check, resolutionMinutes: minutes };
  if (schedule.paused ?? wasPaused) return { ...changed, runs: pausedRuns(runs, now, minutes) };
  const goesOn = !wasPaused && minutes === resolutionMinutes;
  return goesOn ? changed : { ...changed, runs: restartedRuns(runs, now, minutes) };
}
