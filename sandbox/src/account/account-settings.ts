import { day } from '../lib/instant.ts';
/** The time zones of settings (API 3.1, section 2.7; legacy versions, section 2.5). */
export const timeZones = [
  { id: 1, description: '(GMT -08:00) Pacific Time (US and Canada)' },
  { id: 2, description: '(GMT -05:00) Eastern Time (US and Canada)' },
  { id: 3, description: '(GMT -03:00) Brasilia' },
  { id: 4, description: '(GMT) Greenwich Mean Time: London, Lisbon' },
  { id: 5, description: '(GMT +01:00) Stockholm, Berlin, Paris, Madrid' },
  { id: 6, description: '(GMT +08:00) Singapore, Hong Kong' },
  { id: 7, description: '(GMT +09:00) Tokyo' },
  { id: 8, description: '(GMT +10:00) Sydney' },
] as const;

/** The account's zone: hours in "local time" are in this zone. */
const accountTimeZone = { ...timeZones[4], name: 'Europe/Stockholm' };

export const dateTimeFormats = [
  { id: 1, description: 'YYYY-MM-DD hh:mm:ss' },
  { id: 2, description: 'DD/MM/YYYY hh:mm:ss' },
  { id: 3, description: 'MM/DD/YYYY hh:mm:ss AM/PM' },
] as const;

export const numberFormats = [
  { id: 1, description: '123 456 789,00' },
  { id: 2, description: '123,456,789.00' },
  { id: 3, description: '123.456.789,00' },
] as const;

export const countries = [
  { id: 1, iso: 'US', name: 'United States', phonecode: '1' },
  { id: 2, iso: 'CA', name: 'Canada', phonecode: '1' },
  { id: 3, iso: 'BR', name: 'Brazil', phonecode: '55' },
  { id: 4, iso: 'MX', name: 'Mexico', phonecode: '52' },
  { id: 5, iso: 'GB', name: 'United Kingdom', phonecode: '44' },
  { id: 6, iso: 'SE', name: 'Sweden', phonecode: '46' },
  { id: 7, iso: 'DE', name: 'Germany', phonecode: '49' },
  { id: 8, iso: 'FR', name: 'France', phonecode: '33' },
  { id: 9, iso: 'ES', name: 'Spain', phonecode: '34' },
  { id: 10, iso: 'SG', name: 'Singapore', phonecode: '65' },
  { id: 11, iso: 'JP', name: 'Japan', phonecode: '81' },
  { id: 12, iso: 'AU', name: 'Australia', phonecode: '61' },
] as const;

/** Regions with the defaults for their people. */
export const regions = [
  {
    id: 1,
    description: 'United States',
    countryid: 1,
    timezoneid: 2,
    datetimeformatid: 3,
    numberformatid: 2,
  },
  {
    id: 2,
    description: 'United Kingdom',
    countryid: 5,
    timezoneid: 4,
    datetimeformatid: 2,
    numberformatid: 2,
  },
  {
    id: 3,
    description: 'Sweden',
    countryid: 6,
    timezoneid: 5,
    datetimeformatid: 1,
    numberformatid: 1,
  },
  {
    id: 4,
    description: 'Japan',
    countryid: 11,
    timezoneid: 7,
    datetimeformatid: 1,
    numberformatid: 2,
  },
] as const;

/** The choices for the months a public report shows (legacy versions, section 4.8). */
export const publicMonths = ['none', 'all', '3'] as const;

/** Settings that are stored as the given text. */
export const textSettings = [
  'firstname',
  'lastname',
  'company',
  'email',
  'address',
  'address2',
  'zip',
  'location',
  'state',
  'vatcode',
  'billing_email',
  'description',
] as const;
type TextSetting = (typeof textSettings)[number];

/** A telephone number that begins with its country code, and the country. */
export interface Telephone {
  readonly number: string;
  readonly countryIso: string;
}

/** The settings of the account (legacy versions, sections 2.5 and 4.8). */
export interface SandboxAccountSettings {
  readonly texts: Readonly<Record<TextSetting, string>>;
  readonly phone: Telephone;
  readonly cellphone: Telephone;
  readonly countryIso: string;
  readonly autologout: boolean;
  /** 0 for an individual choice of zone and formats. */
  readonly regionId: number;
  readonly timeZoneId: number;
  readonly dateTimeFormatId: number;
  readonly numberFormatId: number;
  /** UNIX seconds. */
  readonly createdAt: number;
  readonly publicReports: {
    readonly customDesign: boolean;
    readonly textColor: string;
    readonly backgroundColor: string;
    readonly logoUrl: string;
    readonly months: (typeof publicMonths)[number];
    readonly showOverview: boolean;
    readonly customDomain: string;
  };
}

const accountAgeSeconds = 730 * day;

/** The settings of a new account. */
export function seededAccountSettings(startedAt: number): SandboxAccountSettings {
  return {
    texts: {
      firstname: 'Ada',
      lastname: 'Owner',
      company: 'Example Ltd',
      email: 'demo@example.com',
      address: '1 Example Street',
      address2: '',
      zip: '111 20',
      location: 'Stockholm',
      state: '',
      vatcode: 'SE000000000001',
      billing_email: 'billing@example.com',
      description: 'Simulated account',
    },
    phone: { number: '46-850000000', countryIso: 'SE' },
    cellphone: { number: '46-700000000', countryIso: 'SE' },
    countryIso: 'SE',
    autologout: false,
    regionId: 3,
    timeZoneId: accountTimeZone.id,
    dateTimeFormatId: 1,
    numberFormatId: 1,
    createdAt: startedAt - accountAgeSeconds,
    publicReports: {
      customDesign: false,
      textColor: '#000000',
      backgroundColor: '#FFFFFF',
      logoUrl: '',
      months: 'all',
      showOverview: true,
      customDomain: '',
    },
  };
}
