import { describe, expect, test } from 'vitest';
import { refused } from '../../start-test-sandbox.ts';
import { checksPath, writingSandbox } from './check-writing.ts';

const done = { message: 'Modification of check was successful!' };

describe('modifying a check', () => {
  test('overwrites what is given and leaves the rest', async () => {
    const { create, modify, detail } = await writingSandbox();
    const id = await create({ url: '/a', notifyagainevery: 2, tags: ['one'], auth: 'u:p' });
    const before = await detail(id);

    const { status, body } = await modify(id, { name: 'Renamed', url: '/b' });

    expect([status, body]).toEqual([200, done]);
    expect(await detail(id)).toEqual({
      ...before,
      name: 'Renamed',
      type: { http: { ...(before.type as { http: object }).http, url: '/b' } },
    });
  });

  test('clears with an empty value', async () => {
    const { create, modify, detail } = await writingSandbox();
    const id = await create({
      auth: 'u:p',
      custom_message: 'hello',
      notifyagainevery: 7,
      port: 8080,
      probe_filters: ['region:EU'],
      requestheaders: ['A:b'],
      resolution: 60,
      shouldcontain: 'x',
      tags: ['one'],
    });

    const empty = '';
    await modify(id, {
      auth: empty,
      custom_message: empty,
      notifyagainevery: empty,
      port: null,
      probe_filters: [],
      requestheaders: [],
      resolution: empty,
      shouldcontain: empty,
      tags: empty,
    });
    const check = await detail(id);

    expect(check).toMatchObject({ notifyagainevery: 0, probe_filters: [], resolution: 5 });
    expect(check.tags).toEqual([{ name: 'http', type: 'a', count: expect.any(Number) }]);
    expect(check).not.toHaveProperty('custom_message');
    expect(check.type).toEqual({
      http: {
        url: '/',
        encryption: false,
        port: 80,
        verify_certificate: true,
        ssl_down_days_before: 0,
      },
    });
  });

  test('adds tags, or puts others in their place, and the counts follow', async () => {
    const { create, modify, list } = await writingSandbox();
    const first = await create({ tags: ['one'] });
    const second = await create({ tags: ['one'] });

    await modify(first, { addtags: ['two', 'one'] });
    const added = await list('?include_tags=true&tags=one');
    await modify(first, { tags: ['two'] });
    const replaced = await list('?include_tags=true&tags=one,two');

    const userTags = ({ checks }: typeof added) =>
      checks.map(({ id, tags }) => [
        id,
        (tags as { type: string }[]).filter((t) => t.type === 'u'),
      ]);
    expect(userTags(added)).toEqual([
      [
        first,
        [
          { name: 'one', type: 'u', count: 2 },
          { name: 'two', type: 'u', count: 1 },
        ],
      ],
      [second, [{ name: 'one', type: 'u', count: 2 }]],
    ]);
    expect(userTags(replaced)).toEqual([
      [first, [{ name: 'two', type: 'u', count: 1 }]],
      [second, [{ name: 'one', type: 'u', count: 1 }]],
    ]);
  });

  test('pauses: tests stop, and go on at once when it is resumed', async () => {
    const { create, modify, detail, clock, sandbox } = await writingSandbox();
    const start = clock.now() / 1000;
    const id = await create({ resolution: 1 });

    await clock.advance(90_000);
    await modify(id, { paused: true });
    await modify(id, { paused: true });
    await clock.advance(300_000);
    const paused = await detail(id);
    await modify(id, { paused: false });
    const resumed = await detail(id);
    await modify(id, { paused: false });
    await clock.advance(60_000);

    expect(paused).toMatchObject({ status: 'paused', lasttesttime: start + 60 });
    expect(resumed).toMatchObject({ status: 'up', lasttesttime: start + 390 });
    const check = sandbox.world.check(id);
    if (check === undefined) throw new Error('no check');
    const results = [...sandbox.history.results(check, 0, start + 1000)];
    expect(results.map(({ time }) => time - start)).toEqual(
      expect.arrayContaining([0, 60, 390, 450]),
    );
    expect(sandbox.history.segments(check, start, start + 450, start + 450)).toEqual([
      { status: 'up', from: start, to: start + 90 },
      { status: 'up', from: start + 390, to: start + 450 },
    ]);
  });

  test('sets another resolution: from then on tests come in its rhythm, without a gap', async () => {
    const { create, modify, detail, clock, sandbox } = await writingSandbox();
    const start = clock.now() / 1000;
    const id = await create({ resolution: 5 });

    await clock.advance(400_000);
    await modify(id, { resolution: 1 });
    await clock.advance(125_000);

    expect(await detail(id)).toMatchObject({ resolution: 1, lasttesttime: start + 520 });
    const check = sandbox.world.check(id);
    if (check === undefined) throw new Error('no check');
    const times = [...sandbox.history.results(check, start, start + 526)].map(({ time }) => time);
    expect(times.map((time) => time - start)).toEqual([0, 300, 400, 460, 520]);
    expect(sandbox.history.segments(check, start, start + 525, start + 525)).toEqual([
      { status: 'up', from: start, to: start + 400 },
      { status: 'up', from: start + 400, to: start + 525 },
    ]);
  });

  test('may change a paused check without waking it', async () => {
    const { create, modify, detail, clock } = await writingSandbox();
    const id = await create({ paused: true });

    await modify(id, { resolution: 1, name: 'Still asleep' });
    await clock.advance(600_000);

    expect(await detail(id)).toMatchObject({ status: 'paused', resolution: 1 });
  });

  test('pauses a check that was never tested, too', async () => {
    const { modify, detail, sandbox } = await writingSandbox();
    const untested = sandbox.world.checks.find(({ runs }) => runs.length === 0)?.id ?? 0;
    expect((await detail(untested)).status).toBe('unknown');

    await modify(untested, { paused: true });

    expect((await detail(untested)).status).toBe('paused');
  });

  test('lets shouldnotcontain take the place of shouldcontain', async () => {
    const { create, modify, detail } = await writingSandbox();
    const id = await create({ shouldcontain: 'a' });

    await modify(id, { shouldnotcontain: 'b' });

    const { http } = (await detail(id)).type as { http: object };
    expect(http).toMatchObject({ shouldnotcontain: 'b' });
    expect(http).not.toHaveProperty('shouldcontain');
  });

  test('goes by the version of an IP address as host', async () => {
    const { create, modify, detail } = await writingSandbox();
    const id = await create({ ipv6: true });

    await modify(id, { host: '192.0.2.1' });

    expect(await detail(id)).toMatchObject({ hostname: '192.0.2.1', ipv6: false });
  });

  test('changes others that are listed with it, and ignores invalid identifiers', async () => {
    const { create, modify, detail } = await writingSandbox();
    const [first, second] = [await create({}), await create({ type: 'ping' })];

    await modify(first, { notifyagainevery: 9, checkids: `${second},7,none` });

    expect(await detail(first)).toMatchObject({ notifyagainevery: 9 });
    expect(await detail(second)).toMatchObject({ notifyagainevery: 9 });
  });

  test('changes none when one cannot be changed', async () => {
    const { create, modify, detail } = await writingSandbox();
    const [first, second] = [await create({ url: '/a' }), await create({ type: 'ping' })];

    const { status } = await modify(first, { url: '/b', checkids: [second] });

    expect(status).toBe(400);
    expect((await detail(first)).type).toMatchObject({ http: { url: '/a' } });
  });

  test('works on checks the account started with', async () => {
    const { modify, detail, seeded } = await writingSandbox();

    await modify(seeded('tcp'), { stringtosend: 'hello' });

    expect((await detail(seeded('tcp'))).type).toEqual({
      tcp: { port: 5432, stringtosend: 'hello' },
    });
  });

  test.each<[string, object, string]>([
    ['http', { type: 'ping' }, 'The type of a check cannot be changed; this one is http'],
    ['http', { name: '' }, 'Parameter name is required'],
    ['http', { host: ' ' }, 'Parameter host is required'],
    ['http', { stringtosend: 'a' }, 'Parameter stringtosend does not apply to checks of type http'],
    ['tcp', { port: '' }, 'Parameter port is required'],
    ['udp', { stringtoexpect: '' }, 'Parameter stringtoexpect is required'],
    ['http', { resolution: 10 }, 'Parameter resolution must be one of 1, 5, 15, 30, 60, not 10'],
    [
      'http',
      { addtags: ['y'.repeat(65)] },
      `A tag has at most 64 characters, not "${'y'.repeat(65)}"`,
    ],
  ])('of a %s check to %o is refused', async (type, change, errormessage) => {
    const { modify, detail, seeded } = await writingSandbox();
    const before = await detail(seeded(type));

    expect(await modify(seeded(type), change)).toMatchObject(refused(400, errormessage));
    expect(await detail(seeded(type))).toEqual(before);
  });
});

