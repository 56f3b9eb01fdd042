import { isIP } from 'node:net';
import { requireKnownIds } from '../known-ids.ts';
import type { OperationContext } from '../operation.ts';
import { type Inputs, optionalBoolean, required, textParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxCheck, SandboxCheckType } from '../sandbox-check.ts';
import { pausedOf, rescheduled, resolutionOf } from './check-schedule.ts';
import { changedTags } from './check-tags.ts';
import { generalSettings } from './general-settings.ts';
import { isEmpty, namesOf, type SettingField, withInputs } from './setting-field.ts';
import { targetSettings } from './target-settings.ts';

/** What a client can say of a check besides its settings, in every version. */
export const commonParameters = ['name', 'host', 'type', 'paused', 'resolution', 'ipv6', 'tags'];

/** Every setting a check of the type can have. */
export function fieldsOf(type: SandboxCheckType): readonly SettingField[] {
  return [...generalSettings, ...targetSettings[type]];
}

/** The check as a client's writing makes it. Throws a `Refusal` for what makes no sense. */
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
  const schedule = { paused: pausedOf(inputs), minutes: resolutionOf(inputs) };
  return {
    ...rescheduled(check, schedule, now),
    name: 'name' in inputs ? required('name', textParameter(inputs, 'name')?.trim()) : check.name,
    hostname,
    ipv6: ipv6Of(inputs, hostname) ?? check.ipv6,
    tags: changedTags(check.tags, inputs),
    settings: withoutRival(withInputs(check.settings, fieldsOf(check.type), inputs), inputs),
  };
}

function hostOf(inputs: Inputs): string {
  const host = required('host', textParameter(inputs, 'host')?.trim());
  if (/[\s/]/.test(host)) {
    throw new Refusal(400, `Parameter host must be a host name or IP address, not "${host}"`);
  }
  return host;
}

/** The version of an IP address overrides what the client says (API 3.1, section 2.1). */
function ipv6Of(inputs: Inputs, hostname: string): boolean | undefined {
  const said = 'ipv6' in inputs && isEmpty(inputs.ipv6) ? false : optionalBoolean(inputs, 'ipv6');
  const version = isIP(hostname);
  return version === 0 ? said : version === 6;
}

function requireType(type: SandboxCheckType, inputs: Inputs): void {
  if (inputs.type === undefined || inputs.type === type) return;
  throw new Refusal(400, `The type of a check cannot be changed; this one is ${type}`);
}

/** Throws a 400 for a parameter of another type. */
export function requireApplicable(type: SandboxCheckType, inputs: Inputs): void {
  const own = fieldsOf(type);
  for (const field of Object.values(targetSettings).flat()) {
    const [given] = namesOf(field, inputs);
    if (given !== undefined && !own.some(({ name }) => name === field.name)) {
      throw new Refusal(400, `Parameter ${given} does not apply to checks of type ${type}`);
    }
  }
}

/** `shouldcontain` and `shouldnotcontain` exclude each other (API 3.1, section 4.1): the one given last holds. */
function withoutRival(settings: SandboxCheck['settings'], inputs: Inputs) {
  const { shouldcontain, shouldnotcontain, ...others } = settings;
  if (shouldcontain === undefined || shouldnotcontain === undefined) return settings;
  if ('shouldcontain' in inputs && 'shouldnotcontain' in inputs) {
    throw new Refusal(400, 'Parameters shouldcontain and shouldnotcontain exclude each other');
  }
  return 'shouldcontain' in inputs ? { ...others, shouldcontain } : { ...others, shouldnotcontain };
}
