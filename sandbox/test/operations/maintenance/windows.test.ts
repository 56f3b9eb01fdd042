import { describe, expect, test } from 'vitest';
import { refused } from '../../start-test-sandbox.ts';
import { maintainedSandbox, type WireWindow, windowsPath } from './maintaining.ts';

const hour = 3600;
const day = 24 * hour;

describe('the windows an account starts with', () => {
  test('are over, going on and to come, once and recurring', async () => {
    const { windows, occurrences, now } = await maintainedSandbox();

    const all = await windows();
    const known = await occurrences('?from=0');

    expect(new Set(all.map(({ recurrencetype }) => recurrencetype))).toEqual(
      new Set(['none', 'day', 'week', 'month']),
    );
    expect(all.some(({ effectiveto }) => effectiveto < now)).toBe(true);
    expect(known.some(({ from, to }) => from <= now && now < to)).toBe(true);
    expect(all.some(({ from }) => from > now)).toBe(true);
    for (const { id } of all) {
      expect(known.some(({ maintenanceid }) => maintenanceid === id)).toBe(true);
    }
  });

  test('have the documented attributes, and checks of the account', async () => {
    const { windows, window, sandbox } = await maintainedSandbox();

    const all = await windows();

    for (const each of all) {
      expect(each).toEqual({
        id: expect.any(Number),
        description: expect.any(String),
        from: expect.any(Number),
        to: expect.any(Number),
        recurrencetype: expect.toBeOneOf(['none', 'day', 'week', 'month']),
        repeatevery: expect.any(Number),
        effectiveto: expect.any(Number),
        checks: { uptime: expect.any(Array), tms: expect.any(Array) },
      });
      expect(await window(each.id)).toEqual(each);
      for (const id of each.checks.uptime) expect(sandbox.world.check(id)).toBeDefined();
      for (const id of each.checks.tms) expect(sandbox.world.transactions.find(id)).toBeDefined();
    }
    expect(all.some(({ checks }) => checks.uptime.length > 0)).toBe(true);
    expect(all.some(({ checks }) => checks.tms.length > 0)).toBe(true);
  });

  test('lose the checks that are deleted', async () => {
    const { windows, send } = await maintainedSandbox();
    const gone = (await windows())[0]?.checks.uptime[0] ?? 0;

    await send('DELETE', `/api/3.1/checks/${gone}`);

    for (const { checks } of await windows()) expect(checks.uptime).not.toContain(gone);
  });

  test('are in 2.1, and not in 2.0', async () => {
    const { send, windows } = await maintainedSandbox();

    expect((await send('GET', '/api/2.1/maintenance')).body).toEqual({
      maintenance: await windows(),
    });
    expect((await send('GET', '/api/2.0/maintenance')).status).toBe(404);
    expect((await send('GET', '/api/2.1/maintenance.occurrences')).status).toBe(404);
  });
});

describe('the list', () => {
  test.each<[string, (window: WireWindow) => string | number]>([
    ['description', ({ description }) => description],
    ['from', ({ from }) => from],
    ['to', ({ to }) => to],
    ['effectiveto', ({ effectiveto }) => effectiveto],
  ])('is sorted by %s, either way', async (key, value) => {
    const { windows } = await maintainedSandbox();

    const rising = (await windows(`?orderby=${key}`)).map(value);
    const falling = (await windows(`?orderby=${key}&order=desc`)).map(value);

    const sorted = (await windows()).map(value).toSorted((a, b) => (a < b ? -1 : 1));
    expect(rising).toEqual(sorted);
    expect(falling).toEqual(sorted.toReversed());
  });

  test.each([
    ['requested', 55],
    ['50', 50],
  ] as const)('has as many windows on a page as %s', async (maintenancePage, most) => {
    const { create, windows } = await maintainedSandbox({ maintenancePage });
    for (let count = 0; count < 55; count++) await create({});
    expect((await windows('?limit=55')).length).toBe(most);
    expect((await windows('?limit=2')).length).toBe(2);
  });

  test('is paged', async () => {
    const { windows } = await maintainedSandbox();
    const all = await windows();

    expect(await windows('?limit=2&offset=1')).toEqual(all.slice(1, 3));
    expect(await windows('?offset=4')).toEqual(all.slice(4));
  });

  test.each([
    ['order=desc', 'Parameter order requires parameter orderby'],
    ['orderby=id', 'Parameter orderby must be one of description, from, to, effectiveto, not "id"'],
    ['orderby=to&order=up', 'Parameter order must be one of asc, desc, not "up"'],
    ['limit=0', 'Parameter limit must be a whole number of 1 or more, not "0"'],
  ])('refuses %s', async (query, errormessage) => {
    const { send } = await maintainedSandbox();

    expect(await send('GET', `${windowsPath}?${query}`)).toMatchObject(refused(400, errormessage));
  });
});

