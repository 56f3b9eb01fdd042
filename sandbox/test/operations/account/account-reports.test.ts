import { describe, expect, test } from 'vitest';
import { refused, startTestSandbox } from '../../start-test-sandbox.ts';

interface Subscription {
  readonly id: number;
  readonly name: string;
  readonly [attribute: string]: unknown;
}
interface Banner {
  readonly id: string;
  readonly checkid: number;
  readonly [attribute: string]: unknown;
}
interface PublicReport {
  readonly checkid: number;
  readonly checkname: string;
  readonly reporturl: string;
}

async function started() {
  const { send, sandbox } = await startTestSandbox();
  return {
    send,
    checks: sandbox.world.checks,
    subscriptions: async (version = '2.1') =>
      (
        await send<{ subscriptions: readonly Subscription[] }>(
          'GET',
          `/api/${version}/reports.email`,
        )
      ).body.subscriptions,
    published: async () =>
      (await send<{ public: readonly PublicReport[] }>('GET', '/api/2.1/reports.public')).body
        .public,
    banners: async () =>
      (await send<{ shared: { banners: readonly Banner[] } }>('GET', '/api/2.1/reports.shared'))
        .body.shared.banners,
    deleteCheck: (id: number | undefined) => send('DELETE', `/api/3.1/checks/${id}`),
  };
}

describe('reports by e-mail', () => {
  const path = '/api/2.1/reports.email';

  test('have the attributes of their version', async () => {
    const { subscriptions, checks } = await started();

    const [overview, first] = await subscriptions('2.1');
    const [, legacy] = await subscriptions('2.0');

    expect(overview).toEqual({
      id: expect.any(Number),
      name: 'All checks',
      type: 'overview',
      frequency: 'monthly',
      additionalemails: [],
      include_paused: true,
    });
    const { include_paused, ...common } = first as Subscription;
    expect(include_paused).toBe(false);
    expect(common).toEqual({
      id: expect.any(Number),
      name: 'Check 1',
      type: 'uptime',
      checkid: checks[0]?.id,
      frequency: 'weekly',
      additionalemails: ['board@example.com'],
    });
    expect(legacy).toEqual({ ...common, contactids: [expect.any(Number)] });
  });

  test('are created with the documented defaults, modified and deleted', async () => {
    const { send, subscriptions, checks } = await started();
    const before = await subscriptions();

    await send('POST', path, { form: { name: 'Mine' } });

    const created = (await subscriptions()).at(-1) as Subscription;
    expect(created).toEqual({
      id: created.id,
      name: 'Mine',
      type: 'overview',
      frequency: 'monthly',
      additionalemails: [],
      include_paused: true,
    });
    const modified = await send('PUT', `${path}/${created.id}`, {
      form: {
        checkid: String(checks[5]?.id),
        frequency: 'daily',
        additionalemails: 'a@example.com,b@example.com',
        include_paused: 'false',
      },
    });
    expect(modified.status).toBe(200);
    expect((await subscriptions()).at(-1)).toEqual({
      id: created.id,
      name: 'Mine',
      type: 'uptime',
      checkid: checks[5]?.id,
      frequency: 'daily',
      additionalemails: ['a@example.com', 'b@example.com'],
      include_paused: false,
    });
    expect((await send('DELETE', `${path}/${created.id}`)).status).toBe(200);
    expect(await subscriptions()).toEqual(before);
    expect((await send('DELETE', `${path}/${created.id}`)).status).toBe(404);
    expect((await send('PUT', `${path}/${created.id}`, { form: {} })).status).toBe(404);
  });

  test('go with their check', async () => {
    const { subscriptions, checks, deleteCheck } = await started();

    await deleteCheck(checks[0]?.id);

    expect((await subscriptions()).map(({ name }) => name)).toEqual(['All checks', 'Check 2']);
  });

  test.each([
    ['2.1', {}, 400, 'Parameter name is required'],
    [
      '2.1',
      { name: 'x', frequency: 'hourly' },
      400,
      'Parameter frequency must be one of monthly, weekly, daily, not "hourly"',
    ],
    [
      '2.1',
      { name: 'x', additionalemails: 'a@b,c' },
      400,
      'Parameter additionalemails must be e-mail addresses, not "c"',
    ],
    ['2.0', { name: 'x', contactids: '1' }, 400, 'No contact has the identifier 1'],
    ['2.1', { name: 'x', checkid: '1' }, 403, 'Invalid check identifier'],
  ])('of version %s are not created with %j', async (version, form, status, errormessage) => {
    const { send, subscriptions } = await started();
    const before = await subscriptions();

    expect(await send('POST', `/api/${version}/reports.email`, { form })).toMatchObject(
      refused(status, errormessage),
    );
    expect(await subscriptions()).toEqual(before);
  });
});

