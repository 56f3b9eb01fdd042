import { describe, expect, test } from 'vitest';
import { asDocumented, refused, startTestSandbox } from '../../start-test-sandbox.ts';

const path = '/api/3.1/tms/check';
const minute = 60_000;

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly active: boolean;
  readonly tags: readonly string[];
  readonly type: readonly string[];
  readonly [attribute: string]: unknown;
}
interface List {
  readonly checks: readonly Entry[];
}
interface Wrapped {
  readonly check: Entry;
}
interface Report {
  readonly report: {
    readonly states: readonly {
      readonly status: string;
      readonly from: string;
      readonly to: string;
    }[];
  };
}

const script = {
  name: 'My transaction',
  steps: [
    { fn: 'go_to', args: { url: 'https://www.example.com' } },
    { fn: 'contains', args: { element: 'h1', value: 'Welcome' } },
  ],
};
const recording = {
  name: 'My recording',
  steps: [{ fn: 'wpm_go_to', args: { url: 'https://www.example.com' } }],
};

async function started(options = {}) {
  const { clock, send, sandbox } = await startTestSandbox({ ...asDocumented, ...options });
  return {
    clock,
    send,
    sandbox,
    list: async (query = '') => (await send<List>('GET', path + query)).body.checks,
    read: async (id: number) => (await send<Wrapped>('GET', `${path}/${id}`)).body.check,
    create: async (json: object) => (await send<Wrapped>('POST', path, { json })).body.check.id,
    states: async (id: number) =>
      (await send<Report>('GET', `${path}/${id}/report/status`)).body.report.states,
  };
}

describe('the list of transactions', () => {
  test('shows one that succeeds, one that fails and one that is inactive, whatever the seed', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { list } = await started({ seed });

      const checks = await list();

      expect(checks.map(({ status, active }) => [status, active])).toEqual([
        ['successful', true],
        ['failing', true],
        ['unknown', false],
      ]);
      expect(new Set(checks.flatMap(({ type }) => type))).toEqual(new Set(['script', 'recording']));
    }
  });

  test('has the documented attributes', async () => {
    const { send, clock } = await started();
    const now = clock.now() / 1000;

    const { status, body } = await send<List>('GET', path);

    expect(status).toBe(200);
    expect(body).toEqual({ checks: expect.any(Array), limit: 1000, offset: 0 });
    const failing = body.checks[1];
    expect(failing).toEqual({
      id: expect.toSatisfy((id) => Number.isInteger(id) && String(id).length === 7),
      name: 'Buy as a guest',
      type: ['recording'],
      active: true,
      interval: expect.toBeOneOf([5, 10]),
      region: expect.toBeOneOf(['us-east', 'us-west', 'eu', 'au']),
      status: 'failing',
      created_at: expect.toSatisfy((time) => time < now),
      modified_at: expect.toSatisfy((time) => time < now),
      last_downtime_start: expect.toSatisfy((time) => time < now),
      tags: ['checkout', 'team_payments'],
    });
  });

  test('there are a tenth as many as checks, at least 3, or as many as asked for', async () => {
    expect(await (await started({ checks: 200 })).list()).toHaveLength(20);
    expect(await (await started({ checks: 1 })).list()).toHaveLength(3);
    expect(await (await started({ checks: 0 })).list()).toHaveLength(0);
    expect(await (await started({ checks: 200, transactions: 7 })).list()).toHaveLength(7);
    await expect(started({ transactions: 5001 })).rejects.toThrow(
      new RangeError('transactions must be a whole number from 0 to 5000, not 5001'),
    );
  });

  test('is paged, filtered by tags and by kind, and counts tags when asked', async () => {
    const { list, send } = await started({ transactions: 12 });
    const all = await list();

    expect(await list('?limit=5&offset=4')).toEqual(all.slice(4, 9));
    expect(await list('?offset=10')).toEqual(all.slice(10));
    expect((await send('GET', `${path}?limit=5&offset=4`)).body).toMatchObject({
      limit: 5,
      offset: 4,
    });
    const login = await list('?tags=login,no-such-tag');
    expect(login).toEqual(all.filter(({ tags }) => tags.includes('login')));
    expect(login).toHaveLength(3);
    const recordings = await list('?type=recording');
    expect(recordings).toEqual(all.filter(({ type }) => type[0] === 'recording'));
    expect(recordings).toHaveLength(3);
    const [first] = await list('?extended_tags=true');
    expect(first?.tags).toEqual([
      { name: 'login', type: 'u', count: 3 },
      { name: 'team_web', type: 'u', count: 3 },
    ]);
  });

  test.each([
    ['limit=0', 'Parameter limit must be a whole number of 1 or more, not "0"'],
    ['offset=x', 'Parameter offset must be a whole number of 0 or more, not "x"'],
    ['type=film', 'Parameter type must be one of script, recording, not "film"'],
    ['extended_tags=2', 'Parameter extended_tags must be true or false, not "2"'],
    ['sort=1', 'Unknown parameter sort; allowed are: extended_tags, limit, offset, tags, type'],
  ])('refuses %s', async (query, errormessage) => {
    const { send } = await started();

    expect(await send('GET', `${path}?${query}`)).toMatchObject(refused(400, errormessage));
  });
});