describe('modifying many checks', () => {
  const doneMany = { message: 'Modification of checks was successful!' };

  test('pauses the listed ones and ignores invalid identifiers', async () => {
    const { send, create, detail } = await writingSandbox();
    const [first, second, third] = [await create({}), await create({}), await create({})];

    const json = { checkids: `${first},999,x,${second}`, paused: true };
    const { status, body } = await send('PUT', checksPath, { json });

    expect([status, body]).toEqual([200, doneMany]);
    expect((await detail(first)).status).toBe('paused');
    expect((await detail(second)).status).toBe('paused');
    expect((await detail(third)).status).toBe('up');
  });

  test('sets the resolution of all when none are listed', async () => {
    const { send, list } = await writingSandbox();

    await send('PUT', checksPath, { json: { resolution: 15 } });

    const { checks } = await list();
    expect(new Set(checks.map(({ resolution }) => resolution))).toEqual(new Set([15]));
  });

  test.each<[object, string]>([
    [{}, 'Parameter paused or resolution is required'],
    [{ resolution: 3 }, 'Parameter resolution must be one of 1, 5, 15, 30, 60, not 3'],
    [{ name: 'all alike' }, 'Unknown parameter name; allowed are: checkids, paused, resolution'],
  ])('to %o is refused', async (json, errormessage) => {
    const { send } = await writingSandbox();

    expect(await send('PUT', checksPath, { json })).toMatchObject(refused(400, errormessage));
  });
});

test.each(['PUT', 'GET', 'DELETE'] as const)('%s of a check there is not', async (method) => {
  const { send } = await writingSandbox();

  expect(await send(method, `${checksPath}/7`)).toMatchObject(
    refused(403, 'Invalid check identifier'),
  );
  expect((await send(method, `${checksPath}/seven`)).status).toBe(400);
});
