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
import { present } from '../../lib/present.ts';
import { HttpError } from '../../server/http-error.ts';
import { integerParameter, optionalBoolean, textParameter } from '../../server/parameters.ts';
import type { Operation } from '../operation.ts';
import { count, oneOf } from '../readers.ts';
import { type Given, only, operation, type Reader, together } from '../table.ts';
import { emailAddress } from './email-reports.ts';

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

const country = oneOf(...countries.map(({ iso }) => iso));

const address: Reader<string | undefined> = (inputs, name) => {
  const text = textParameter(inputs, name);
  if (text === undefined || emailAddress.safeParse(text).success) return text;
  throw new HttpError(400, `Parameter ${name} must be an e-mail address, not "${text}"`);
};

/** A number requires both parameters of its country. Without a number they have no meaning. */
function telephone(name: string, ofCountry: string): Reader<Telephone | undefined> {
  const [codeName, isoName] = [`${ofCountry}code`, `${ofCountry}iso`];
  return together([name, codeName, isoName], (inputs, context) => {
    const number = textParameter(inputs, name);
    const code = integerParameter(inputs, codeName, { min: 1, max: 9999 });
    const countryIso = country(inputs, isoName, context);
    if (number === undefined) {
      if (code === undefined && countryIso === undefined) return undefined;
      throw new HttpError(400, `Parameter ${codeName} requires parameter ${name}`);
    }
    if (!/^\d+$/.test(number)) {
      throw new HttpError(400, `Parameter ${name} must be digits, not "${number}"`);
    }
    if (code === undefined || countryIso === undefined) {
      throw new HttpError(400, `Parameter ${name} requires parameters ${codeName} and ${isoName}`);
    }
    return { number: `${code}-${number}`, countryIso };
  });
}

const oneOfReference =
  (...entries: readonly { readonly id: number }[]): Reader<number | undefined> =>
  (inputs, name, context) => {
    const id = count(inputs, name, context);
    if (id === undefined || entries.some((entry) => entry.id === id)) return id;
    throw new HttpError(400, `Parameter ${name} must be an identifier of the reference, not ${id}`);
  };

const colour: Reader<string | undefined> = (inputs, name) => {
  const text = textParameter(inputs, name);
  if (text === undefined || /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) return text;
  throw new HttpError(400, `Parameter ${name} must be a hexadecimal colour, not "${text}"`);
};

const sinceUsers = ['2.1'] as const;

const fields = {
  firstname: textParameter,
  lastname: textParameter,
  company: textParameter,
  email: address,
  cellphone: telephone('cellphone', 'cellcountry'),
  phone: telephone('phone', 'phonecountry'),
  address: textParameter,
  address2: textParameter,
  zip: textParameter,
  location: textParameter,
  state: textParameter,
  countryiso: country,
  vatcode: textParameter,
  autologout: optionalBoolean,
  regionid: oneOfReference({ id: 0 }, ...regions),
  timezoneid: oneOfReference(...timeZones),
  datetimeformatid: oneOfReference(...dateTimeFormats),
  numberformatid: oneOfReference(...numberFormats),
  pubrcustomdesign: optionalBoolean,
  pubrtextcolor: colour,
  pubrbackgroundcolor: colour,
  // A logo is accepted and, as documented, not used.
  pubrlogourl: (() => undefined) satisfies Reader<undefined>,
  pubrmonths: oneOf(...publicMonths),
  pubrshowoverview: optionalBoolean,
  pubrcustomdomain: textParameter,
  billing_email: only(sinceUsers, address),
  description: only(sinceUsers, textParameter),
  updaterenewal: only(sinceUsers, optionalBoolean),
};

/** The settings after a change; settings without a parameter stay. */
function changed(
  before: SandboxAccountSettings,
  given: Given<typeof fields>,
): SandboxAccountSettings {
  const texts = Object.fromEntries(textSettings.map((name) => [name, given[name]]));
  const reports = {
    customDesign: given.pubrcustomdesign,
    textColor: given.pubrtextcolor,
    backgroundColor: given.pubrbackgroundcolor,
    months: given.pubrmonths,
    showOverview: given.pubrshowoverview,
    customDomain: given.pubrcustomdomain,
  };
  // A region sets its time zone and formats, unless they are set individually.
  const region = regions.find(({ id }) => id === given.regionid);
  const changes = {
    phone: given.phone,
    cellphone: given.cellphone,
    countryIso: given.countryiso,
    autologout: given.autologout,
    regionId: given.regionid,
    timeZoneId: given.timezoneid ?? region?.timezoneid,
    dateTimeFormatId: given.datetimeformatid ?? region?.datetimeformatid,
    numberFormatId: given.numberformatid ?? region?.numberformatid,
  };
  return {
    ...before,
    ...present(changes),
    texts: { ...before.texts, ...present(texts) },
    publicReports: { ...before.publicReports, ...present(reports) },
  };
}

/** The settings of the account (legacy versions, section 4.8). */
export const settingsOperations: readonly Operation[] = [
  operation(
    'get_settings',
    '2.0,2.1 GET /settings',
    'read the settings of the account',
    {},
    (_, { world, version }) => ({ settings: wireSettings(world.accountReports.settings, version) }),
  ),
  operation(
    'modify_settings',
    '2.0,2.1 PUT /settings',
    'change settings of the account',
    fields,
    (given, { world: { accountReports } }) => {
      accountReports.settings = changed(accountReports.settings, given);
      return { message: 'Modification of settings was successful!' };
    },
  ),
];
