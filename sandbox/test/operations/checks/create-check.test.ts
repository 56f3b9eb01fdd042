import { describe, expect, test } from 'vitest';
import { refused } from '../../start-test-sandbox.ts';
import { checksPath, writingSandbox } from './check-writing.ts';

const http = { name: 'Shop', host: 'shop.example.com', type: 'http' };

describe('a new check', () => {
  test('has the documented defaults', async () => {
    const { create, detail, clock } = await writingSandbox();
    const now = clock.now() / 1000;

    const check = await detail(await create(http));

    expect(check).toMatchObject({
      name: 'Shop',
      hostname: 'shop.example.com',
      created: now,
      resolution: 5,
      ipv6: false,
      sendnotificationwhendown: 2,
      notifyagainevery: 0,
      notifywhenbackup: true,
      responsetime_threshold: 30_000,
      probe_filters: [],
      integrationids: [],
      type: {
        http: {
          url: '/',
          encryption: false,
          port: 80,
          verify_certificate: true,
          ssl_down_days_before: 0,
        },
      },
    });
    expect(check).not.toHaveProperty('custom_message');
    expect(check).not.toHaveProperty('teams');
  });

  test('is tested from then on, as History and list tell alike', async () => {
    const { create, list, sandbox, clock } = await writingSandbox();
    const now = clock.now() / 1000;
    const id = await create({ resolution: 1 });

    await clock.advance(180_000);
    const entry = (await list()).checks.at(-1);
    const check = sandbox.world.check(id);
    if (check === undefined) throw new Error('no check');

    expect(entry).toMatchObject({ id, resolution: 1, lasttesttime: now + 180, status: 'up' });
    const times = [...sandbox.history.results(check, 0, now + 181)].map(({ time }) => time);
    expect(times).toEqual([now, now + 60, now + 120, now + 180]);
  });

  test('can be paused from the start: it is never tested', async () => {
    const { create, detail, clock } = await writingSandbox();
    const id = await create({ paused: true, resolution: 1 });

    await clock.advance(600_000);
    const check = await detail(id);

    expect(check.status).toBe('paused');
    expect(check).not.toHaveProperty('lasttesttime');
  });

  test('stands last in the list with an identifier larger than all, and in its counts', async () => {
    const { create, list } = await writingSandbox();
    const before = (await list()).checks.map(({ id }) => id);

    const first = await create({ tags: ['fresh'] });
    const second = await create({ tags: ['fresh', 'prod'] });
    const { checks, counts } = await list();
    const tagged = await list('?tags=fresh&include_tags=true');

    expect(checks.map(({ id }) => id)).toEqual([...before, first, second]);
    expect([...before, first, second].toSorted((a, b) => a - b)).toEqual([
      ...before,
      first,
      second,
    ]);
    expect(counts).toEqual({ total: 26, limited: 26, filtered: 26 });
    expect(tagged.checks.map(({ id }) => id)).toEqual([first, second]);
    expect(tagged.checks[0]?.tags).toEqual([
      { name: 'http', type: 'a', count: expect.any(Number) },
      { name: 'fresh', type: 'u', count: 2 },
    ]);
  });

  test('takes one of the checks the plan allows, as long as there are any', async () => {
    const { create, send, sandbox } = await writingSandbox({ checks: 48 });
    const credits = async () => (await send('GET', '/api/3.1/credits')).body;

    expect(await credits()).toMatchObject({
      credits: { checklimit: 50, useddefault: 48, availablechecks: 2 },
    });
    await create({});
    await create({});

    expect(await send('POST', checksPath, { json: http })).toMatchObject(
      refused(403, 'The account has reached its limit of 50 checks'),
    );
    expect(await credits()).toMatchObject({
      credits: { checklimit: 50, useddefault: 50, availablechecks: 0 },
    });
    expect(sandbox.world.checks).toHaveLength(50);
  });

  test('shows all that was set', async () => {
    const { create, detail, sandbox } = await writingSandbox();
    const [team] = sandbox.world.people.teams.all;
    const [person] = sandbox.world.people.people.all;

    const check = await detail(
      await create({
        auth: 'joe:pass:word',
        custom_message: 'Call 555',
        encryption: true,
        port: 8443,
        url: '/cart',
        shouldcontain: 'total',
        postdata: 'a=1&b=2',
        requestheaders: ['Accept:text/html, */*'],
        requestheaders2: 'X-Key: v:w',
        verify_certificate: false,
        ssl_down_days_before: 14,
        integrationids: [11, 12],
        ipv6: true,
        notifyagainevery: 3,
        notifywhenbackup: false,
        probe_filters: ['region:EU', 'region: NA'],
        responsetime_threshold: 1500,
        sendnotificationwhendown: 4,
        teamids: String(team?.id),
        userids: `${person?.id}`,
      }),
      '3.1',
      '?include_teams=true',
    );

    expect(check).toMatchObject({
      custom_message: 'Call 555',
      integrationids: [11, 12],
      ipv6: true,
      notifyagainevery: 3,
      notifywhenbackup: false,
      probe_filters: ['region:EU', 'region:NA'],
      responsetime_threshold: 1500,
      sendnotificationwhendown: 4,
      teams: [{ id: team?.id, name: team?.name }],
      userids: [person?.id],
      type: {
        http: {
          username: 'joe',
          password: 'pass:word',
          url: '/cart',
          encryption: true,
          port: 8443,
          shouldcontain: 'total',
          postdata: 'a=1&b=2',
          requestheaders: { Accept: 'text/html, */*', 'X-Key': 'v:w' },
          verify_certificate: false,
          ssl_down_days_before: 14,
        },
      },
    });
  });
});

