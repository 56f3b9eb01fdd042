import type { SandboxCheck } from '../../account/checks.ts';
import { seededAttributes } from '../../account/seeded-checks.ts';
import { defaultSettings } from '../../account/setting-field.ts';
import type { World } from '../../account/world.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  enumParameter,
  type Inputs,
  listParameter,
  requiredParameter,
} from '../../server/parameters.ts';
import { startedRun } from '../../simulation/monitored-check.ts';
import { type ApiVersion, apiVersions, checkTypes } from '../../vocabulary.ts';
import { identifiedCheck } from '../identified.ts';
import type { Operation, OperationContext } from '../operation.ts';
import {
  changedCheck,
  commonParameters,
  defaultResolution,
  fieldsOf,
  pausedParameter,
  rescheduled,
  resolutionParameter,
} from './check-changes.ts';

/** The checks of a list of identifiers; invalid ones are ignored (API 3.1, section 4.1). */
function checksByIds(inputs: Inputs, name: string, world: World): SandboxCheck[] {
  return listParameter(inputs, name).flatMap((id) => world.check(Number(id)) ?? []);
}

/** `POST /checks` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const createCheck: Operation = {
  name: 'create_check',
  summary: 'create a check',
  method: 'post',
  path: '/checks',
  versions: apiVersions,
  parameters: writableParameters,
  body: 'json-or-form',
  run(inputs, context) {
    const check = createdCheck(inputs, context);
    context.world.registry.put(check);
    return { check: { id: check.id, name: check.name } };
  },
};

/** The parameters that creating and modifying share. */
function writableParameters(version: ApiVersion): readonly string[] {
  const fields = checkTypes.flatMap(fieldsOf).filter(({ versions }) => versions.includes(version));
  const settings = fields.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  return [...new Set([...commonParameters, ...settings])];
}

function createdCheck(inputs: Inputs, context: OperationContext): SandboxCheck {
  const { world, now } = context;
  for (const name of ['name', 'host']) requiredParameter(name, inputs[name]);
  const type = requiredParameter('type', enumParameter(inputs, 'type', checkTypes));
  const resolutionMinutes = resolutionParameter(inputs) ?? defaultResolution;
  const run = startedRun(now, resolutionMinutes);
  const blank: SandboxCheck = {
    ...seededAttributes(world.seed, 0),
    id: 0,
    name: '',
    hostname: '',
    type,
    created: now,
    ipv6: false,
    resolutionMinutes,
    tags: [{ name: type, type: 'a' }],
    settings: defaultSettings(fieldsOf(type)),
    runs: [run],
  };
  const check = changedCheck(blank, inputs, context);
  if (world.checks.length >= world.checkLimit) {
    throw new HttpError(403, `The account has reached its limit of ${world.checkLimit} checks`);
  }
  // An identifier is used up only by a check that can be created.
  const id = world.registry.newId();
  return { ...check, ...seededAttributes(world.seed, id), id };
}

/** `PUT /checks/{checkid}` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const modifyCheck: Operation = {
  name: 'modify_check',
  summary: 'modify a check',
  method: 'put',
  path: '/checks/:checkid',
  versions: apiVersions,
  parameters: (version) => [
    ...writableParameters(version),
    'addtags',
    ...(version === '2.0' ? [] : ['checkids']),
  ],
  body: 'json-or-form',
  run(inputs, context) {
    const { world } = context;
    const named = identifiedCheck(inputs, context);
    const others = 'checkids' in inputs ? checksByIds(inputs, 'checkids', world) : [];
    const checks = new Set<SandboxCheck>([named, ...others]);
    // All changes are checked before the first one is applied.
    const changed = [...checks].map((check) => changedCheck(check, inputs, context));
    for (const check of changed) world.registry.put(check);
    return { message: 'Modification of check was successful!' };
  },
};

/** `PUT /checks` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const modifyChecks: Operation = {
  name: 'modify_checks',
  summary: 'pause, resume or set the resolution of many checks',
  method: 'put',
  path: '/checks',
  versions: apiVersions,
  parameters: ['checkids', 'paused', 'resolution'],
  body: 'json-or-form',
  run(inputs, { world, now }) {
    if (!('paused' in inputs) && !('resolution' in inputs)) {
      throw new HttpError(400, 'Parameter paused or resolution is required');
    }
    const checks = 'checkids' in inputs ? checksByIds(inputs, 'checkids', world) : world.checks;
    const schedule = { paused: pausedParameter(inputs), minutes: resolutionParameter(inputs) };
    for (const check of checks) world.registry.put(rescheduled(check, schedule, now));
    return { message: 'Modification of checks was successful!' };
  },
};

/** `DELETE /checks/{checkid}` (API 3.1, section 3; legacy versions, section 4.1): irreversible. */
export const deleteCheck: Operation = {
  name: 'delete_check',
  summary: 'delete a check and its data',
  method: 'delete',
  path: '/checks/:checkid',
  versions: apiVersions,
  parameters: [],
  body: 'none',
  run(inputs, context) {
    context.world.registry.remove(identifiedCheck(inputs, context).id);
    return { message: 'Deletion of check was successful!' };
  },
};

/** `DELETE /checks` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const deleteChecks: Operation = {
  name: 'delete_checks',
  summary: 'delete many checks and their data',
  method: 'delete',
  path: '/checks',
  versions: apiVersions,
  parameters: ['delcheckids'],
  body: 'json-or-form',
  run(inputs, { world }) {
    requiredParameter('delcheckids', inputs.delcheckids);
    for (const { id } of checksByIds(inputs, 'delcheckids', world)) world.registry.remove(id);
    return { message: 'Deletion of checks was successful!' };
  },
};
