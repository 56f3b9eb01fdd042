import {
  countries,
  dateTimeFormats,
  numberFormats,
  regions,
  timeZones,
} from '../account-data/reference-data.ts';
import { emailAddress } from '../people/notification-targets.ts';
import {
  type Inputs,
  integerParameter,
  optionalBoolean,
  textParameter,
  wordParameter,
} from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import {
  type AccountSettings,
  publicMonths,
  type Telephone,
  textSettings,
} from './account-settings.ts';

const addresses: ReadonlySet<string> = new Set(['email', 'billing_email']);

/** The settings after a change; what is not among the parameters stays. Throws a 400 for what cannot be. */
export function changedSettings(inputs: Inputs, settings: AccountSettings): AccountSettings {
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
      throw new Refusal(400, `Parameter ${name} must be an e-mail address, not "${text}"`);
    }
    given[name] = text;
  }
  return given;
}

/** A number requires both of its country's parameters, which mean nothing without it. */
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
    throw new Refusal(400, `Parameter ${country}code requires parameter ${name}`);
  }
  if (!/^\d+$/.test(number)) {
    throw new Refusal(400, `Parameter ${name} must be digits, not "${number}"`);
  }
  if (code === undefined || countryIso === undefined) {
    throw new Refusal(
      400,
      `Parameter ${name} requires parameters ${country}code and ${country}iso`,
    );
  }
  return { number: `${code}-${number}`, countryIso };
}

function countryParameter(inputs: Inputs, name: string): string | undefined {
  const isos = countries.map(({ iso }) => iso);
  return wordParameter(inputs, name, isos);
}

/** A region brings its time zone and formats, as far as they are not chosen apart. */
function changedFormats(inputs: Inputs, settings: AccountSettings) {
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
  throw new Refusal(400, `Parameter ${name} must be an identifier of the reference, not ${id}`);
}

function changedPublicReports(
  inputs: Inputs,
  current: AccountSettings['publicReports'],
): AccountSettings['publicReports'] {
  return {
    ...current,
    customDesign: optionalBoolean(inputs, 'pubrcustomdesign') ?? current.customDesign,
    textColor: colorParameter(inputs, 'pubrtextcolor') ?? current.textColor,
    backgroundColor: colorParameter(inputs, 'pubrbackgroundcolor') ?? current.backgroundColor,
    months: wordParameter(inputs, 'pubrmonths', publicMonths) ?? current.months,
    showOverview: optionalBoolean(inputs, 'pubrshowoverview') ?? current.showOverview,
    customDomain: textParameter(inputs, 'pubrcustomdomain') ?? current.customDomain,
  };
}

function colorParameter(inputs: Inputs, name: string): string | undefined {
  const text = textParameter(inputs, name);
  if (text === undefined || /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) return text;
  throw new Refusal(400, `Parameter ${name} must be a hexadecimal colour, not "${text}"`);
}
