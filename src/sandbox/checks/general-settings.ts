import { type ApiVersion, apiVersions } from '../../domain/api-version.ts';
import {
  booleanParameter,
  type Inputs,
  integerListParameter,
  integerParameter,
  listParameter,
  textParameter,
} from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { SettingField } from './setting-field.ts';

const regions = ['EU', 'NA', 'APAC', 'LATAM'];
const sinceUsers: readonly ApiVersion[] = ['3.1', '2.1'];

const count = (inputs: Inputs, name: string) => integerParameter(inputs, name, { min: 0 });
const flag = (inputs: Inputs, name: string) => booleanParameter(inputs, name);

/** Settings of every check, whatever its type (API 3.1, section 2.1; legacy versions, section 4.1). */
export const generalSettings: readonly SettingField[] = [
  { name: 'sendnotificationwhendown', versions: apiVersions, standard: 2, read: count },
  { name: 'notifyagainevery', versions: apiVersions, standard: 0, read: count },
  { name: 'notifywhenbackup', versions: apiVersions, standard: true, read: flag },
  { name: 'custom_message', versions: ['3.1'], read: textParameter },
  { name: 'responsetime_threshold', versions: sinceUsers, standard: 30_000, read: threshold },
  { name: 'probe_filters', versions: sinceUsers, standard: [], read: probeFilters },
  { name: 'integrationids', versions: sinceUsers, standard: [], read: integerListParameter },
  { name: 'teamids', versions: sinceUsers, standard: [], read: integerListParameter },
  { name: 'userids', versions: sinceUsers, standard: [], read: integerListParameter },
  { name: 'contactids', versions: ['2.0'], standard: [], read: integerListParameter },
  { name: 'sendtoemail', versions: ['2.0'], standard: false, read: flag },
  { name: 'sendtosms', versions: ['2.0'], standard: false, read: flag },
  { name: 'sendtosocial', versions: ['2.0'], standard: false, read: flag },
  { name: 'sendtopusha', versions: ['2.0'], standard: false, read: flag },
  { name: 'sendtopushb', versions: ['2.0'], standard: false, read: flag },
];

function threshold(inputs: Inputs, name: string): number | undefined {
  return integerParameter(inputs, name, { min: 1 });
}

function probeFilters(inputs: Inputs, name: string): readonly string[] {
  return listParameter(inputs, name).map((filter) => {
    const [, region = ''] = /^region: *(\w+)$/.exec(filter) ?? [];
    if (regions.includes(region)) return `region:${region}`;
    const allowed = regions.map((each) => `region:${each}`).join(', ');
    throw new Refusal(400, `Parameter ${name} takes ${allowed}, not "${filter}"`);
  });
}