describe('creating a transaction', () => {
  test('fills in the documented defaults', async () => {
    const { send, create, read, clock } = await started();
    const now = clock.now() / 1000;

    const id = await create(script);

    expect(await read(id)).toEqual({
      id,
      ...script,
      active: true,
      contact_ids: [],
      custom_message: '',
      integration_ids: [],
      interval: 10,
      region: 'us-east',
      send_notification_when_down: 1,
      severity_level: 'high',
      tags: [],
      team_ids: [],
      type: ['script'],
      status: 'unknown',
      created_at: now,
      modified_at: now,
    });
    expect((await send('POST', path, { json: script })).body).toEqual({
      check: { id: id + 1, name: 'My transaction' },
    });
  });

  test('keeps what is given', async () => {
    const { send, create, read } = await started();
    const { contacts } = (
      await send<{ contacts: { id: number }[] }>('GET', '/api/3.1/alerting/contacts')
    ).body;
    const given = {
      ...recording,
      active: false,
      contact_ids: [contacts[1]?.id],
      custom_message: 'Call somebody',
      integration_ids: [7, 8],
      interval: 1440,
      metadata: {
        width: 1950,
        height: 1170,
        disableWebSecurity: true,
        authentications: {
          httpAuthentications: [
            { host: 'https://example.com', credentials: { userName: 'u', password: 'p' } },
          ],
        },
      },
      region: 'au',
      send_notification_when_down: 3,
      severity_level: 'low',
      tags: ['a', 'B_9-'],
    };

    const id = await create(given);

    expect(await read(id)).toMatchObject({ ...given, type: ['recording'] });
  });

  test('runs it from then on', async () => {
    const { create, read, states, clock, sandbox } = await started();
    const created = clock.now() / 1000;
    const id = await create({ ...script, interval: 5 });
    sandbox.world.plant({ checkId: id, status: 'up', from: created });

    expect(await states(id)).toEqual([]);
    await clock.advance(20 * minute);

    expect((await read(id)).status).toBe('successful');
    const [only, ...rest] = await states(id);
    expect(rest).toEqual([]);
    expect(only?.status).toBe('up');
    expect(Date.parse(only?.from ?? '') / 1000 - created).toBeGreaterThan(0);
    expect(Date.parse(only?.from ?? '') / 1000 - created).toBeLessThanOrEqual(60);
    expect(Date.parse(only?.to ?? '')).toBe(clock.now());
  });

  test.each([
    [
      'nothing',
      {},
      'Parameter name is not valid: Invalid input: expected string, received undefined',
    ],
    [
      'no steps',
      { name: 'x' },
      'Parameter steps is not valid: Invalid input: expected array, received undefined',
    ],
    [
      'a blank name',
      { ...script, name: ' ' },
      'Parameter name is not valid: a transaction has a name',
    ],
    [
      'empty steps',
      { ...script, steps: [] },
      'Parameter steps is not valid: a transaction has at least one step',
    ],
    [
      'an unknown step',
      { ...script, steps: [...script.steps, { fn: 'fly', args: {} }] },
      'Parameter steps[2] is not valid: there is no step function "fly"',
    ],
    [
      'a missing argument',
      { ...script, steps: [{ fn: 'go_to', args: {} }] },
      'Parameter steps[0] is not valid: step go_to requires the argument url',
    ],
    ['an interval of 15', { ...script, interval: 15 }, /^Parameter interval is not valid: /],
    ['an unknown region', { ...script, region: 'mars' }, /^Parameter region is not valid: /],
    [
      'an unknown severity',
      { ...script, severity_level: 'HIGH' },
      /^Parameter severity_level is not valid: /,
    ],
    [
      'a tag with a space',
      { ...script, tags: ['ok', 'not ok'] },
      'Parameter tags[1] is not valid: a tag has 1 to 64 characters of A-Z a-z 0-9 _ -',
    ],
    [
      'a tag of 65 characters',
      { ...script, tags: ['x'.repeat(65)] },
      /^Parameter tags\[0\] is not valid/,
    ],
    [
      'metadata of a script',
      { ...script, metadata: { width: 1 } },
      'Parameter metadata is not valid: only a recording has metadata',
    ],
    [
      'steps of both kinds',
      { ...script, steps: [...script.steps, ...recording.steps] },
      'Parameter steps is not valid: steps that begin with wpm_ belong in recordings only',
    ],
    ['a contact there is not', { ...script, contact_ids: [1] }, 'No contact has the identifier 1'],
    ['a team there is not', { ...script, team_ids: [2] }, 'No team has the identifier 2'],
    [
      'an unknown setting',
      { ...script, colour: 'red' },
      /^Unknown parameter colour; allowed are: active, /,
    ],
  ])('refuses %s, and creates nothing', async (_what, json, errormessage) => {
    const { send, list } = await started();
    const before = await list();

    expect(await send('POST', path, { json })).toMatchObject(refused(400, errormessage));
    expect(await list()).toEqual(before);
  });

  test('tags of 64 characters and every documented interval are taken', async () => {
    const { create, read } = await started();

    for (const interval of [5, 10, 20, 60, 720, 1440]) {
      const tags = ['x'.repeat(64)];
      expect(await read(await create({ ...script, interval, tags }))).toMatchObject({
        interval,
        tags,
      });
    }
  });
});

