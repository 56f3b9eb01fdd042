import { expect, test } from 'vitest';
import { refused, startTestSandbox } from '../../start-test-sandbox.ts';

const path = '/api/2.1/settings';

interface Settings {
  readonly [attribute: string]: unknown;
}

async function started() {
  const { send } = await startTestSandbox();
  return {
    send,
    settings: async (version = '2.1') =>
      (await send<{ settings: Settings }>('GET', `/api/${version}/settings`)).body.settings,
  };
}

/** Legacy versions, section 2.5. */
const documented = [
  'firstname',
  'lastname',
  'company',
  'email',
  'phone',
  'phonecountryiso',
  'cellphone',
  'cellphonecountryiso',
  'address',
  'address2',
  'zip',
  'location',
  'state',
  'autologout',
  'country',
  'vatcode',
  'region',
  'regionid',
  'accountcreated',
  'timezone',
  'dateformat',
  'timeformat',
  'datetimeformatid',
  'numberformat',
  'numberexample',
  'numberformatid',
  'publicreports',
  'publicreportscode',
  'settingssaved',
];

test('have the documented attributes of their version', async () => {
  const { settings } = await started();

  expect(Object.keys(await settings('2.0')).sort()).toEqual([...documented].sort());
  const current = await settings('2.1');
  expect(Object.keys(current).sort()).toEqual(
    [...documented, 'billing_email', 'description', 'external_reference'].sort(),
  );
  expect(current).toMatchObject({
    country: { name: 'Sweden', iso: 'SE', countryid: 6 },
    region: 'Sweden',
    timezone: { id: 5, timezoneid: 5, description: expect.stringContaining('Stockholm') },
    publicreports: {
      customdesign: false,
      textcolor: '#000000',
      backgroundcolor: '#FFFFFF',
      logourl: '',
      months: 'all',
      showoverview: true,
      customdomain: '',
    },
  });
});

test.each([
  [
    { firstname: 'Eva', company: 'Other', vatcode: '' },
    { firstname: 'Eva', company: 'Other', vatcode: '' },
  ],
  [{ email: 'eva@example.com' }, { email: 'eva@example.com' }],
  [
    { billing_email: 'pay@example.com', description: 'Ours' },
    { billing_email: 'pay@example.com', description: 'Ours' },
  ],
  [{ autologout: 'true', updaterenewal: 'false' }, { autologout: true }],
  [
    { phone: '5551234', phonecountrycode: '1', phonecountryiso: 'US' },
    { phone: '1-5551234', phonecountryiso: 'US' },
  ],
  [
    { cellphone: '5551234', cellcountrycode: '44', cellcountryiso: 'GB' },
    { cellphone: '44-5551234', cellphonecountryiso: 'GB' },
  ],
  [{ countryiso: 'JP' }, { country: { name: 'Japan', iso: 'JP', countryid: 11 } }],
  [
    { regionid: '4' },
    { region: 'Japan', regionid: 4, timezone: expect.objectContaining({ timezoneid: 7 }) },
  ],
  [
    { regionid: '0', timezoneid: '1', datetimeformatid: '3', numberformatid: '2' },
    {
      region: 'Custom',
      regionid: 0,
      timezone: expect.objectContaining({ timezoneid: 1 }),
      dateformat: 'MM/DD/YYYY',
      timeformat: 'hh:mm:ss AM/PM',
      numberformat: '123,456,789.00',
    },
  ],
  [
    {
      pubrcustomdesign: '1',
      pubrtextcolor: '#abc',
      pubrbackgroundcolor: '00ff7F',
      pubrmonths: '3',
      pubrshowoverview: 'false',
      pubrcustomdomain: 'status.example.com',
      pubrlogourl: 'https://example.com/logo.png',
    },
    {
      publicreports: {
        customdesign: true,
        textcolor: '#abc',
        backgroundcolor: '00ff7F',
        logourl: '',
        months: '3',
        showoverview: false,
        customdomain: 'status.example.com',
      },
    },
  ],
])('take %j and keep the rest', async (form, changed) => {
  const { send, settings } = await started();
  const before = await settings();

  const { status, body } = await send('PUT', path, { form });

  expect(status).toBe(200);
  expect(body).toEqual({ message: 'Modification of settings was successful!' });
  const formats =
    'regionid' in form
      ? [
          'dateformat',
          'timeformat',
          'datetimeformatid',
          'numberformat',
          'numberexample',
          'numberformatid',
        ]
      : [];
  const after = await settings();
  expect(after).toMatchObject(changed);
  for (const [name, value] of Object.entries(before)) {
    if (!(name in changed) && !formats.includes(name)) expect(after[name]).toEqual(value);
  }
});

test.each([
  [{ phone: '1' }, 'Parameter phone requires parameters phonecountrycode and phonecountryiso'],
  [
    { phone: '1', phonecountrycode: '1' },
    'Parameter phone requires parameters phonecountrycode and phonecountryiso',
  ],
  [
    { phone: '1', phonecountryiso: 'US' },
    'Parameter phone requires parameters phonecountrycode and phonecountryiso',
  ],
  [
    { cellphone: '1' },
    'Parameter cellphone requires parameters cellcountrycode and cellcountryiso',
  ],
  [{ phonecountryiso: 'US' }, 'Parameter phonecountrycode requires parameter phone'],
  [
    { phone: '+1', phonecountrycode: '1', phonecountryiso: 'US' },
    'Parameter phone must be digits, not "+1"',
  ],
  [{ email: 'nobody' }, 'Parameter email must be an e-mail address, not "nobody"'],
  [{ countryiso: 'XX' }, /^Parameter countryiso must be one of US, /],
  [{ autologout: 'perhaps' }, 'Parameter autologout must be true or false, not "perhaps"'],
  [{ updaterenewal: 'perhaps' }, 'Parameter updaterenewal must be true or false, not "perhaps"'],
  [{ regionid: '99' }, 'Parameter regionid must be an identifier of the reference, not 99'],
  [{ timezoneid: '0' }, 'Parameter timezoneid must be an identifier of the reference, not 0'],
  [{ pubrtextcolor: 'red' }, 'Parameter pubrtextcolor must be a hexadecimal colour, not "red"'],
  [
    { pubrbackgroundcolor: '#12345' },
    'Parameter pubrbackgroundcolor must be a hexadecimal colour, not "#12345"',
  ],
  [{ pubrmonths: '6' }, 'Parameter pubrmonths must be one of none, all, 3, not "6"'],
  [{ password: 'x' }, /^Unknown parameter password; /],
])('refuse %j, and stay as they are', async (form, errormessage) => {
  const { send, settings } = await started();
  const before = await settings();

  const sent = { firstname: 'Eva', ...form } as Record<string, string>;
  expect(await send('PUT', path, { form: sent })).toMatchObject(refused(400, errormessage));
  expect(await settings()).toEqual(before);
});
