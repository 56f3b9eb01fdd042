import { apiVersions } from '../../domain/api-version.ts';
import {
  booleanParameter,
  type Inputs,
  integerParameter,
  textParameter,
} from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxCheckType } from '../sandbox-check.ts';
import { requestHeaders } from './request-headers.ts';
import type { SettingField } from './setting-field.ts';

const versions = apiVersions;
const flag = (inputs: Inputs, name: string) => booleanParameter(inputs, name);

const text = (name: string): SettingField => ({ name, versions, read: textParameter });
const auth: SettingField = { name: 'auth', versions, read: userAndPassword };
const encryption: SettingField = { name: 'encryption', versions, standard: false, read: flag };
const stringtosend = text('stringtosend');
const stringtoexpect = text('stringtoexpect');
const freePort: SettingField = { name: 'port', versions, read: portNumber };
const port = (standard: number): SettingField => ({ ...freePort, standard });
const mandatory = (field: SettingField): SettingField => ({ ...field, required: true });

const certificate: readonly SettingField[] = [
  { name: 'verify_certificate', versions: ['3.1'], standard: true, read: flag },
  { name: 'ssl_down_days_before', versions: ['3.1'], standard: 0, read: days },
];

/** What a check of a type sends and expects (API 3.1, section 2.1; legacy versions, section 4.1). */
export const targetSettings: Readonly<Record<SandboxCheckType, readonly SettingField[]>> = {
  http: [
    { ...text('url'), standard: '/' },
    encryption,
    port(80),
    auth,
    text('shouldcontain'),
    text('shouldnotcontain'),
    text('postdata'),
    {
      name: 'requestheaders',
      versions,
      also: ['requestheader{X}', 'requestheaders{X}'],
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
  throw new Refusal(
    400,
    `Parameter ${name} must be a username and a password with a colon between`,
  );
}

/** Semicolons separate the URLs (legacy versions, section 4.1); JSON may bring an array. */
function urlList(inputs: Inputs, name: string): readonly string[] {
  const value = inputs[name];
  const urls = Array.isArray(value)
    ? value.map((url) => textParameter({ [name]: url }, name) ?? '')
    : (textParameter(inputs, name) ?? '').split(';');
  return urls.map((url) => url.trim()).filter((url) => url !== '');
}
