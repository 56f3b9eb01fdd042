import type { SandboxCheck, SandboxCheckType } from '../../account/checks.ts';
import { seededAttributes } from '../../account/seeded-checks.ts';
import { defaultSettings } from '../../account/setting-field.ts';
import { HttpError } from '../../server/http-error.ts';
import { listParameter, requiredParameter, textParameter } from '../../server/parameters.ts';
import { startedRun, testingOf } from '../../simulation/monitored-check.ts';
import { checkTypes } from '../../vocabulary.ts';
import type { Wire } from '../../wire.ts';
import type { Operation } from '../operation.ts';
import { checkById, oneOf } from '../readers.ts';
import { only, operation, optional, type Reader, required } from '../table.ts';
import {
  checkChange,
  defaultResolution,
  fieldsOf,
  rescheduled,
  resolution,
  switched,
} from './check-changes.ts';

/** The checks of a list of identifiers; invalid ones are ignored (API 3.1, section 4.1). */
const namedChecks: Reader<readonly SandboxCheck[]> = (inputs, name, { world }) =>
  world.registry.known(listParameter(inputs, name).map(Number));

const checksToDelete: typeof namedChecks = (inputs, name, context) => {
  requiredParameter(name, inputs[name]);
  return namedChecks(inputs, name, context);
};

/** API 3.1, section 4.1; legacy versions, section 4.1. */
export const writesOfChecks: readonly Operation[] = [
  operation(
    'create_check',
    'POST /checks',
    'create a check',
    {
      name: required(textParameter),
      host: required(textParameter),
      type: required(oneOf(...checkTypes)),
      change: checkChange([]),
      resolution,
    },
    ({ type, change, resolution: minutes = defaultResolution }, { world, now }) => {
      const created = change(blankCheck(type, minutes, now, world.wire));
      if (world.checks.length >= world.checkLimit) {
        throw new HttpError(403, `The account has reached its limit of ${world.checkLimit} checks`);
      }
      const { id, name } = world.registry.add((newId) => ({
        ...created,
        ...seededAttributes(world.seed, newId),
        id: newId,
      }));
      return { check: { id, name } };
    },
  ),
  operation(
    'modify_checks',
    'PUT /checks',
    'pause, resume or set the resolution of many checks',
    { checkids: optional(namedChecks), paused: switched, resolution },
    ({ checkids, paused, resolution: minutes }, { world, now }) => {
      if (paused === undefined && minutes === undefined) {
        throw new HttpError(400, 'Parameter paused or resolution is required');
      }
      for (const each of checkids ?? world.checks) {
        world.registry.put(rescheduled(each, { paused, minutes }, now, world.wire));
      }
      return { message: 'Modification of checks was successful!' };
    },
  ),
  operation(
    'delete_checks',
    'DELETE /checks',
    'delete many checks and their data',
    { delcheckids: checksToDelete },
    ({ delcheckids }, { world }) => {
      for (const { id } of delcheckids) world.registry.remove(id);
      return { message: 'Deletion of checks was successful!' };
    },
  ),
];

/** API 3.1, section 4.1; legacy versions, section 4.1. */
export const writesOfOneCheck: readonly Operation[] = [
  operation(
    'modify_check',
    'PUT /checks/:checkid',
    'modify a check',
    {
      checkid: checkById,
      change: checkChange(['addtags']),
      checkids: only(['3.1', '2.1'], optional(namedChecks)),
    },
    ({ checkid: check, checkids = [], change }, { world }) => {
      // All changes are checked before the first one is applied.
      const changed = [...new Set([check, ...checkids])].map(change);
      for (const each of changed) world.registry.put(each);
      return { message: 'Modification of check was successful!' };
    },
  ),
  // Irreversible (API 3.1, section 3).
  operation(
    'delete_check',
    'DELETE /checks/:checkid',
    'delete a check and its data',
    { checkid: checkById },
    ({ checkid: check }, { world }) => {
      world.registry.remove(check.id);
      return { message: 'Deletion of check was successful!' };
    },
  ),
];

/** A check before the parameters of its creation are applied. */
function blankCheck(
  type: SandboxCheckType,
  minutes: number,
  now: number,
  wire: Wire,
): SandboxCheck {
  return {
    ...seededAttributes(0, 0),
    id: 0,
    name: '',
    hostname: '',
    type,
    created: now,
    ipv6: false,
    resolutionMinutes: minutes,
    tags: [{ name: type, type: 'a' }],
    settings: defaultSettings(fieldsOf(type)),
    runs: [startedRun(now, minutes, testingOf(wire))],
  };
}