describe('a new window', () => {
  test('happens once by default', async () => {
    const { create, window, occurrences, now } = await maintainedSandbox();

    const id = await create({});

    expect(await window(id)).toEqual({
      id,
      description: 'Test',
      from: now + hour,
      to: now + 2 * hour,
      recurrencetype: 'none',
      repeatevery: 0,
      effectiveto: now + 2 * hour,
      checks: { uptime: [], tms: [] },
    });
    expect(await occurrences(`?maintenanceid=${id}`)).toEqual([
      { id: expect.any(Number), maintenanceid: id, from: now + hour, to: now + 2 * hour },
    ]);
  });

  test('recurs until effectiveto', async () => {
    const { create, occurrences, now, sandbox } = await maintainedSandbox();
    const uptimeids = sandbox.world.checks.slice(0, 2).map(({ id }) => id);
    const tmsids = sandbox.world.transactions.all.slice(0, 1).map(({ id }) => id);

    const id = await create({
      recurrencetype: 'day',
      repeatevery: 2,
      effectiveto: now + 5 * day,
      uptimeids,
      tmsids: tmsids.join(','),
    });

    const starts = (await occurrences(`?maintenanceid=${id}`)).map(({ from }) => from);
    expect(starts).toEqual([now + hour, now + hour + 2 * day, now + hour + 4 * day]);
    expect(sandbox.world.maintenance.windows.find(id)).toMatchObject({ uptimeids, tmsids });
  });

  test('starts now for 1', async () => {
    const { create, window, now } = await maintainedSandbox();

    expect(await window(await create({ from: 1 }))).toMatchObject({ from: now });
  });

  test('in 2.1 comes from a form, and does not recur', async () => {
    const { send, window, now } = await maintainedSandbox();
    const form = `description=Old&from=${now + 60}&to=${now + 120}`;

    const created = await send<{ maintenance: { id: number } }>('POST', '/api/2.1/maintenance', {
      form,
    });
    const refused = await send('POST', '/api/2.1/maintenance', {
      form: `${form}&recurrencetype=day`,
    });

    expect(await window(created.body.maintenance.id)).toMatchObject({ description: 'Old' });
    expect(refused.status).toBe(400);
  });

  test.each<[(now: number) => object, string]>([
    [() => ({ description: undefined }), 'Parameter description is required'],
    [() => ({ description: ' ' }), 'Parameter description is required'],
    [() => ({ from: undefined }), 'Parameter from is required'],
    [() => ({ to: undefined }), 'Parameter to is required'],
    [
      (now) => ({ from: now - 1 }),
      'Parameter from must be a time in the future, or 1 for now, not 1767614399',
    ],
    [
      (now) => ({ to: now - 1 }),
      'Parameter to must be a time in the future, or 1 for now, not 1767614399',
    ],
    [
      (now) => ({ from: now + 60, to: now + 60 }),
      'Parameter to must be after parameter from, 1767614460, not 1767614460',
    ],
    [
      () => ({ from: 1, to: 1 }),
      'Parameter to must be after parameter from, 1767614400, not 1767614400',
    ],
    [
      (now) => ({ effectiveto: now + 7199 }),
      'Parameter effectiveto must be 1767621600 or later, not 1767621599',
    ],
    [
      (now) => ({ effectiveto: now + 11 * 366 * day }),
      'Parameter effectiveto must be within ten years of 1767618000, not 2115460800',
    ],
    [
      () => ({ recurrencetype: 'year' }),
      'Parameter recurrencetype must be one of none, day, week, month, not "year"',
    ],
    [
      () => ({ repeatevery: -1 }),
      'Parameter repeatevery must be a whole number from 0 to 365, not -1',
    ],
    [() => ({ uptimeids: [7] }), 'Parameter uptimeids names 7, which is no check'],
    [() => ({ tmsids: '7' }), 'Parameter tmsids names 7, which is no transaction check'],
  ])('is refused with fields that make no sense (%#)', async (fields, errormessage) => {
    const { send, now, windows } = await maintainedSandbox();
    const before = await windows();
    const json = { description: 'Test', from: now + 3600, to: now + 7200, ...fields(now) };

    expect(await send('POST', windowsPath, { json })).toMatchObject(refused(400, errormessage));
    expect(await windows()).toEqual(before);
  });
});

