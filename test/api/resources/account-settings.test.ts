import { describe, expect, test } from 'vitest';
import { decodeAccountSettings } from '../../../src/api/resources/account-settings.ts';

/** Every attribute of API 2.x, section 2.5. */
const full = {
  firstname: 'John',
  lastname: 'Doe',
  company: 'Acme',
  email: 'john@example.com',
  phone: '46-5555555',
  phonecountryiso: 'SE',
  cellphone: '46-5555556',
  cellphonecountryiso: 'SE',
  address: 'Street 1',
  address2: '',
  zip: '12345',
  location: 'Västerås',
  state: '',
  autologout: true,
  country: { name: 'Sweden', iso: 'SE', countryid: 752 },
  vatcode: 'SE123',
  region: 'Sweden',
  regionid: 46,
  accountcreated: 1234567890,
  timezone: { id: 'Europe/Stockholm', description: '(GMT +01:00) Stockholm', timezoneid: 29 },
  dateformat: '%Y-%m-%d',
  timeformat: '%H:%M:%S',
  datetimeformatid: 44,
  numberformat: '123 456,00',
  numberexample: '123 456,00',
  numberformatid: 7,
  publicreports: { customdesign: false, logourl: 'https://example.com/l.png', months: 'none' },
  publicreportscode: 'f5dba3',
  settingssaved: true,
  billing_email: 'bill@example.com',
  description: 'Main',
  external_reference: 'ref-1',
};

describe('decodeAccountSettings', () => {
  test('keeps what is neither personal nor secret', () => {
    expect(decodeAccountSettings({ settings: full }, 'test')).toStrictEqual({
      createdAtSeconds: 1234567890,
      timezone: '(GMT +01:00) Stockholm',
      region: 'Sweden',
      countryIso: 'SE',
    });
  });

  test.each([
    ['nothing', {}],
    ['null', { accountcreated: null, timezone: null, region: null, country: null }],
    ['text', { accountcreated: 'then', timezone: 'here', region: '', country: 'SE' }],
    ['arrays', { accountcreated: [], timezone: [1], region: [], country: [] }],
    ['empty objects', { accountcreated: {}, timezone: {}, region: {}, country: {} }],
    ['a time that never was', { accountcreated: 0 }],
    ['odd parts', { timezone: { description: 7 }, country: { iso: null } }],
  ])('reads settings of %s as absent', (_kind, settings) => {
    expect(decodeAccountSettings({ settings }, 'test')).toStrictEqual({});
  });

  test.each([[null], [[]], [{}], [{ settings: [] }], [{ settings: 'x' }]])(
    'refuses a reply of another shape: %j',
    (reply) => {
      expect(() => decodeAccountSettings(reply, 'test')).toThrow(
        expect.objectContaining({ reason: 'shape', operation: 'test' }),
      );
    },
  );
});
