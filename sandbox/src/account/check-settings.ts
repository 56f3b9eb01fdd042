import { HttpError } from '../server/http-error.ts';
import {
  booleanParameter,
  type Inputs,
  integerListParameter,
  integerParameter,
  listParameter,
  textParameter,
} from '../server/parameters.ts';
import { type ApiVersion, apiVersions } from '../vocabulary.ts';
import type { SandboxCheckType } from './checks.ts';
import type { SettingField } from './setting-field.ts';

/**
 * Headers as `Name:Value`: from `requestheaders`, a JSON array or the text of one header, and from
 * numbered parameters with one header each.
 */
function requestHeaders(inputs: Inputs): readonly string[] {
  return Object.entries(inputs)
    .filter(([name]) => /^requestheader(s|s?\d+)$/.test(name))
    .flatMap(([name, value]) => {
      const headers: readonly unknown[] = Array.isArray(value) ? value : [value];
      return headers.map((header) => {
        if (typeof header === 'string' && /^[^\s:]+:/.test(header)) return header;
        const found = JSON.stringify(header);
        throw new HttpError(400, `Parameter ${name} must be headers as Name:Value, not ${found}`);
      });
    });
}

/** Keyed by name, as the legacy versions show them; repeated names have a list of values. */
export function headersByName(headers: readonly string[]): Record<string, string | string[]> {
  const byName = new Map<string, string[]>();
  for (const header of headers) {
    const colon = header.indexOf(':');
    const name = header.slice(0, colon);
    byName.set(name, [...(byName.get(name) ?? []), header.slice(colon + 1).trim()]);
  }
  return Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

const regions = ['EU', 'NA', 'APAC', 'LATAM'];
const sinceUsers: readonly ApiVersion[] = ['3.1', '2.1'];

const count = (inputs: Inputs, name: string) => integerParameter(inputs, name, { min: 0 });
const flag = (inputs: Inputs, name: string) => booleanParameter(inputs, name);

/** Settings of every check of any type (API 3.1, section 2.1; legacy versions, section 4.1). */
export const generalSettings: readonly SettingField[] = [
  { name: 'sendnotificationwhendown', versions: apiVersions, defaultValue: 2, read: count },
  { name: 'notifyagainevery', versions: apiVersions, defaultValue: 0, read: count },
  { name: 'notifywhenbackup', versions: apiVersions, defaultValue: true, read: flag },
  { name: 'custom_message', versions: ['3.1'], read: textParameter },
  { name: 'responsetime_threshold', versions: sinceUsers, defaultValue: 30_000, read: threshold },
  { name: 'probe_filters', versions: sinceUsers, defaultValue: [], read: probeFilters },
  { name: 'integrationids', versions: sinceUsers, defaultValue: [], read: integerListParameter },
  { name: 'teamids', versions: sinceUsers, defaultValue: [], read: integerListParameter },
  { name: 'userids', versions: sinceUsers, defaultValue: [], read: integerListParameter },
  { name: 'contactids', versions: ['2.0'], defaultValue: [], read: integerListParameter },
  { name: 'sendtoemail', versions: ['2.0'], defaultValue: false, read: flag },
  { name: 'sendtosms', versions: ['2.0'], defaultValue: false, read: flag },
  { name: 'sendtosocial', versions: ['2.0'], defaultValue: false, read: flag },
  { name: 'sendtopusha', versions: ['2.0'], defaultValue: false, read: flag },
  { name: 'sendtopushb', versions: ['2.0'], defaultValue: false, read: flag },
];

function threshold(inputs: Inputs, name: string): number | undefined {
  return integerParameter(inputs, name, { min: 1 });
}

function probeFilters(inputs: Inputs, name: string): readonly string[] {
  return listParameter(inputs, name).map((filter) => {
    const [, region = ''] = /^region: *(\w+)$/.exec(filter) ?? [];
    if (regions.includes(region)) return `region:${region}`;
    const allowed = regions.map((each) => `region:${each}`).join(', ');
    throw new HttpError(400, `Parameter ${name} takes ${allowed}, not "${filter}"`);
  });
}

const versions = apiVersions;

const text = (name: string): SettingField => ({ name, versions, read: textParameter });
const auth: SettingField = { name: 'auth', versions, read: userAndPassword };
const encryption: SettingField = { name: 'encryption', versions, defaultValue: false, read: flag };
const stringtosend = text('stringtosend');
const stringtoexpect = text('stringtoexpect');
const freePort: SettingField = { name: 'port', versions, read: portNumber };
const port = (standard: number): SettingField => ({ ...freePort, defaultValue: standard });
const mandatory = (field: SettingField): SettingField => ({ ...field, required: true });

const certificate: readonly SettingField[] = [
  { name: 'verify_certificate', versions: ['3.1'], defaultValue: true, read: flag },
  { name: 'ssl_down_days_before', versions: ['3.1'], defaultValue: 0, read: days },
];

/**
 * The request and the expected response of checks of each type (API 3.1, section 2.1; legacy
 * versions, section 4.1).
 */
export const targetSettings: Readonly<Record<SandboxCheckType, readonly SettingField[]>> = {
  http: [
    { ...text('url'), defaultValue: '/' },
    encryption,
    port(80),
    auth,
    text('shouldcontain'),
    text('shouldnotcontain'),
    text('postdata'),
    {
      name: 'requestheaders',
      versions,
      aliases: ['requestheader{X}', 'requestheaders{X}'],
      read: requestHeaders,
    },
    ...certificate,
  ],
  httpcustom: [
    mandatory(text('url')),
    encryption,
    port(80),
    auth,
    { name: 'additionalurls', versions, read: urlList },
    ...certificate,
  ],
  tcp: [mandatory(freePort), stringtosend, stringtoexpect],
  ping: [],
  dns: [mandatory(text('expectedip')), mandatory(text('nameserver'))],
  udp: [mandatory(freePort), mandatory(stringtosend), mandatory(stringtoexpect)],
  smtp: [port(25), auth, stringtoexpect, encryption],
  pop3: [port(110), stringtoexpect, encryption],
  imap: [port(143), stringtoexpect, encryption],
};

function portNumber(inputs: Inputs, name: string): number | undefined {
  return integerParameter(inputs, name, { min: 1, max: 65_535 });
}

function days(inputs: Inputs, name: string): number | undefined {
  return integerParameter(inputs, name, { min: 0 });
}

function userAndPassword(inputs: Inputs, name: string): string | undefined {
  const pair = textParameter(inputs, name);
  if (pair?.includes(':')) return pair;
  throw new HttpError(
    400,
    `Parameter ${name} must be a username and a password with a colon between`,
  );
}

/** Semicolons separate the URLs (legacy versions, section 4.1); JSON may contain an array. */
function urlList(inputs: Inputs, name: string): readonly string[] {
  const value = inputs[name];
  const urls = Array.isArray(value)
    ? value.map((url) => textParameter({ [name]: url }, name) ?? '')
    : (textParameter(inputs, name) ?? '').split(';');
  return urls.map((url) => url.trim()).filter((url) => url !== '');
}
