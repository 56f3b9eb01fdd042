import { type ApiVersion, apiVersions } from '../../domain/api-version.ts';
import { checkTypes } from '../../domain/check.ts';
import { requireApplicable } from '../checks/changed-check.ts';
import { generalSettings } from '../checks/general-settings.ts';
import { standardSettings, withInputs } from '../checks/setting-field.ts';
import { targetSettings } from '../checks/target-settings.ts';
import type { Operation } from '../operation.ts';
import {
  booleanParameter,
  type Inputs,
  required,
  textParameter,
  wordParameter,
} from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import { chosenProbe } from './chosen-probe.ts';
import { hostDraws } from './host-draws.ts';
import { singleTest } from './single-test.ts';
import { describeStatus } from './status-description.ts';

const draw = { probe: 71, failure: 75 } as const;

/** The settings of every check that concern a single test. */
const testSettings = generalSettings.filter(({ name }) =>
  ['probe_filters', 'responsetime_threshold'].includes(name),
);

/** `GET /single` (API 3.1, sections 2.8 and 4.4; legacy versions, section 4.7). */
export const readSingle: Operation = {
  name: 'single',
  summary: 'test a host once',
  method: 'get',
  path: '/single',
  versions: apiVersions,
  parameters: singleParameters,
  body: 'none',
  run(inputs, context) {
    const host = required('host', textParameter(inputs, 'host'));
    const type = required('type', wordParameter(inputs, 'type', checkTypes));
    requireApplicable(type, inputs);
    const fields = [...testSettings, ...targetSettings[type]];
    withInputs(standardSettings(fields), fields, inputs);
    booleanParameter(inputs, 'ipv6');
    if (context.version === '3.1') requireNoRivals(inputs);

    const chance = hostDraws(host, context.now);
    const probe = chosenProbe(inputs, chance(draw.probe));
    const { status, responseMilliseconds } = singleTest(host, type, context);
    // JSON leaves out what is undefined.
    return {
      result: {
        status,
        responsetime: responseMilliseconds,
        ...describeStatus(type, status, chance(draw.failure)),
        probeid: probe.id,
        probedesc: probe.name,
      },
    };
  },
};

function singleParameters(version: ApiVersion): readonly string[] {
  const fields = [...testSettings, ...Object.values(targetSettings).flat()];
  const names = fields
    .filter(({ versions }) => versions.includes(version))
    .flatMap(({ name, also = [] }) => [name, ...also]);
  return [...new Set(['host', 'type', 'probeid', 'ipv6', ...names])];
}

/** API 3.1, section 7; the legacy versions do not say so of a single test. */
function requireNoRivals(inputs: Inputs): void {
  if ('shouldcontain' in inputs && 'shouldnotcontain' in inputs) {
    throw new Refusal(400, 'Parameters shouldcontain and shouldnotcontain exclude each other');
  }
}
