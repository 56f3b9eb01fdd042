/** What settings and phone numbers refer to (API 3.1, section 2.7; legacy versions, section 2.5). */
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

/** Where the account is; hours in "local time" are those of this zone. */
export const accountTimeZone = { ...timeZones[4], name: 'Europe/Stockholm' };

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

/** Of a region, what its people get unless they choose otherwise. */
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
