import {
  countries,
  dateTimeFormats,
  numberFormats,
  regions,
  timeZones,
} from '../account-data/reference-data.ts';
import type { AccountSettings } from './account-settings.ts';

const publicReportsCode = 'demo';

/** The settings as the legacy versions show them; three of the texts in version 2.1 only (legacy versions, section 2.5). */
export function wireSettings(settings: AccountSettings, version: string): object {
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
