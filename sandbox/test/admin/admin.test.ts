import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { adminActions } from '../../src/admin/actions.ts';
import { faultKinds } from '../../src/faults/faults.ts';
import { sandboxOperationNames } from '../../src/operations/operations.ts';
import { refused, startTestSandbox, type WireEntry } from '../start-test-sandbox.ts';
import { freePort } from '../support/free-port.ts';

async function administered() {
  const started = await startTestSandbox({ adminPort: 0 });
  const { adminUrl = '' } = started.sandbox;
  const admin = async (method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown) => {
    const response = await request(adminUrl + path, {
      method,
      ...(json !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      }),
    });
    const body: unknown =
      response.headers['content-type'] === 'text/plain; charset=utf-8'
        ? await response.body.text()
        : await response.body.json();
    return { status: response.statusCode, body };
  };
  const entry = async (position: number) =>
    (await started.get('/api/3.1/checks')).json().checks[position] as WireEntry;
  return { ...started, adminUrl, admin, entry, now: started.clock.now() / 1000 };
}

test('there is no admin listener unless it is asked for', async () => {
  const { sandbox } = await startTestSandbox();

  expect(sandbox).not.toHaveProperty('adminUrl');
});

test('the index tells everything there is to ask for, and every fault', async () => {
  const { admin, adminUrl } = await administered();

  const { status, body: text } = await admin('GET', '/');

  expect(adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(status).toBe(200);
  for (const line of [
    /^GET +\/faults +/m,
    /^POST +\/faults +/m,
    /^DELETE +\/faults +/m,
    /^DELETE +\/faults\/:id +/m,
    /^POST +\/outages +/m,
    /^GET +\/budget +/m,
    /^POST +\/budget +/m,
    /^GET +\/truth\/checks +/m,
    /^GET +\/truth\/checks\/:id +/m,
    /^GET +\/truth\/transactions\/:id +/m,
  ]) {
    expect(text).toMatch(line);
  }
  for (const kind of Object.keys(faultKinds)) expect(text).toContain(`\n${kind} `);
});

const examples = adminActions.flatMap(({ method, path, example }) =>
  method === 'post' && example !== undefined ? [[path, example]] : [],
);
const manual = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const commands = [...manual.matchAll(/POST localhost:9160(\S+) -H '.+' (?:\\\n +)?-d '(.+)'/g)].map(
  ([, path, json]) => [path, json],
);

test.each([...examples, ...commands])(
  'POST %s with %s, as it is shown, works on the account of the default seed',
  async (path = '', json = '') => {
    const { admin } = await administered();

    expect(await admin('POST', path, JSON.parse(json))).toMatchObject({ status: 200 });
  },
);

test('every kind of order is shown in the index and in the manual', () => {
  const paths = ['/budget', '/faults', '/outages'];
  expect(examples.map(([path]) => path).sort()).toEqual(paths);
  expect(commands.map(([path]) => path).sort()).toEqual(paths);
});

test('it is not the service, and costs the account nothing', async () => {
  const { admin, get, sandbox } = await administered();

  expect((await admin('GET', '/api/3.1/checks')).status).toBe(404);
  await admin('GET', '/truth/checks');
  expect((await get('/faults')).status).toBe(404);

  expect(sandbox.limits.reading('short').remaining).toBe(399);
});

describe('faults', () => {
  test('are injected, listed, suffered and cleared', async () => {
    const { admin, get } = await administered();

    const first = await admin('POST', '/faults', { kind: 'status-503', operation: 'list_checks' });
    const second = await admin('POST', '/faults', { kind: 'html', path: '/api/3.1/cre', times: 2 });
    const listed = await admin('GET', '/faults');
    const suffered = [await get('/api/3.1/checks'), await get('/api/3.1/credits')];
    const cleared = await admin('DELETE', '/faults/1');
    const after = await get('/api/3.1/checks');
    await admin('DELETE', '/faults');

    expect([first.body, second.body]).toEqual([{ id: 1 }, { id: 2 }]);
    expect(listed.body).toEqual({
      active: [
        { id: 1, kind: 'status-503', operation: 'list_checks' },
        { id: 2, kind: 'html', path: '/api/3.1/cre', times: 2 },
      ],
      kinds: Object.entries(faultKinds).map(([kind, { description }]) => ({ kind, description })),
      operations: sandboxOperationNames,
    });
    expect(suffered.map(({ status }) => status)).toEqual([503, 200]);
    expect(suffered[1]?.text).toContain('<html>');
    expect(cleared.body).toEqual({
      active: [{ id: 2, kind: 'html', path: '/api/3.1/cre', times: 1 }],
    });
    expect(after.status).toBe(200);
    expect((await admin('GET', '/faults')).body).toMatchObject({ active: [] });
  });

  test.each<[unknown, string | RegExp]>([
    [{}, 'Parameter kind is required'],
    [{ kind: 'gremlin' }, /^Parameter kind must be one of status-500, /],
    [
      { kind: 'html', operation: 'list_cheques' },
      /^Parameter operation must be one of list_checks, create_check, .*, not "list_cheques"$/,
    ],
    [{ kind: 'html', times: 0 }, 'Parameter times must be a whole number of 1 or more, not 0'],
    [
      { kind: 'html', often: 1 },
      'Unknown parameter often; allowed are: kind, operation, path, times',
    ],
  ])('are refused for %o', async (json, errormessage) => {
    const { admin, sandbox } = await administered();

    expect(await admin('POST', '/faults', json)).toMatchObject(refused(400, errormessage));
    expect(sandbox.faults.active).toEqual([]);
  });

  test('that are not in force cannot be cleared', async () => {
    const { admin } = await administered();

    expect(await admin('DELETE', '/faults/5')).toMatchObject(
      refused(404, 'There is no active fault 5'),
    );
  });
});

describe('outages', () => {
  test('begin now and last for so many seconds', async () => {
    const { admin, entry, clock, now } = await administered();
    const { id, status } = await entry(0);
    expect(status).toBe('up');

    const reply = await admin('POST', '/outages', { checkId: id, seconds: 600 });
    await clock.advance(300_000);
    const during = await entry(0);
    await clock.advance(360_000);
    const after = await entry(0);

    expect(reply.body).toEqual({ checkId: id, status: 'down', from: now, to: now + 600 });
    expect(during.status).toBe('down');
    expect(after.status).toBe('up');
    expect(after.lastdownend).toBeGreaterThanOrEqual(now + 600);
  });

  test('may be planned in another state and time, and show in the truth', async () => {
    const { admin, entry, clock, now } = await administered();
    const { id, name } = await entry(0);

    const plan = { checkId: id, status: 'unknown', from: now + 1200, to: now + 2400 };
    await admin('POST', '/outages', plan);
    await clock.advance(3_600_000);
    const truth = await admin('GET', `/truth/checks/${id}?from=${now + 900}&to=${now + 2700}`);

    const { segments, ...rest } = truth.body as {
      segments: { status: string; from: number; to: number }[];
    };
    expect(rest).toEqual({ id, name, from: now + 900, to: now + 2700 });
    expect(segments.map(({ status }) => status)).toEqual(['up', 'unknown', 'up']);
    expect(segments[0]?.from).toBe(now + 900);
    expect(segments[2]?.to).toBe(now + 2700);
    expect((segments[1]?.to ?? 0) - (segments[1]?.from ?? 0)).toBe(1200);
  });

  test('may go on for good', async () => {
    const { admin, entry, now } = await administered();
    const { id } = await entry(0);

    const reply = await admin('POST', '/outages', { checkId: id, from: now - 600 });

    expect(reply.body).toEqual({ checkId: id, status: 'down', from: now - 600 });
    expect((await entry(0)).status).toBe('down');
  });

  test.each<[(id: number) => unknown, string]>([
    [() => ({}), 'Parameter checkId is required'],
    [() => ({ checkId: 7 }), 'No check has the identifier 7; GET /truth/checks lists all checks'],
    [(checkId) => ({ checkId, from: 9, to: 9 }), 'a disturbance from 9 cannot end at 9'],
    [
      (checkId) => ({ checkId, to: 9, seconds: 9 }),
      'Parameters to and seconds are mutually exclusive',
    ],
    [
      (checkId) => ({ checkId, status: 'sideways' }),
      'Parameter status must be one of down, unknown, up, not "sideways"',
    ],
  ])('are refused when they make no sense (%#)', async (json, errormessage) => {
    const { admin, entry } = await administered();
    const { id } = await entry(0);

    expect(await admin('POST', '/outages', json(id))).toMatchObject(refused(400, errormessage));
  });
});

test('another client spends of both windows', async () => {
  const { admin, get } = await administered();

  const reply = await admin('POST', '/budget', { requests: 150 });
  const { headers } = await get('/api/3.1/credits');

  expect(reply.body).toEqual({
    short: { remaining: 250, resetSeconds: 3600 },
    long: { remaining: 71_850, resetSeconds: 2_592_000 },
  });
  expect(headers['req-limit-short']).toBe('Remaining: 249 Time until reset: 3600');
  expect((await admin('GET', '/budget')).body).toMatchObject({ short: { remaining: 249 } });
});

describe('the truth', () => {
  test('of all checks is their present state', async () => {
    const { admin, get } = await administered();

    const { checks } = (await get('/api/3.1/checks')).json();

    expect((await admin('GET', '/truth/checks')).body).toEqual({
      checks: checks.map(({ id, name, status }) => ({ id, name, status })),
    });
  });

  test('of one check is by default that of the last day', async () => {
    const { admin, entry, now } = await administered();
    const { id } = await entry(0);

    expect((await admin('GET', `/truth/checks/${id}`)).body).toMatchObject({
      from: now - 86_400,
      to: now,
    });
  });

  test('is there for transactions, too', async () => {
    const { admin, sandbox, now } = await administered();
    const [transaction] = sandbox.world.transactions.all;

    const reply = await admin('GET', `/truth/transactions/${transaction?.id}`);

    expect(reply.body).toMatchObject({
      id: transaction?.id,
      name: transaction?.settings.name,
      to: now,
      segments: expect.any(Array),
    });
  });

  test('of a transaction is down from the first failed run on, as in its report', async () => {
    const { admin, sandbox, clock, now } = await administered();
    const [{ id, settings } = expect.fail('there is no transaction')] =
      sandbox.world.transactions.all;
    const interval = 60 * settings.interval;
    const from = now + 2 * interval;
    sandbox.world.plant({ checkId: id, status: 'up', from: now - interval });
    sandbox.world.plant({ checkId: id, status: 'down', from, to: from + interval });
    await clock.advance(6_000 * interval);

    const reply = await admin('GET', `/truth/transactions/${id}?from=${now}`);

    const { segments } = reply.body as { segments: { from: number; to: number }[] };
    expect(segments).toMatchObject([{ status: 'up' }, { status: 'down' }, { status: 'up' }]);
    expect((segments[1]?.to ?? 0) - (segments[1]?.from ?? 0)).toBe(interval);
    expect(Object.keys(segments[1] ?? {}).sort()).toEqual(['from', 'status', 'to']);
  });

  test.each([
    ['/truth/checks/7', 404, 'There is no check 7'],
    ['/truth/transactions/7', 404, 'There is no transaction check 7'],
    ['/truth/checks/x', 400, 'Parameter id must be a whole number of 0 or more, not "x"'],
    ['/truth/planets', 404, 'There is no GET /truth/planets; GET / lists what there is'],
  ])('of %s is not known', async (path, status, errormessage) => {
    const { admin } = await administered();

    expect(await admin('GET', path)).toMatchObject(refused(status, errormessage));
  });
});

test('a body that is not JSON is an error, and a form has no effect', async () => {
  const { adminUrl, sandbox } = await administered();
  const post = (type: string, body: string) =>
    request(`${adminUrl}/faults`, { method: 'POST', headers: { 'content-type': type }, body });

  const broken = await post('application/json', '{"kind":');
  const form = await post('application/x-www-form-urlencoded', 'kind=html');

  expect(broken.statusCode).toBe(400);
  expect(form.statusCode).toBe(400);
  await Promise.all([broken.body.dump(), form.body.dump()]);
  expect(sandbox.faults.active).toEqual([]);
});

test('a port in use is named, and the service does not stay behind', async () => {
  const { adminUrl, clock } = await administered();
  const adminPort = Number(new URL(adminUrl).port);
  const port = await freePort();

  await expect(startTestSandbox({ clock, port, adminPort })).rejects.toThrow(
    `The sandbox cannot listen on 127.0.0.1:${adminPort}: another process uses the port`,
  );
  await expect(request(`http://127.0.0.1:${port}`)).rejects.toThrow('ECONNREFUSED');
});

test('it closes with the sandbox', async () => {
  const { adminUrl, sandbox } = await administered();

  await sandbox.close();
  await sandbox.close();

  await expect(request(adminUrl)).rejects.toThrow('ECONNREFUSED');
});
