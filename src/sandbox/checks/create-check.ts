import { type ApiVersion, apiVersions } from '../../domain/api-version.ts';
import { checkTypes } from '../../domain/check.ts';
import { inbornTraits } from '../check-factory.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { type Inputs, required, wordParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxCheck } from '../sandbox-check.ts';
import { changedCheck, commonParameters, fieldsOf } from './changed-check.ts';
import { resolutionOf, standardResolution } from './check-schedule.ts';
import { standardSettings } from './setting-field.ts';
import { startedRun } from './test-runs.ts';

/** `POST /checks` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const createCheck: Operation = {
  name: 'check.create',
  summary: 'Create a check',
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

/** What creating and modifying take alike. */
export function writableParameters(version: ApiVersion): readonly string[] {
  const fields = checkTypes.flatMap(fieldsOf).filter(({ versions }) => versions.includes(version));
  const settings = fields.flatMap(({ name, also = [] }) => [name, ...also]);
  return [...new Set([...commonParameters, ...settings])];
}

function createdCheck(inputs: Inputs, context: OperationContext): SandboxCheck {
  const { world, now } = context;
  for (const name of ['name', 'host']) required(name, inputs[name]);
  const type = required('type', wordParameter(inputs, 'type', checkTypes));
  const resolutionMinutes = resolutionOf(inputs) ?? standardResolution;
  const run = startedRun(now, resolutionMinutes);
  const blank: SandboxCheck = {
    ...inbornTraits(world.seed, 0),
    id: 0,
    name: '',
    hostname: '',
    type,
    created: now,
    ipv6: false,
    resolutionMinutes,
    tags: [{ name: type, type: 'a' }],
    settings: standardSettings(fieldsOf(type)),
    runs: [run],
  };
  const check = changedCheck(blank, inputs, context);
  if (world.checks.length >= world.checkLimit) {
    throw new Refusal(403, `The account has reached its limit of ${world.checkLimit} checks`);
  }
  // An identifier is used up only by a check that can be created.
  const id = world.registry.newId();
  return { ...check, ...inbornTraits(world.seed, id), id };
}
