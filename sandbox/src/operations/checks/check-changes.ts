import { isIP } from 'node:net';
import { generalSettings, targetSettings } from '../../account/check-settings.ts';
import type { SandboxCheck, SandboxCheckType, SandboxTag } from '../../account/checks.ts';
import { givenNames, isEmpty, type SettingField, withInputs } from '../../account/setting-field.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  type Inputs,
  integerParameter,
  listParameter,
  optionalBoolean,
  requiredParameter,
  textParameter,
} from '../../server/parameters.ts';
import { isPaused, pausedRuns, restartedRuns } from '../../simulation/monitored-check.ts';
import { requireKnownIds } from '../identified.ts';
import type { OperationContext } from '../operation.ts';

const resolutions = [1, 5, 15, 30, 60];
export const defaultResolution = 5;

/** The given resolution in minutes; the default if it is cleared. */
export function resolutionParameter(inputs: Inputs): number | undefined {
  if (!('resolution' in inputs)) return undefined;
  if (isEmpty(inputs.resolution)) return defaultResolution;
  const minutes = integerParameter(inputs, 'resolution', { min: 0 });
  if (minutes === undefined || resolutions.includes(minutes)) return minutes;
  const allowed = resolutions.join(', ');
  throw new HttpError(400, `Parameter resolution must be one of ${allowed}, not ${minutes}`);
}

/** Whether a client pauses or resumes the check; undefined if the parameter is absent. */
export function pausedParameter(inputs: Inputs): boolean | undefined {
  return 'paused' in inputs && isEmpty(inputs.paused) ? false : optionalBoolean(inputs, 'paused');
}

/** The check with another resolution, paused or resumed; undefined values change nothing. */
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
  const continues = !wasPaused && minutes === resolutionMinutes;
  return continues ? changed : { ...changed, runs: restartedRuns(runs, now, minutes) };
}

/** API 3.1, section 2.1. */
const maxTagLength = 64;

/** `tags` replace all tags that users set, `addtags` are added; the service's own tags stay. */
function changedTags(before: readonly SandboxTag[], inputs: Inputs): readonly SandboxTag[] {
  const kept = 'tags' in inputs ? before.filter(({ type }) => type === 'a') : before;
  const names = new Set(kept.map(({ name }) => name));
  const added: SandboxTag[] = [];
  for (const name of [...tagNames(inputs, 'tags'), ...tagNames(inputs, 'addtags')]) {
    if (!names.has(name)) added.push({ name, type: 'u' });
    names.add(name);
  }
  return [...kept, ...added];
}

function tagNames(inputs: Inputs, parameter: string): string[] {
  const names = listParameter(inputs, parameter);
  for (const name of names) {
    if ([...name].length <= maxTagLength) continue;
    throw new HttpError(400, `A tag has at most ${maxTagLength} characters, not "${name}"`);
  }
  return names;
}

/** The parameters of a check besides its settings, in every version. */
export const commonParameters = ['name', 'host', 'type', 'paused', 'resolution', 'ipv6', 'tags'];

/** Every setting that a check of the type can have. */
export function fieldsOf(type: SandboxCheckType): readonly SettingField[] {
  return [...generalSettings, ...targetSettings[type]];
}

/** The check after a client's write. Throws an `HttpError` for invalid settings. */
export function changedCheck(
  check: SandboxCheck,
  inputs: Inputs,
  { world, now }: OperationContext,
): SandboxCheck {
  requireType(check.type, inputs);
  requireApplicable(check.type, inputs);
  requireKnownIds(inputs, 'teamids', 'team', (id) => world.people.team(id));
  for (const name of ['userids', 'contactids']) {
    requireKnownIds(inputs, name, 'person', (id) => world.people.person(id));
  }
  const hostname = 'host' in inputs ? hostOf(inputs) : check.hostname;
  const schedule = { paused: pausedParameter(inputs), minutes: resolutionParameter(inputs) };
  return {
    ...rescheduled(check, schedule, now),
    name:
      'name' in inputs
        ? requiredParameter('name', textParameter(inputs, 'name')?.trim())
        : check.name,
    hostname,
    ipv6: ipv6Of(inputs, hostname) ?? check.ipv6,
    tags: changedTags(check.tags, inputs),
    settings: withoutExcluded(withInputs(check.settings, fieldsOf(check.type), inputs), inputs),
  };
}

function hostOf(inputs: Inputs): string {
  const host = requiredParameter('host', textParameter(inputs, 'host')?.trim());
  if (/[\s/]/.test(host)) {
    throw new HttpError(400, `Parameter host must be a host name or IP address, not "${host}"`);
  }
  return host;
}

/** The version of an IP address overrides the client's parameter (API 3.1, section 2.1). */
function ipv6Of(inputs: Inputs, hostname: string): boolean | undefined {
  const said = 'ipv6' in inputs && isEmpty(inputs.ipv6) ? false : optionalBoolean(inputs, 'ipv6');
  const version = isIP(hostname);
  return version === 0 ? said : version === 6;
}

function requireType(type: SandboxCheckType, inputs: Inputs): void {
  if (inputs.type === undefined || inputs.type === type) return;
  throw new HttpError(400, `The type of a check cannot be changed; this one is ${type}`);
}

/** Throws a 400 for a parameter that belongs to another type of check. */
export function requireApplicable(type: SandboxCheckType, inputs: Inputs): void {
  const own = fieldsOf(type);
  for (const field of Object.values(targetSettings).flat()) {
    const [given] = givenNames(field, inputs);
    if (given !== undefined && !own.some(({ name }) => name === field.name)) {
      throw new HttpError(400, `Parameter ${given} does not apply to checks of type ${type}`);
    }
  }
}

/**
 * `shouldcontain` and `shouldnotcontain` exclude each other (API 3.1, section 4.1); the last one
 * given applies.
 */
function withoutExcluded(settings: SandboxCheck['settings'], inputs: Inputs) {
  const { shouldcontain, shouldnotcontain, ...others } = settings;
  if (shouldcontain === undefined || shouldnotcontain === undefined) return settings;
  if ('shouldcontain' in inputs && 'shouldnotcontain' in inputs) {
    throw new HttpError(400, 'Parameters shouldcontain and shouldnotcontain exclude each other');
  }
  return 'shouldcontain' in inputs ? { ...others, shouldcontain } : { ...others, shouldnotcontain };
}
