import { describe, expect, test } from 'vitest';
import { refused } from '../../start-test-sandbox.ts';
import { checksPath, type WireDetail, writingSandbox } from './check-writing.ts';

const form = (settings: Record<string, string>) => ({
  form: { name: 'Old', host: 'old.example.com', type: 'http', ...settings },
});

async function legacySandbox() {
  const started = await writingSandbox();
  const createIn = async (version: string, settings: Record<string, string>) => {
    const path = `/api/${version}/checks`;
    const { body } = await started.send<{ check?: { id: number } }>('POST', path, form(settings));
    if (body.check === undefined) throw new Error(`not created: ${JSON.stringify(body)}`);
    return body.check.id;
  };
  return { ...started, createIn };
}

const listFields = [
  'created',
  'hostname',
  'id',
  'ipv6',
  'lasterrortime',
  'lastresponsetime',
  'lasttesttime',
  'name',
  'resolution',
  'status',
  'tags',
  'type',
];

describe('the list', () => {
  test.each([
    ['2.0', listFields, ['checks']],
    ['2.1', [...listFields, 'probe_filters'].toSorted(), ['checks', 'counts']],
    ['3.1', [...listFields, 'lastdownstart', 'lastdownend'].toSorted(), ['checks', 'counts']],
  ])('of %s has the fields of its version', async (version, fields, keys) => {
    const { send } = await legacySandbox();

    const path = `/api/${version}/checks?include_tags=true`;
    const { status, body } = await send<{ checks: WireDetail[] }>('GET', path);

    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(keys);
    expect(Object.keys(body.checks[0] ?? {}).toSorted()).toEqual(fields);
    expect(body.checks).toHaveLength(24);
  });

  test('of 2.0 takes no include_severity, that of 2.1 does', async () => {
    const { send } = await legacySandbox();

    const newer = await send('GET', '/api/2.1/checks?include_severity=true&limit=1');

    expect(await send('GET', '/api/2.0/checks?include_severity=true')).toMatchObject(
      refused(
        400,
        'Unknown parameter include_severity; allowed are: limit, offset, tags, include_tags',
      ),
    );
    expect(newer.body).toMatchObject({ checks: [{ severity: expect.any(String) }] });
  });
});

describe('the detail', () => {
  test('of 2.0 has contacts and flags, and headers by name', async () => {
    const { createIn, detail, sandbox } = await legacySandbox();
    const [person] = sandbox.world.people.people.all;

    const id = await createIn('2.0', {
      contactids: String(person?.id),
      sendtoemail: 'true',
      requestheader1: 'X-One: 1',
      requestheader2: 'X-Two:a:b',
    });
    const check = await detail(id, '2.0');

    expect(check).toEqual({
      id,
      name: 'Old',
      hostname: 'old.example.com',
      status: 'up',
      resolution: 5,
      created: expect.any(Number),
      ipv6: false,
      lasttesttime: expect.any(Number),
      lastresponsetime: expect.any(Number),
      sendnotificationwhendown: 2,
      notifyagainevery: 0,
      notifywhenbackup: true,
      contactids: [person?.id],
      sendtoemail: true,
      sendtosms: false,
      sendtosocial: false,
      sendtopusha: false,
      sendtopushb: false,
      type: {
        http: {
          url: '/',
          encryption: false,
          port: 80,
          requestheaders: { 'X-One': '1', 'X-Two': 'a:b' },
        },
      },
    });
  });

  test('of 2.1 has users, teams and a threshold', async () => {
    const { createIn, detail, sandbox } = await legacySandbox();
    const [team] = sandbox.world.people.teams.all;

    const id = await createIn('2.1', {
      teamids: String(team?.id),
      integrationids: '5,6',
      probe_filters: 'region:LATAM',
      responsetime_threshold: '900',
      requestheader1: 'X-Many: 1',
      requestheader7: 'X-Many: 2',
    });

    expect(await detail(id, '2.1')).not.toHaveProperty('teams');
    expect(await detail(id, '2.1', '?include_teams=true')).toMatchObject({
      teams: [{ id: team?.id, name: team?.name }],
      integrationids: [5, 6],
      probe_filters: ['region:LATAM'],
      responsetime_threshold: 900,
      userids: [],
      type: { http: { requestheaders: { 'X-Many': ['1', '2'] } } },
    });
    expect(await detail(id, '2.1')).not.toHaveProperty('sendtoemail');
  });

  test('is the same check in all versions', async () => {
    const { createIn, detail } = await legacySandbox();
    const id = await createIn('2.1', { auth: 'u:p', tags: 'x' });

    for (const version of ['2.0', '2.1', '3.1']) {
      expect(await detail(id, version)).toMatchObject({
        name: 'Old',
        type: { http: { username: 'u', password: 'p' } },
      });
    }
    expect(await detail(id)).toMatchObject({
      tags: expect.arrayContaining([{ name: 'x', type: 'u', count: 1 }]),
    });
  });
});

