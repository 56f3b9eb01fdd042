import { describe, expect, test } from 'vitest';
import { refused, startTestSandbox } from '../../start-test-sandbox.ts';

const contactsPath = '/api/3.1/alerting/contacts';
const teamsPath = '/api/3.1/alerting/teams';

interface Contact {
  readonly id: number;
  readonly name: string;
  readonly paused: boolean;
  readonly type: string;
  readonly owner?: boolean;
  readonly notification_targets: {
    readonly email: readonly object[];
    readonly sms: readonly object[];
  };
  readonly teams: readonly { readonly id: number; readonly name: string }[];
}
interface Team {
  readonly id: number;
  readonly name: string;
  readonly members: readonly {
    readonly id: number;
    readonly name: string;
    readonly type: string;
  }[];
}

async function started(options = {}) {
  const { send } = await startTestSandbox(options);
  return {
    send,
    contacts: async () =>
      (await send<{ contacts: readonly Contact[] }>('GET', contactsPath)).body.contacts,
    teams: async () => (await send<{ teams: readonly Team[] }>('GET', teamsPath)).body.teams,
  };
}

const email = { severity: 'HIGH', address: 'new@example.com' };
const sms = { severity: 'LOW', country_code: '44', number: '123456', provider: 'sms_provider_b' };
const created = { name: 'New', notification_targets: { email: [email], sms: [sms] } };

