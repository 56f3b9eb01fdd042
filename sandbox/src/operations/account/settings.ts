import {
  countries,
  dateTimeFormats,
  numberFormats,
  publicMonths,
  regions,
  type SandboxAccountSettings,
  type Telephone,
  textSettings,
  timeZones,
} from '../../account/account-settings.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  enumParameter,
  type Inputs,
  integerParameter,
  optionalBoolean,
  textParameter,
} from '../../server/parameters.ts';
import type { Operation } from '../operation.ts';
import { emailAddress } from '../people/people-parameters.ts';

const publicReportsCode = 'demo';

/**
 * The settings in the form of the legacy versions. Only version 2.1 has three of the texts (legacy
 * versions, section 2.5).
 */
function wireSettings(settings: SandboxAccountSettings, version: string): object {
  const { texts, phone, cellphone, publicReports } = settings;
  const { billing_email, description, ...commonTexts } = texts;
  const country = countries.find(({ iso }) => iso === settings.countryIso);
  const timeZone = timeZones.find(({ id }) => id === settings.timeZoneId);
  const format = dateTimeFormats.find(({ id }) => id === settings.dateTimeFormatId);
  const [dateformat, ...timeformat] = format?.description.split(' ') ?? [];
  const numbers = numberFormats.find(({ id }) => id === settings.numberFormatId);
  return {
    ...commonTexts,
    phone: phone.number,
    phonecountryiso: phone.countryIso,
    cellphone: cellphone.number,
    cellphonecountryiso: cellphone.countryIso,
    autologout: settings.autologout,
    country: { name: country?.name, iso: country?.iso, countryid: country?.id },
    region: regions.find(({ id }) => id === settings.regionId)?.description ?? 'Custom',
    regionid: settings.regionId,
    accountcreated: settings.createdAt,
    timezone: { ...timeZone, timezoneid: timeZone?.id },
    dateformat,
    timeformat: timeformat.join(' '),
    datetimeformatid: settings.dateTimeFormatId,
    numberformat: numbers?.description,
    numberexample: numbers?.description,
    numberformatid: settings.numberFormatId,
    publicreports: {
      customdesign: publicReports.customDesign,
      textcolor: publicReports.textColor,
      backgroundcolor: publicReports.backgroundColor,
      logourl: publicReports.logoUrl,
      months: publicReports.months,
      showoverview: publicReports.showOverview,
      customdomain: publicReports.customDomain,
    },
    publicreportscode: publicReportsCode,
    settingssaved: true,
    ...(version === '2.1' && { billing_email, description, external_reference: '' }),
  };
}

const addresses: ReadonlySet<string> = new Set(['email', 'billing_email']);

/**
 * The settings after a change; settings without a parameter stay. Throws a 400 for an invalid
 * value.
 */
function changedAccountSettings(
  inputs: Inputs,
  settings: SandboxAccountSettings,
): SandboxAccountSettings {
  optionalBoolean(inputs, 'updaterenewal');
  return {
    ...settings,
    texts: { ...settings.texts, ...givenTexts(inputs) },
    phone: telephone(inputs, 'phone', 'phonecountry') ?? settings.phone,
    cellphone: telephone(inputs, 'cellphone', 'cellcountry') ?? settings.cellphone,
    countryIso: countryParameter(inputs, 'countryiso') ?? settings.countryIso,
    autologout: optionalBoolean(inputs, 'autologout') ?? settings.autologout,
    ...changedFormats(inputs, settings),
    publicReports: changedPublicReports(inputs, settings.publicReports),
  };
}

function givenTexts(inputs: Inputs): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of textSettings) {
    const text = textParameter(inputs, name);
    if (text === undefined) continue;
    if (addresses.has(name) && !emailAddress.safeParse(text).success) {
      throw new HttpError(400, `Parameter ${name} must be an e-mail address, not "${text}"`);
    }
    given[name] = text;
  }
  return given;
}

/** A number requires both parameters of its country. Without a number they have no meaning. */
function telephone(
  inputs: Inputs,
  name: 'phone' | 'cellphone',
  country: 'phonecountry' | 'cellcountry',
): Telephone | undefined {
  const number = textParameter(inputs, name);
  const code = integerParameter(inputs, `${country}code`, { min: 1, max: 9999 });
  const countryIso = countryParameter(inputs, `${country}iso`);
  if (number === undefined) {
    if (code === undefined && countryIso === undefined) return undefined;
    throw new HttpError(400, `Parameter ${country}code requires parameter ${name}`);
  }
  if (!/^\d+$/.test(number)) {
    throw new HttpError(400, `Parameter ${name} must be digits, not "${number}"`);
  }
  if (code === undefined || countryIso === undefined) {
    throw new HttpError(
      400,
      `Parameter ${name} requires parameters ${country}code and ${country}iso`,
    );
  }
  return { number: `${code}-${number}`, countryIso };
}