describe('modifying a window', () => {
  test('overwrites what is given and leaves the rest', async () => {
    const { create, modify, window, occurrences } = await maintainedSandbox();
    const id = await create({});
    const before = await window(id);
    const planned = await occurrences(`?maintenanceid=${id}`);

    const { status, body } = await modify(id, { description: 'Other' });

    expect(status).toBe(200);
    expect(body).toEqual({ message: 'Maintenance window successfully modified!' });
    expect(await window(id)).toEqual({ ...before, description: 'Other' });
    expect(await occurrences(`?maintenanceid=${id}`)).toEqual(planned);
  });

  test('plans future occurrences again, and keeps past ones', async () => {
    const { create, modify, occurrences, now, clock } = await maintainedSandbox();
    const id = await create({ recurrencetype: 'day', effectiveto: now + 5 * day });
    const first = (await occurrences(`?maintenanceid=${id}`))[0];
    await clock.advance(1.5 * day * 1000);

    await modify(id, { recurrencetype: 'week', effectiveto: now + 16 * day });

    const all = await occurrences(`?maintenanceid=${id}&from=0`);
    expect(all.map(({ from }) => from)).toEqual([
      now + hour,
      now + hour + day,
      now + hour + 7 * day,
      now + hour + 14 * day,
    ]);
    expect(all[0]).toEqual(first);
  });

  test('ends one that is going on with 1', async () => {
    const { create, modify, window, occurrences, now, clock } = await maintainedSandbox();
    const id = await create({ from: 1 });
    await clock.advance(600_000);

    const { status } = await modify(id, { to: 1 });

    expect(status).toBe(200);
    expect(await window(id)).toMatchObject({ from: now, to: now + 600, effectiveto: now + 600 });
    expect(await occurrences(`?maintenanceid=${id}`)).toEqual([]);
    expect(await occurrences(`?maintenanceid=${id}&from=${now}`)).toMatchObject([
      { from: now, to: now + 600 },
    ]);
  });

  test('may repeat times that are past already', async () => {
    const { create, modify, window, now, clock } = await maintainedSandbox();
    const id = await create({ from: 1 });
    await clock.advance(600_000);

    const { status } = await modify(id, { description: 'Longer', from: now, to: now + 9000 });

    expect(status).toBe(200);
    expect(await window(id)).toMatchObject({ description: 'Longer', to: now + 9000 });
  });

  test('into the past is refused', async () => {
    const { create, modify, window, now } = await maintainedSandbox();
    const id = await create({});
    const before = await window(id);

    const { status } = await modify(id, { from: now - 60 });

    expect(status).toBe(400);
    expect(await window(id)).toEqual(before);
  });
});

describe('deleting', () => {
  test('takes a future window with its occurrences', async () => {
    const { create, send, occurrences } = await maintainedSandbox();
    const id = await create({});

    const { status, body } = await send('DELETE', `${windowsPath}/${id}`);

    expect(status).toBe(200);
    expect(body).toEqual({ message: 'Maintenance window successfully deleted!' });
    expect((await send('GET', `${windowsPath}/${id}`)).status).toBe(404);
    expect(await occurrences(`?maintenanceid=${id}`)).toEqual([]);
  });

  test('spares windows that have begun', async () => {
    const { create, send } = await maintainedSandbox();
    const id = await create({ from: 1 });

    expect(await send('DELETE', `${windowsPath}/${id}`)).toMatchObject(
      refused(400, `Maintenance window ${id} cannot be deleted: it does not lie in the future`),
    );
    expect((await send('GET', `${windowsPath}/${id}`)).status).toBe(200);
  });

  test.each<[string, (ids: readonly number[]) => readonly [string, object]]>([
    ['an array', (ids) => [windowsPath, { json: { maintenanceids: ids } }]],
    ['the query', (ids) => [`${windowsPath}?maintenanceids=${ids.join(',')}`, {}]],
    ['a form of 2.1', (ids) => ['/api/2.1/maintenance', { form: { maintenanceids: ids.join() } }]],
  ])('takes many by %s', async (_how, requestOf) => {
    const { create, send, windows } = await maintainedSandbox();
    const before = await windows();
    const ids = [await create({}), await create({})];

    const { status } = await send('DELETE', ...requestOf(ids));

    expect(status).toBe(200);
    expect(await windows()).toEqual(before);
  });

  test('takes none of many if one has begun', async () => {
    const { create, send, window } = await maintainedSandbox();
    const [future, present] = [await create({}), await create({ from: 1 })];

    const json = { maintenanceids: [future, present] };
    const { status } = await send('DELETE', windowsPath, { json });

    expect(status).toBe(400);
    expect(await window(future)).toMatchObject({ id: future });
  });

  test('many needs to know which', async () => {
    const { send } = await maintainedSandbox();

    expect(await send('DELETE', windowsPath)).toMatchObject(
      refused(400, 'Parameter maintenanceids is required'),
    );
  });
});

test.each(['GET', 'PUT', 'DELETE'] as const)('%s of a window there is not', async (method) => {
  const { send } = await maintainedSandbox();

  expect(await send(method, `${windowsPath}/7`)).toMatchObject(
    refused(404, 'There is no maintenance window 7'),
  );
});
