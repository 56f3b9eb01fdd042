import { describe, expect, test } from 'vitest';
import { refused, startTestSandbox } from '../../start-test-sandbox.ts';

const usersPath = '/api/2.1/users';
const teamsPath = '/api/2.1/teams';
const contactsPath = '/api/2.0/contacts';

interface User {
  readonly id: number;
  readonly name: string;
  readonly paused: string;
  readonly sms: readonly { readonly id: number; readonly [attribute: string]: unknown }[];
  readonly email: readonly { readonly id: number; readonly [attribute: string]: unknown }[];
}
interface LegacyContact {
  readonly id: number;
  readonly name: string;
  readonly paused: boolean;
  readonly [attribute: string]: unknown;
}
interface LegacyTeam {
  readonly id: string;
  readonly name: string;
  readonly users: readonly { readonly id: string }[];
}

async function started() {
  const { send } = await startTestSandbox();
  const contacts = async () =>
    (await send<{ contacts: readonly LegacyContact[] }>('GET', contactsPath)).body.contacts;
  const users = async () => (await send<{ users: readonly User[] }>('GET', usersPath)).body.users;
  return {
    send,
    users,
    user: async (id: number) => (await users()).find((user) => user.id === id),
    teams: async () => (await send<{ teams: readonly LegacyTeam[] }>('GET', teamsPath)).body.teams,
    contacts,
    contact: async (id: number) => (await contacts()).find((contact) => contact.id === id),
  };
}

test('all versions tell of the same people', async () => {
  const { send, users, contacts } = await started();

  const current = (
    await send<{ contacts: { id: number; name: string }[] }>('GET', '/api/3.1/alerting/contacts')
  ).body.contacts;
  const names = ({ id, name }: { id: number; name: string }) => [id, name];

  expect((await users()).map(names)).toEqual(current.map(names));
  expect((await contacts()).map(names)).toEqual(current.map(names));
});

test('a contact keeps the targets that version 2.0 does not change', async () => {
  const { send, users } = await started();
  const before = (await users())[0];

  await send('PUT', `${contactsPath}/${before?.id}`, { form: { email: 'first@example.com' } });

  const after = (await users())[0];
  expect(after?.sms).toEqual(before?.sms);
  expect(after?.email[0]).toMatchObject({ address: 'first@example.com' });
  expect(after?.email[1]).toEqual(before?.email[1]);
});

test('what one version writes the others show', async () => {
  const { send, users, contacts } = await started();
  const id = (await users())[0]?.id ?? 0;

  await send('PUT', `${contactsPath}/${id}`, { form: { name: 'Ada', paused: 'true' } });
  await send('POST', `${usersPath}/${id}`, { form: { email: 'third@example.com' } });

  expect((await users())[0]).toMatchObject({ name: 'Ada', paused: 'YES' });
  expect((await contacts())[0]).toMatchObject({ name: 'Ada', paused: true });
  const { body } = await send('GET', `/api/3.1/alerting/contacts/${id}`);
  expect(body).toMatchObject({
    contact: {
      name: 'Ada',
      paused: true,
      notification_targets: {
        email: [
          { severity: 'HIGH', address: 'person-1@example.com' },
          { severity: 'LOW', address: 'low-person-1@example.com' },
          { severity: 'HIGH', address: 'third@example.com' },
        ],
      },
    },
  });
});