describe('public reports', () => {
  const path = '/api/2.0/reports.public';

  test('are published and withdrawn', async () => {
    const { send, published, checks } = await started();
    const { id = 0, name } = checks[12] ?? {};
    const before = await published();

    expect((await send('PUT', `${path}/${id}`)).status).toBe(200);
    expect((await send('PUT', `${path}/${id}`)).status).toBe(200);
    const after = await published();
    expect((await send('DELETE', `${path}/${id}`)).status).toBe(200);

    expect(before).toHaveLength(3);
    expect(after).toEqual([
      ...before,
      { checkid: id, checkname: name, reporturl: expect.stringMatching(/^https:\/\//) },
    ]);
    expect(await published()).toEqual(before);
  });

  test('are of checks there are', async () => {
    const { send, published, checks, deleteCheck } = await started();

    expect((await send('PUT', `${path}/1`)).status).toBe(403);
    await deleteCheck(checks[1]?.id);

    expect((await published()).map(({ checkid }) => checkid)).toEqual([
      checks[0]?.id,
      checks[2]?.id,
    ]);
  });
});

describe('shared reports', () => {
  const path = '/api/2.1/reports.shared';
  const period = {
    fromyear: '2024',
    frommonth: '2',
    fromday: '29',
    toyear: '2024',
    tomonth: '3',
    today: '1',
  };

  test('are created and deleted', async () => {
    const { send, banners, checks } = await started();
    const before = await banners();
    const checkid = checks[3]?.id ?? 0;
    const form = { sharedtype: 'banner', checkid: String(checkid) };

    await send('POST', path, { form });
    await send('POST', path, { form: { ...form, ...period, auto: 'false', type: 'response' } });

    const [current, fixed] = (await banners()).slice(before.length);
    const common = {
      id: expect.stringMatching(/^\d+$/),
      name: checks[3]?.name,
      checkid,
      url: expect.stringMatching(/^https:\/\//),
    };
    expect(current).toEqual({ ...common, auto: true, type: 'uptime' });
    expect(fixed).toEqual({
      ...common,
      auto: false,
      type: 'response',
      fromyear: 2024,
      frommonth: 2,
      fromday: 29,
      toyear: 2024,
      tomonth: 3,
      today: 1,
    });
    for (const banner of [current, fixed]) {
      expect((await send('DELETE', `${path}/${banner?.id}`)).status).toBe(200);
      expect((await send('DELETE', `${path}/${banner?.id}`)).status).toBe(404);
    }
    expect(await banners()).toEqual(before);
  });

  test('go with their check', async () => {
    const { banners, checks, deleteCheck } = await started();
    expect((await banners()).map(({ checkid }) => checkid)).toContain(checks[0]?.id);

    await deleteCheck(checks[0]?.id);

    expect((await banners()).map(({ checkid }) => checkid)).not.toContain(checks[0]?.id);
  });

  test.each([
    [{ sharedtype: '' }, 'Parameter sharedtype must be one of banner, not ""'],
    [{ sharedtype: 'page' }, 'Parameter sharedtype must be one of banner, not "page"'],
    [{ checkid: '' }, 'Parameter checkid must be a whole number of 0 or more, not ""'],
    [{ type: 'both' }, 'Parameter type must be one of uptime, response, not "both"'],
    [{ auto: 'false' }, 'Parameter fromyear is required'],
    [
      { ...period, auto: 'false', fromday: '30' },
      'Parameter fromday must be a day of the month, not 30',
    ],
    [
      { ...period, auto: 'false', tomonth: '13' },
      'Parameter tomonth must be a whole number from 1 to 12, not "13"',
    ],
    [{ ...period, auto: 'false', toyear: '2023' }, 'The period must not end before it begins'],
  ])('are not created with %j', async (wrong, errormessage) => {
    const { send, banners, checks } = await started();
    const before = await banners();
    const form = { sharedtype: 'banner', checkid: String(checks[0]?.id), ...wrong };

    expect(await send('POST', path, { form })).toMatchObject(refused(400, errormessage));
    expect(await banners()).toEqual(before);
  });

  test.each(Object.keys(period))('with a period of its own requires %s', async (name) => {
    const { send, checks } = await started();
    const { [name]: _left, ...rest } = period as Record<string, string>;
    const form = { sharedtype: 'banner', checkid: String(checks[0]?.id), auto: 'false', ...rest };

    expect(await send('POST', path, { form })).toMatchObject(
      refused(400, `Parameter ${name} is required`),
    );
  });
});