test.each<[string, object, object]>([
  ['httpcustom', { url: '/status.xml' }, { url: '/status.xml', encryption: false, port: 80 }],
  [
    'httpcustom',
    { url: '/s', additionalurls: 'a.example.com/1;b.example.com/2' },
    { url: '/s', additionalurls: ['a.example.com/1', 'b.example.com/2'] },
  ],
  ['tcp', { port: 22, stringtoexpect: 'SSH' }, { port: 22, stringtoexpect: 'SSH' }],
  ['ping', {}, {}],
  [
    'dns',
    { expectedip: '192.0.2.1', nameserver: 'ns.example.com' },
    { expectedip: '192.0.2.1', nameserver: 'ns.example.com' },
  ],
  [
    'udp',
    { port: 53, stringtosend: 'a', stringtoexpect: 'b' },
    { port: 53, stringtosend: 'a', stringtoexpect: 'b' },
  ],
  ['smtp', { auth: 'u:p' }, { port: 25, encryption: false, username: 'u', password: 'p' }],
  ['pop3', {}, { port: 110, encryption: false }],
  ['imap', { stringtoexpect: '* OK' }, { port: 143, encryption: false, stringtoexpect: '* OK' }],
])('a check of type %s with %o has its settings and defaults', async (type, given, shown) => {
  const { create, detail } = await writingSandbox();

  const check = await detail(await create({ type, ...given }));

  expect(Object.keys(check.type as object)).toEqual([type]);
  expect((check.type as Record<string, object>)[type]).toMatchObject(shown);
});

test.each([
  ['192.0.2.7', true, false],
  ['2001:db8::7', false, true],
  ['a.example.com', true, true],
])('for host %s and ipv6 %s, ipv6 is %s', async (host, ipv6, shown) => {
  const { create, detail } = await writingSandbox();

  expect(await detail(await create({ host, ipv6 }))).toMatchObject({ hostname: host, ipv6: shown });
});

const long = 'x'.repeat(65);
test.each<[object, string]>([
  [{ name: undefined }, 'Parameter name is required'],
  [{ name: '' }, 'Parameter name is required'],
  [{ host: undefined }, 'Parameter host is required'],
  [{ type: undefined }, 'Parameter type is required'],
  [
    { type: 'carrier-pigeon' },
    'Parameter type must be one of http, httpcustom, tcp, ping, dns, udp, smtp, pop3, imap, not "carrier-pigeon"',
  ],
  [
    { host: 'https://a.example.com' },
    'Parameter host must be a host name or IP address, not "https://a.example.com"',
  ],
  [{ resolution: 2 }, 'Parameter resolution must be one of 1, 5, 15, 30, 60, not 2'],
  [{ port: 0 }, 'Parameter port must be a whole number from 1 to 65535, not 0'],
  [{ port: 65_536 }, 'Parameter port must be a whole number from 1 to 65535, not 65536'],
  [{ paused: 'maybe' }, 'Parameter paused must be true or false, not "maybe"'],
  [
    { shouldcontain: 'a', shouldnotcontain: 'b' },
    'Parameters shouldcontain and shouldnotcontain exclude each other',
  ],
  [{ tags: ['ok', long] }, `A tag has at most 64 characters, not "${long}"`],
  [
    { probe_filters: ['region:MOON'] },
    'Parameter probe_filters takes region:EU, region:NA, region:APAC, region:LATAM, not "region:MOON"',
  ],
  [
    { probe_filters: ['country:SE'] },
    'Parameter probe_filters takes region:EU, region:NA, region:APAC, region:LATAM, not "country:SE"',
  ],
  [{ auth: 'joe' }, 'Parameter auth must be a username and a password with a colon between'],
  [
    { requestheaders: ['no header'] },
    'Parameter requestheaders must be headers as Name:Value, not "no header"',
  ],
  [
    { responsetime_threshold: 0 },
    'Parameter responsetime_threshold must be a whole number of 1 or more, not 0',
  ],
  [
    { sendnotificationwhendown: -1 },
    'Parameter sendnotificationwhendown must be a whole number of 0 or more, not -1',
  ],
  [{ teamids: '999' }, 'Parameter teamids names 999, which is no team'],
  [{ userids: '999' }, 'Parameter userids names 999, which is no person'],
  [{ type: 'tcp' }, 'Parameter port is required'],
  [{ type: 'httpcustom' }, 'Parameter url is required'],
  [{ type: 'dns', expectedip: '192.0.2.1' }, 'Parameter nameserver is required'],
  [{ type: 'dns', nameserver: 'ns.example.com' }, 'Parameter expectedip is required'],
  [{ type: 'udp', port: 5, stringtosend: 'a' }, 'Parameter stringtoexpect is required'],
  [{ type: 'udp', port: 5, stringtoexpect: 'a' }, 'Parameter stringtosend is required'],
  [{ type: 'ping', port: 5 }, 'Parameter port does not apply to checks of type ping'],
  [
    { type: 'dns', requestheader1: 'a:b' },
    'Parameter requestheader1 does not apply to checks of type dns',
  ],
])('refuses %o, and no check is created', async (given, errormessage) => {
  const { send, sandbox } = await writingSandbox();

  expect(await send('POST', checksPath, { json: { ...http, ...given } })).toMatchObject(
    refused(400, errormessage),
  );
  expect(sandbox.world.checks).toHaveLength(24);
});

test('a tag of 64 characters of any script is allowed', async () => {
  const { create, list } = await writingSandbox();

  await create({ tags: ['🚀'.repeat(64)] });

  expect((await list(`?tags=${'🚀'.repeat(64)}`)).checks).toHaveLength(1);
});