describe('users of version 2.1', () => {
  test('have the documented attributes', async () => {
    const { users } = await started();

    const [first, , , , last] = await users();

    expect(first).toEqual({
      id: expect.any(Number),
      name: 'Ada Owner',
      paused: 'NO',
      sms: [
        {
          id: expect.any(Number),
          severity: 'HIGH',
          country_code: '46',
          number: expect.any(String),
          provider: 'sms_provider_a',
        },
      ],
      email: [
        { id: expect.any(Number), severity: 'HIGH', address: 'person-1@example.com' },
        { id: expect.any(Number), severity: 'LOW', address: 'low-person-1@example.com' },
      ],
    });
    expect(last?.paused).toBe('YES');
  });

  test('are created, paused, resumed by the next modification and deleted', async () => {
    const { send, users, user } = await started();
    const before = await users();

    const { body } = await send<{ user: { id: number } }>('POST', usersPath, {
      form: { name: 'New' },
    });
    const { id } = body.user;

    expect(body).toEqual({ user: { id: expect.any(Number) } });
    expect(await user(id)).toEqual({ id, name: 'New', paused: 'NO', sms: [], email: [] });
    await send('PUT', `${usersPath}/${id}`, { form: { name: 'Newer', paused: 'YES' } });
    expect(await user(id)).toMatchObject({ name: 'Newer', paused: 'YES' });
    await send('PUT', `${usersPath}/${id}`, { form: { name: 'Newer' } });
    expect(await user(id)).toMatchObject({ paused: 'NO' });
    expect((await send('DELETE', `${usersPath}/${id}`)).status).toBe(200);
    expect(await users()).toEqual(before);
  });

  test('get, change and lose contact targets', async () => {
    const { send, users, user } = await started();
    const id = (await users())[4]?.id ?? 0;
    const path = `${usersPath}/${id}`;
    const before = await user(id);

    const { body } = await send<{ contact_target: { id: number } }>('POST', path, {
      form: { number: '5551234', countrycode: '1' },
    });
    const target = body.contact_target.id;

    const added = {
      id: target,
      severity: 'HIGH',
      country_code: '1',
      number: '5551234',
      provider: 'sms_provider_e',
    };
    expect((await user(id))?.sms).toEqual([added]);
    await send('PUT', `${path}/${target}`, { form: { severitylevel: 'LOW' } });
    expect((await user(id))?.sms).toEqual([{ ...added, severity: 'LOW' }]);
    await send('POST', `${path}/${target}`, { form: { email: 'x@example.com' } });
    expect(await user(id)).toMatchObject({ sms: [] });
    expect((await user(id))?.email.at(-1)).toEqual({
      id: target,
      severity: 'HIGH',
      address: 'x@example.com',
    });
    expect((await send('DELETE', `${path}/${target}`)).status).toBe(200);
    expect(await user(id)).toEqual(before);
    expect((await send('DELETE', `${path}/${target}`)).status).toBe(404);
  });

  test.each([
    ['POST', '', {}, 'Parameter name is required'],
    ['PUT', '/:id', { paused: 'YES' }, 'Parameter name is required'],
    [
      'PUT',
      '/:id',
      { name: 'x', paused: 'true' },
      'Parameter paused must be one of YES, NO, not "true"',
    ],
    ['POST', '/:id', {}, 'Parameter email or number is required'],
    ['POST', '/:id', { number: '1' }, 'Parameter number requires parameter countrycode'],
    ['POST', '/:id', { countrycode: '1' }, 'Parameter countrycode requires parameter number'],
    [
      'POST',
      '/:id',
      { number: 'one', countrycode: '1' },
      'Parameter number must be digits, not "one"',
    ],
    ['POST', '/:id', { email: 'x' }, 'Parameter email must be an e-mail address, not "x"'],
    [
      'POST',
      '/:id',
      { email: 'x@y', severitylevel: 'MID' },
      'Parameter severitylevel must be one of HIGH, LOW, not "MID"',
    ],
    [
      'POST',
      '/:id',
      { email: 'x@y', number: '1', countrycode: '1' },
      'Parameters email and number must not be given together',
    ],
  ] as const)('are not written by %s %s with %j', async (method, path, form, errormessage) => {
    const { send, users } = await started();
    const before = await users();
    const target = usersPath + path.replace(':id', String(before[0]?.id));

    expect(await send(method, target, { form })).toMatchObject(refused(400, errormessage));
    expect(await users()).toEqual(before);
  });
});

describe('teams of version 2.1', () => {
  test('have identifiers that are text in reads', async () => {
    const { send, teams, users } = await started();
    const first = (await users())[0];

    const [team] = await teams();

    expect(team).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Platform on call',
      users: expect.any(Array),
    });
    expect(team?.users[0]).toEqual({
      id: String(first?.id),
      email: 'person-1@example.com',
      name: 'Ada Owner',
    });
    expect((await send('GET', `${teamsPath}/${team?.id}`)).body).toEqual({ team });
  });

  test('are created, modified and deleted', async () => {
    const { send, teams, users } = await started();
    const before = await teams();
    const [first, second] = (await users()).map(({ id }) => id);

    const { body } = await send<{ id: number; users: object[] }>('POST', teamsPath, {
      form: { name: 'Mine', userids: `${first},${second}` },
    });
    const path = `${teamsPath}/${body.id}`;

    expect(body).toMatchObject({ id: expect.any(Number), name: 'Mine' });
    expect(body.users).toHaveLength(2);
    expect((await send('PUT', path, { form: { name: 'Ours' } })).body).toEqual({
      ...body,
      name: 'Ours',
    });
    expect((await send('PUT', path, { form: { userids: '' } })).body).toEqual({
      ...body,
      name: 'Ours',
      users: [],
    });
    expect((await send('DELETE', path)).body).toEqual({ success: true });
    expect(await teams()).toEqual(before);
  });

  test.each([
    [{}, 'Parameter name is required'],
    [{ name: 'x', userids: '7' }, 'No contact has the identifier 7'],
    [{ name: 'x', userids: 'a' }, 'Parameter userids must be a whole number of 0 or more, not "a"'],
  ])('are not created with %j', async (form, errormessage) => {
    const { send } = await started();

    expect(await send('POST', teamsPath, { form })).toMatchObject(refused(400, errormessage));
  });
});