describe('contacts', () => {
  test('have the documented attributes', async () => {
    const { contacts } = await started();

    const all = await contacts();

    expect(all[0]).toEqual({
      id: expect.any(Number),
      name: 'Ada Owner',
      paused: false,
      type: 'user',
      owner: true,
      notification_targets: {
        email: [
          { severity: 'HIGH', address: 'person-1@example.com' },
          { severity: 'LOW', address: 'low-person-1@example.com' },
        ],
        sms: [
          {
            severity: 'HIGH',
            country_code: '46',
            number: expect.stringMatching(/^\d{9}$/),
            provider: 'sms_provider_a',
          },
        ],
        apns: [{ severity: 'HIGH', device: expect.any(String), name: 'Phone' }],
      },
      teams: [{ id: expect.any(Number), name: 'Platform on call' }],
    });
    expect(all.some(({ paused }) => paused)).toBe(true);
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(['user', 'contact']));
    expect(all.filter(({ owner }) => owner)).toHaveLength(1);
  });

  test('differ from seed to seed, and not otherwise', async () => {
    const [first, again, other] = [
      await (await started({ seed: 1 })).contacts(),
      await (await started({ seed: 1 })).contacts(),
      await (await started({ seed: 2 })).contacts(),
    ];

    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('are created with defaults, read, overwritten and deleted', async () => {
    const { send, contacts } = await started();
    const before = await contacts();

    const { status, body } = await send<{ contact: { id: number } }>('POST', contactsPath, {
      json: created,
    });
    const { id } = body.contact;
    const path = `${contactsPath}/${id}`;
    const read = async () => (await send<{ contact: Contact }>('GET', path)).body;

    expect(status).toBe(200);
    expect(body).toEqual({ contact: { id: expect.any(Number) } });
    const fresh = { ...created, id, paused: false, type: 'contact', teams: [] };
    expect(await read()).toEqual({ contact: fresh });
    expect(await contacts()).toEqual([...before, fresh]);

    const agcm = [{ severity: 'HIGH', agcm_id: 'token' }];
    const json = { name: 'Newer', paused: true, notification_targets: { agcm } };
    const changed = {
      ...fresh,
      name: 'Newer',
      paused: true,
      notification_targets: { email: [], sms: [], agcm },
    };
    expect((await send('PUT', path, { json })).body).toEqual({ contact: changed });
    expect(await read()).toEqual({ contact: changed });

    expect((await send('DELETE', path)).body).toEqual({
      message: 'Deletion of contact was successful!',
    });
    expect((await send('GET', path)).status).toBe(404);
    expect(await contacts()).toEqual(before);
  });

  const atLeastOne =
    'Parameter notification_targets is not valid: there must be at least one notification method';

  test.each([
    ['nothing', {}, /^Parameter name is not valid/],
    ['an empty name', { ...created, name: '' }, 'Parameter name is not valid: must not be empty'],
    ['no targets', { name: 'x' }, /^Parameter notification_targets is not valid/],
    ['no method', { name: 'x', notification_targets: {} }, atLeastOne],
    ['empty methods', { name: 'x', notification_targets: { email: [], sms: [] } }, atLeastOne],
    [
      'what is no address',
      { name: 'x', notification_targets: { email: [{ ...email, address: 'nobody' }] } },
      'Parameter notification_targets.email[0].address is not valid: must be an e-mail address',
    ],
    [
      'a number with a plus',
      { name: 'x', notification_targets: { sms: [{ ...sms, number: '+123' }] } },
      'Parameter notification_targets.sms[0].number is not valid: must be digits',
    ],
    [
      'a severity of its own',
      { name: 'x', notification_targets: { email: [{ ...email, severity: 'MIDDLE' }] } },
      /^Parameter notification_targets.email\[0\].severity is not valid/,
    ],
    [
      'a method there is not',
      { name: 'x', notification_targets: { email: [email], pigeon: [] } },
      /^Parameter notification_targets is not valid/,
    ],
    ['a word for paused', { ...created, paused: 'NO' }, /^Parameter paused is not valid/],
    ['an unknown parameter', { ...created, teams: [] }, /^Unknown parameter teams/],
  ])('are not created with %s', async (_what, json, errormessage) => {
    const { send, contacts } = await started();
    const before = await contacts();

    expect(await send('POST', contactsPath, { json })).toMatchObject(refused(400, errormessage));
    expect(await contacts()).toEqual(before);
  });

  test.each(['name', 'paused', 'notification_targets'])(
    'are not updated without %s',
    async (name) => {
      const { send, contacts } = await started();
      const before = await contacts();
      const { [name]: _left, ...json } = { ...created, paused: true } as Record<string, unknown>;

      const { status } = await send('PUT', `${contactsPath}/${before[0]?.id}`, { json });

      expect(status).toBe(400);
      expect(await contacts()).toEqual(before);
    },
  );
});

describe('teams', () => {
  test('have members that are the contacts', async () => {
    const { teams, contacts } = await started();
    const all = await contacts();

    const [first, ...rest] = await teams();

    expect(first).toEqual({
      id: expect.any(Number),
      name: 'Platform on call',
      members: [0, 1, 3].map((position) => {
        const { id, name, type } = all[position] as Contact;
        return { id, name, type };
      }),
    });
    expect(rest.at(-1)?.members).toEqual([]);
    for (const { id, name, members } of [...rest, first as Team]) {
      const listed = all.filter((contact) => contact.teams.some((team) => team.id === id));
      expect(new Set(members.map((member) => member.id))).toEqual(
        new Set(listed.map((contact) => contact.id)),
      );
      for (const contact of listed) expect(contact.teams).toContainEqual({ id, name });
    }
  });

  test('are created, read, updated and deleted, and their members stay', async () => {
    const { send, teams, contacts } = await started();
    const before = await teams();
    const people = await contacts();
    const [first, second] = people.map(({ id }) => id);

    const { body } = await send<{ team: { id: number } }>('POST', teamsPath, {
      json: { name: 'Mine', member_ids: [first, second, first] },
    });
    const { id } = body.team;
    const path = `${teamsPath}/${id}`;

    expect(body).toEqual({ team: { id: expect.any(Number) } });
    const read = async () => (await send<{ team: Team }>('GET', path)).body.team;
    expect((await read()).members.map((member) => member.id)).toEqual([first, second]);
    const updated = await send<{ team: Team }>('PUT', path, {
      json: { name: 'Ours', member_ids: [] },
    });
    expect(updated.body).toEqual({ team: { id, name: 'Ours', members: [] } });
    expect(await read()).toEqual(updated.body.team);
    expect((await send('DELETE', path)).status).toBe(200);
    expect(await teams()).toEqual(before);
    expect(await contacts()).toEqual(people);
  });

  test('lose a member that is deleted', async () => {
    const { send, teams, contacts } = await started();
    const gone = (await contacts())[1]?.id;

    await send('DELETE', `${contactsPath}/${gone}`);

    const members = (await teams()).flatMap((team) => team.members.map(({ id }) => id));
    expect(members.length).toBeGreaterThan(0);
    expect(members).not.toContain(gone);
  });

  test.each([
    ['no name', { member_ids: [] }, /^Parameter name is not valid/],
    ['no members', { name: 'x' }, /^Parameter member_ids is not valid/],
    ['a member there is not', { name: 'x', member_ids: [7] }, 'No contact has the identifier 7'],
    ['members in a text', { name: 'x', member_ids: '7' }, /^Parameter member_ids is not valid/],
  ])('are neither created nor updated with %s', async (_what, json, errormessage) => {
    const { send, teams } = await started();
    const before = await teams();

    for (const [method, path] of [
      ['POST', teamsPath],
      ['PUT', `${teamsPath}/${before[0]?.id}`],
    ] as const) {
      expect(await send(method, path, { json })).toMatchObject(refused(400, errormessage));
    }
    expect(await teams()).toEqual(before);
  });
});

test.each([contactsPath, teamsPath])('%s knows nobody but its own', async (path) => {
  const { send } = await started();

  expect((await send('GET', `${path}/1`)).status).toBe(404);
  expect((await send('DELETE', `${path}/1`)).status).toBe(404);
  expect((await send('GET', `${path}/one`)).status).toBe(400);
});
