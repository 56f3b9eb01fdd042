import { accountTimeZone } from './reference-data.ts';

/** The choices for the months a public report shows (legacy versions, section 4.8). */
export const publicMonths = ['none', 'all', '3'] as const;

/** What is set by text as it is. */
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
export type TextSetting = (typeof textSettings)[number];

/** A telephone number with its country code in front, and the country. */
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
  /** 0 for one's own choice of zone and formats. */
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

const accountAgeSeconds = 730 * 86_400;

/** The settings of an account of which nothing was changed yet. */
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
