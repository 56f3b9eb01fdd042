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
import { type ApiVersion, checkTypes } from '../../vocabulary.ts';
import { recordedWire, type Wire } from '../../wire.ts';
import type { OperationContext } from '../operation.ts';
import { existing } from '../readers.ts';
import { type Reader, together } from '../table.ts';

const resolutions = [1, 5, 15, 30, 60];
export const defaultResolution = 5;

/** Minutes; the default if the parameter is empty. */
export const resolution: Reader<number | undefined> = (inputs, name) => {
  if (!(name in inputs)) return undefined;
  if (isEmpty(inputs[name])) return defaultResolution;
  const minutes = integerParameter(inputs, name, { min: 0 });
  if (minutes === undefined || resolutions.includes(minutes)) return minutes;
  const allowed = resolutions.join(', ');
  throw new HttpError(400, `Parameter ${name} must be one of ${allowed}, not ${minutes}`);
};

/** False if the parameter is empty. */
export const switched: Reader<boolean | undefined> = (inputs, name) =>
  name in inputs && isEmpty(inputs[name]) ? false : optionalBoolean(inputs, name);

/** The check with another resolution, paused or resumed; undefined values change nothing. */
export function rescheduled(
  check: SandboxCheck,
  schedule: { readonly paused: boolean | undefined; readonly minutes: number | undefined },
  now: number,
  { resumedTests }: Pick<Wire, 'resumedTests'> = recordedWire,
): SandboxCheck {
  const { runs, resolutionMinutes } = check;
  const minutes = schedule.minutes ?? resolutionMinutes;
  const wasPaused = isPaused(runs, now);
  const changed = { ...check, resolutionMinutes: minutes };
  if (schedule.paused ?? wasPaused) return { ...changed, runs: pausedRuns(runs, now, minutes) };
  const continues = !wasPaused && minutes === resolutionMinutes;
  if (continues) return changed;
  return {
    ...changed,
    runs: restartedRuns(runs, now, minutes, !wasPaused || resumedTests === 'at-once'),
  };
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

/** Every setting that a check of the type can have. */
export function fieldsOf(type: SandboxCheckType): readonly SettingField[] {
  return [...generalSettings, ...targetSettings[type]];
}

const teamIds = existing((world) => world.people.teams, 'team');
const personIds = existing((world) => world.people.people, 'person');

/** The change that a write makes to a check. It throws an `HttpError` for invalid settings. */
export type CheckChange = (check: SandboxCheck) => SandboxCheck;

/** Reads all parameters of a check, and those in `more`. */
export const checkChange = (more: readonly string[]) =>
  together<CheckChange>(
    (version) => [...commonParameters, ...settingParameters(version), ...more],
    (inputs, context) => (check) => changedCheck(check, inputs, context),
  );

/** The parameters of a check besides its settings, in every version. */
const commonParameters = ['name', 'host', 'type', 'paused', 'resolution', 'ipv6', 'tags'];

function settingParameters(version: ApiVersion): readonly string[] {
  const fields = checkTypes.flatMap(fieldsOf).filter(({ versions }) => versions.includes(version));
  return fields.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}

function changedCheck(
  check: SandboxCheck,
  inputs: Inputs,
  context: OperationContext,
): SandboxCheck {
  requireType(check.type, inputs);
  requireApplicable(check.type, inputs);
  teamIds(inputs, 'teamids', context);
  for (const name of ['userids', 'contactids']) personIds(inputs, name, context);
  const hostname = 'host' in inputs ? hostOf(inputs) : check.hostname;
  const schedule = {
    paused: switched(inputs, 'paused', context),
    minutes: resolution(inputs, 'resolution', context),
  };
  const name =
    'name' in inputs
      ? requiredParameter('name', textParameter(inputs, 'name')?.trim())
      : check.name;
  // The version of an IP address overrides the client's parameter (API 3.1, section 2.1).
  const ipVersion = isIP(hostname);
  const ipv6 = switched(inputs, 'ipv6', context);
  return {
    ...rescheduled(check, schedule, context.now, context.world.wire),
    name,
    hostname,
    ipv6: ipVersion === 0 ? (ipv6 ?? check.ipv6) : ipVersion === 6,
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