describe('contacts of version 2.0', () => {
  test('have the documented attributes', async () => {
    const { contacts } = await started();

    const [first, , third] = await contacts();

    expect(first).toEqual({
      id: expect.any(Number),
      name: 'Ada Owner',
      email: 'person-1@example.com',
      cellphone: expect.stringMatching(/^46-\d{9}$/),
      countryiso: 'SE',
      defaultsmsprovider: 'sms_provider_a',
      directsocial: true,
      pushatokens: [expect.any(String)],
      pushbtokens: [],
      paused: false,
    });
    expect(third).not.toHaveProperty('cellphone');
    expect(third?.pushbtokens).toEqual([expect.any(String)]);
  });

  test('are paged', async () => {
    const { send, contacts } = await started();
    const all = await contacts();

    expect((await send('GET', `${contactsPath}?limit=2&offset=1`)).body).toEqual({
      contacts: all.slice(1, 3),
    });
    expect((await send('GET', `${contactsPath}?offset=1`)).status).toBe(400);
  });

  test('are created, modified and deleted', async () => {
    const { send, contact, contacts } = await started();
    const before = await contacts();

    const { body } = await send<{ contact: { id: number } }>('POST', contactsPath, {
      form: {
        name: 'New',
        email: 'new@example.com',
        cellphone: '5551234',
        countrycode: '1',
        countryiso: 'US',
        socialuser: 'new',
      },
    });
    const { id } = body.contact;

    const fresh = {
      id,
      name: 'New',
      email: 'new@example.com',
      cellphone: '1-5551234',
      countryiso: 'US',
      defaultsmsprovider: 'sms_provider_a',
      directsocial: true,
      socialuser: 'new',
      pushatokens: [],
      pushbtokens: [],
      paused: false,
    };
    expect(body).toEqual({ contact: { id, name: 'New' } });
    expect(await contact(id)).toEqual(fresh);
    const modified = await send('PUT', `${contactsPath}/${id}`, {
      form: { defaultsmsprovider: 'sms_provider_d', directsocial: 'false', paused: '1' },
    });
    expect(modified.body).toEqual({ message: 'Modification of contact was successful!' });
    expect(await contact(id)).toEqual({
      ...fresh,
      defaultsmsprovider: 'sms_provider_d',
      directsocial: false,
      paused: true,
    });
    await send('PUT', `${contactsPath}/${id}`, { form: { email: '', cellphone: '' } });
    expect(Object.keys((await contact(id)) ?? {})).not.toContain('email');
    expect(Object.keys((await contact(id)) ?? {})).not.toContain('cellphone');
    expect((await send('DELETE', `${contactsPath}/${id}`)).status).toBe(200);
    expect(await contacts()).toEqual(before);
  });

  test('are paused and deleted several at a time, and unknown ones are ignored', async () => {
    const { send, contacts } = await started();
    const [first, second, third, ...others] = (await contacts()).map(({ id }) => id);

    await send('PUT', contactsPath, {
      form: { contactids: `${first},7,${second}`, paused: 'true' },
    });
    const paused = await contacts();
    await send('DELETE', contactsPath, { form: { delcontactids: `${first},${third},7` } });
    const left = await contacts();

    expect(paused.map((contact) => contact.paused)).toEqual([true, true, false, false, true]);
    expect(left.map(({ id }) => id)).toEqual([second, ...others]);
  });

  test.each([
    ['POST', '', {}, 'Parameter name is required'],
    [
      'POST',
      '',
      { name: 'x', cellphone: '1' },
      'Parameter cellphone requires parameter countrycode',
    ],
    [
      'POST',
      '',
      { name: 'x', cellphone: '1', countrycode: '1' },
      'Parameter cellphone requires parameter countryiso',
    ],
    [
      'POST',
      '',
      { name: 'x', countryiso: 'Sweden' },
      'Parameter countryiso must be two letters, not "Sweden"',
    ],
    ['POST', '', { name: 'x', paused: 'true' }, /^Unknown parameter paused/],
    [
      'POST',
      '',
      { name: 'x', defaultsmsprovider: 'pigeon' },
      /^Parameter defaultsmsprovider must be one of sms_provider_a/,
    ],
    [
      'POST',
      '',
      { name: 'x', directsocial: 'maybe' },
      'Parameter directsocial must be true or false, not "maybe"',
    ],
    ['PUT', '/:id', { name: '' }, 'Parameter name is required'],
    ['PUT', '/:id', { email: 'x' }, 'Parameter email must be an e-mail address, not "x"'],
    ['PUT', '', { paused: 'true' }, 'Parameter contactids is required'],
    ['PUT', '', { contactids: '1' }, 'Parameter paused is required'],
    ['DELETE', '', {}, 'Parameter delcontactids is required'],
  ] as const)('are not written by %s %s with %j', async (method, path, form, errormessage) => {
    const { send, contacts } = await started();
    const before = await contacts();
    const target = contactsPath + path.replace(':id', String(before[0]?.id));

    expect(await send(method, target, { form })).toMatchObject(refused(400, errormessage));
    expect(await contacts()).toEqual(before);
  });
});