describe('writing', () => {
  test.each(['2.0', '2.1'])('in %s modifies one and many', async (version) => {
    const { send, createIn, detail } = await legacySandbox();
    const id = await createIn(version, { tags: 'a' });
    const base = `/api/${version}/checks`;

    await send('PUT', `${base}/${id}`, { form: { addtags: 'b', url: '/new' } });
    await send('PUT', `${base}?checkids=${id}`, { form: { paused: 'true' } });

    expect(await detail(id)).toMatchObject({
      status: 'paused',
      tags: [{ name: 'http' }, { name: 'a' }, { name: 'b' }],
      type: { http: { url: '/new' } },
    });
  });

  test.each([
    ['2.0', 24],
    ['2.1', 24],
  ])('in %s deletes one', async (version, before) => {
    const { send, seeded, list } = await legacySandbox();

    const { status } = await send('DELETE', `/api/${version}/checks/${seeded('udp')}`);

    expect(status).toBe(200);
    expect((await list()).checks).toHaveLength(before - 1);
  });
});

test('credits have the fields of their version', async () => {
  const { send } = await legacySandbox();
  const fields = async (version: string) =>
    Object.keys(
      (await send<{ credits: object }>('GET', `/api/${version}/credits`)).body.credits,
    ).toSorted();

  const basic = [
    'autofillsms',
    'availablechecks',
    'availablesms',
    'availablesmstests',
    'checklimit',
  ];
  const extended = [
    ...basic,
    'autofillsms_amount',
    'autofillsms_when_left',
    'availablerumsites',
    'max_sms_overage',
    'maxrumfilters',
    'maxrumpageviews',
    'useddefault',
    'usedrumsites',
    'usedtransaction',
  ].toSorted();
  expect(await fields('2.0')).toEqual(basic);
  expect(await fields('2.1')).toEqual(extended);
  expect(await fields('3.1')).toEqual(extended);
});

test('every seeded check has a detail with the settings its type requires', async () => {
  const { send, list } = await legacySandbox();
  const wanted: Record<string, readonly string[]> = {
    http: ['url', 'encryption', 'port'],
    httpcustom: ['url', 'encryption', 'port'],
    tcp: ['port'],
    ping: [],
    dns: ['nameserver', 'expectedip'],
    udp: ['port', 'stringtosend', 'stringtoexpect'],
    smtp: ['port', 'encryption'],
    pop3: ['port', 'encryption'],
    imap: ['port', 'encryption'],
  };

  for (const { id, type } of (await list()).checks) {
    const { body } = await send<{ check: WireDetail }>('GET', `${checksPath}/${id}`);
    const shown = body.check.type as Record<string, object>;
    expect(Object.keys(shown)).toEqual([type]);
    expect(Object.keys(shown[type as string] ?? {})).toEqual(
      expect.arrayContaining([...(wanted[type as string] ?? [])]),
    );
  }
});