describe('modifying a transaction', () => {
  test('overwrites what is given, keeps the rest and answers the whole', async () => {
    const { send, list, read, clock } = await started();
    const id = (await list())[0]?.id ?? 0;
    const before = await read(id);
    await clock.advance(minute);

    const { status, body } = await send<Wrapped>('PUT', `${path}/${id}`, {
      json: { name: 'Renamed', tags: [] },
    });

    expect(status).toBe(200);
    const modified_at = clock.now() / 1000;
    expect(body.check).toEqual({ ...before, name: 'Renamed', tags: [], modified_at });
    expect(await read(id)).toEqual(body.check);
  });

  test('an inactive transaction is not run, and runs again when it is active again', async () => {
    const { send, list, read, states, clock } = await started();
    const id = (await list())[0]?.id ?? 0;
    const change = async (json: object) => {
      expect((await send('PUT', `${path}/${id}`, { json })).status).toBe(200);
    };

    const stopped = clock.now();
    await change({ active: false });
    await clock.advance(180 * minute);
    const whileInactive = await states(id);
    const entry = await read(id);
    await change({ active: true });
    await clock.advance(5 * minute);
    const afterwards = await states(id);

    expect(entry).toMatchObject({ active: false, status: 'unknown' });
    expect(Date.parse(whileInactive.at(-1)?.to ?? '')).toBe(stopped + 1000);
    expect(Date.parse(afterwards.at(-2)?.to ?? '')).toBe(stopped + 1000);
    expect(Date.parse(afterwards.at(-1)?.from ?? '')).toBeGreaterThan(stopped + 180 * minute);
    expect(Date.parse(afterwards.at(-1)?.to ?? '')).toBe(clock.now());
    expect((await read(id)).active).toBe(true);
  });

  test('a change of interval leaves the past as it was', async () => {
    const { send, list, states, clock } = await started();
    const id = (await list())[1]?.id ?? 0;
    await clock.advance(minute);
    const from = '?from=2020-01-01T00:00:00Z';
    const past = async () =>
      (await send<Report>('GET', `${path}/${id}/report/status${from}`)).body.report.states;
    const before = await past();

    await send('PUT', `${path}/${id}`, { json: { interval: 20 } });

    expect(await past()).toEqual(before);
    await clock.advance(60 * minute);
    expect((await past()).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect((await states(id)).at(-1)?.to).toBe(
      new Date(clock.now()).toISOString().replace('.000', ''),
    );
  });

  test.each([
    ['an empty name', { name: '' }],
    ['two go_to steps', { steps: [script.steps[0], script.steps[0]] }],
    ['steps of a recording', { steps: recording.steps }],
    ['metadata', { metadata: { width: 5 } }],
    ['an unknown contact', { contact_ids: [1] }],
    ['a fraction', { send_notification_when_down: 1.5 }],
    ['a number for a boolean', { active: 1 }],
  ])('refuses to give a script %s', async (_what, json) => {
    const { send, list, read } = await started();
    const id = (await list())[0]?.id ?? 0;
    const before = await read(id);

    expect((await send('PUT', `${path}/${id}`, { json })).status).toBe(400);
    expect(await read(id)).toEqual(before);
  });
});

describe('deleting a transaction', () => {
  test('takes it out of the list and of every report', async () => {
    const { send, list } = await started();
    const [, failing] = await list();
    const id = failing?.id ?? 0;

    const { status, body } = await send('DELETE', `${path}/${id}`);

    expect(status).toBe(200);
    expect(body).toEqual({ message: 'Deletion of check was successful!' });
    expect((await list()).map((entry) => entry.id)).not.toContain(id);
    const { report } = (
      await send<{ report: { check_id: number }[] }>('GET', `${path}/report/status`)
    ).body;
    expect(report).toHaveLength(2);
    expect(report.map((entry) => entry.check_id)).not.toContain(id);
    for (const gone of [`/${id}`, `/${id}/report/status`, `/${id}/report/performance`]) {
      expect((await send('GET', path + gone)).status).toBe(404);
    }
  });

  test('does not give its identifier to another', async () => {
    const { send, create } = await started();
    const id = await create(script);

    await send('DELETE', `${path}/${id}`);

    expect(await create(script)).toBe(id + 1);
  });
});

test('identifiers of transactions and of checks never meet', async () => {
  const { sandbox } = await started({ checks: 25_000, transactions: 2_500 });

  const checkIds = new Set(sandbox.world.checks.map(({ id }) => id));
  const ids = sandbox.world.transactions.all.map(({ id }) => id);
  expect(ids.filter((id) => checkIds.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(2_500);
});