function countryParameter(inputs: Inputs, name: string): string | undefined {
  const isos = countries.map(({ iso }) => iso);
  return enumParameter(inputs, name, isos);
}

/** A region sets its time zone and formats, unless they are set individually. */
function changedFormats(inputs: Inputs, settings: SandboxAccountSettings) {
  const regionId = referenceParameter(inputs, 'regionid', [{ id: 0 }, ...regions]);
  const region = regions.find(({ id }) => id === regionId);
  const timeZoneId = referenceParameter(inputs, 'timezoneid', timeZones);
  const dateTimeFormatId = referenceParameter(inputs, 'datetimeformatid', dateTimeFormats);
  const numberFormatId = referenceParameter(inputs, 'numberformatid', numberFormats);
  return {
    regionId: regionId ?? settings.regionId,
    timeZoneId: timeZoneId ?? region?.timezoneid ?? settings.timeZoneId,
    dateTimeFormatId: dateTimeFormatId ?? region?.datetimeformatid ?? settings.dateTimeFormatId,
    numberFormatId: numberFormatId ?? region?.numberformatid ?? settings.numberFormatId,
  };
}

function referenceParameter(
  inputs: Inputs,
  name: string,
  entries: readonly { readonly id: number }[],
): number | undefined {
  const id = integerParameter(inputs, name, { min: 0 });
  if (id === undefined || entries.some((entry) => entry.id === id)) return id;
  throw new HttpError(400, `Parameter ${name} must be an identifier of the reference, not ${id}`);
}

function changedPublicReports(
  inputs: Inputs,
  current: SandboxAccountSettings['publicReports'],
): SandboxAccountSettings['publicReports'] {
  return {
    ...current,
    customDesign: optionalBoolean(inputs, 'pubrcustomdesign') ?? current.customDesign,
    textColor: colorParameter(inputs, 'pubrtextcolor') ?? current.textColor,
    backgroundColor: colorParameter(inputs, 'pubrbackgroundcolor') ?? current.backgroundColor,
    months: enumParameter(inputs, 'pubrmonths', publicMonths) ?? current.months,
    showOverview: optionalBoolean(inputs, 'pubrshowoverview') ?? current.showOverview,
    customDomain: textParameter(inputs, 'pubrcustomdomain') ?? current.customDomain,
  };
}

function colorParameter(inputs: Inputs, name: string): string | undefined {
  const text = textParameter(inputs, name);
  if (text === undefined || /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) return text;
  throw new HttpError(400, `Parameter ${name} must be a hexadecimal colour, not "${text}"`);
}

const parameters = [
  'firstname',
  'lastname',
  'company',
  'email',
  'cellphone',
  'cellcountrycode',
  'cellcountryiso',
  'phone',
  'phonecountrycode',
  'phonecountryiso',
  'address',
  'address2',
  'zip',
  'location',
  'state',
  'countryiso',
  'vatcode',
  'autologout',
  'regionid',
  'timezoneid',
  'datetimeformatid',
  'numberformatid',
  'pubrcustomdesign',
  'pubrtextcolor',
  'pubrbackgroundcolor',
  'pubrlogourl',
  'pubrmonths',
  'pubrshowoverview',
  'pubrcustomdomain',
];

/**
 * The settings of the account (legacy versions, section 4.8). A logo is accepted and, as
 * documented, not used.
 */
export const settingsOperations: readonly Operation[] = [
  {
    name: 'get_settings',
    summary: 'read the settings of the account',
    method: 'get',
    path: '/settings',
    versions: ['2.0', '2.1'],
    parameters: [],
    body: 'none',
    run: (_inputs, { world, version }) => ({
      settings: wireSettings(world.accountReports.settings, version),
    }),
  },
  {
    name: 'modify_settings',
    summary: 'change settings of the account',
    method: 'put',
    path: '/settings',
    versions: ['2.0', '2.1'],
    parameters: (version) =>
      version === '2.1'
        ? [...parameters, 'billing_email', 'description', 'updaterenewal']
        : parameters,
    body: 'form',
    run(inputs, { world: { accountReports } }) {
      accountReports.settings = changedAccountSettings(inputs, accountReports.settings);
      return { message: 'Modification of settings was successful!' };
    },
  },
];
