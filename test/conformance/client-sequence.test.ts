import { describe, expect, test } from 'vitest';
import { bearer, startTestSandbox } from '../../sandbox/test/start-test-sandbox.ts';
import { checkTypes } from '../../src/domain/check.ts';

/**
 * The requests of a configuration tool that manages an account. Their order, encodings and
 * spellings are those of public clients in Go.
 */
const base = '/api/3.1';
const day = 86_400;

type Answer = Readonly<Record<string, unknown>>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Sends a request and expects status 200. */
async function startClient() {
  const { send, clock } = await startTestSandbox({ shortLimit: 10_000, checks: 3 });
  const ask = async (method: Method, path: string, json?: object): Promise<Answer> => {
    const { status, body } = await send<Answer>(method, base + path, {
      headers: { ...bearer, accept: 'application/json' },
      ...(json !== undefined && { json }),
    });
    expect({ method, path, status, body }).toMatchObject({ method, path, status: 200 });
    return body;
  };
  return { ask, now: Math.floor(clock.now() / 1000) };
}

const targets: Readonly<Record<(typeof checkTypes)[number], object>> = {
  http: {
    url: '/login',
    encryption: true,
    requestheaders: ['X-Monitor:one'],
    requestheaders1: 'X-Other:two',
    verify_certificate: true,
    ssl_down_days_before: 7,
  },
  httpcustom: { url: '/status.xml' },
  tcp: { port: 8080, stringtosend: 'ping', stringtoexpect: 'pong' },
  ping: {},
  dns: { expectedip: '192.0.2.1', nameserver: 'ns.example.com' },
  udp: { port: 53, stringtosend: 'a', stringtoexpect: 'b' },
  smtp: { port: 25 },
  pop3: { port: 110 },
  imap: { port: 143 },
};

describe.each(checkTypes)('a check of the type %s', (type) => {
  test('is created, read, listed, changed and deleted', async () => {
    const { ask } = await startClient();
    const general = { host: 'www.example.com', resolution: 5, sendnotificationwhendown: 2 };
    const created = await ask('POST', '/checks', {
      name: 'Managed',
      type,
      tags: ['managed', type],
      ...general,
      ...targets[type],
    });
    const { id } = created.check as { id: number };

    const { check } = await ask('GET', `/checks/${id}?include_teams=true`);
    expect(check).toMatchObject({ id, name: 'Managed', resolution: 5, type: { [type]: {} } });
    const listed = await ask('GET', '/checks/?include_tags=True&tags=managed&limit=100&offset=0');
    expect((listed.checks as Answer[]).map((entry) => entry.id)).toEqual([id]);
    await ask('PUT', `/checks/${id}`, { name: 'Renamed', paused: true, ...targets[type] });
    const renamed = (await ask('GET', `/checks/${id}`)).check;
    expect(renamed).toMatchObject({ name: 'Renamed', status: 'paused' });
    if (type === 'http') {
      expect(renamed).toMatchObject({
        type: { http: { requestheaders: { 'X-Monitor': 'one', 'X-Other': 'two' } } },
      });
    }
    for (const report of ['summary.outage', 'summary.performance', 'summary.average', 'results']) {
      await ask('GET', `/${report}/${id}`);
    }
    await ask('DELETE', `/checks/${id}`);
    const left = await ask('GET', '/checks/?include_tags=True&tags=managed');
    expect(left.checks).toEqual([]);
  });
});

test('a contact and a team are created, joined, changed and deleted', async () => {
  const { ask } = await startClient();
  const sms = { country_code: '46', number: '555123456', provider: 'nexmo', severity: 'LOW' };
  const notification_targets = {
    email: [{ address: 'ops@example.com', severity: 'HIGH' }],
    sms: [sms],
  };
  const person = { name: 'On call', paused: false, notification_targets };
  const contact = (await ask('POST', '/alerting/contacts', person)).contact as { id: number };
  const team = (await ask('POST', '/alerting/teams', { name: 'Night', member_ids: [] })).team as {
    id: number;
  };

  await ask('PUT', `/alerting/teams/${team.id}`, { name: 'Night', member_ids: [contact.id] });
  const joined = (await ask('GET', `/alerting/teams/${team.id}`)).team as { members: Answer[] };
  expect(joined.members.map(({ id }) => id)).toEqual([contact.id]);
  await ask('PUT', `/alerting/contacts/${contact.id}`, { ...person, name: 'Still on call' });
  expect((await ask('GET', `/alerting/contacts/${contact.id}`)).contact).toMatchObject({
    name: 'Still on call',
    teams: [{ id: team.id }],
  });
  const { contacts } = await ask('GET', '/alerting/contacts/');
  expect((contacts as Answer[]).map(({ id }) => id)).toContain(contact.id);
  await ask('DELETE', `/alerting/teams/${team.id}`);
  await ask('DELETE', `/alerting/contacts/${contact.id}`);
  const { teams } = await ask('GET', '/alerting/teams');
  expect((teams as Answer[]).map(({ id }) => id)).not.toContain(team.id);
});

test('maintenance and its occurrences are created, changed and deleted', async () => {
  const { ask, now } = await startClient();
  const [check] = (await ask('GET', '/checks/')).checks as { id: number }[];
  const window = { description: 'Release', from: now + day, to: now + day + 3600 };
  const created = await ask('POST', '/maintenance', {
    ...window,
    recurrencetype: 'day',
    repeatevery: 1,
    effectiveto: now + 5 * day,
    uptimeids: [check?.id],
  });
  const { id } = created.maintenance as { id: number };

  expect((await ask('GET', `/maintenance/${id}`)).maintenance).toMatchObject({
    id,
    recurrencetype: 'day',
    checks: { uptime: [check?.id] },
  });
  const occurrences = async () =>
    (await ask('GET', `/maintenance.occurrences?maintenanceid=${id}`)).occurrences as {
      id: number;
      from: number;
    }[];
  const [first, second, third] = await occurrences();
  const moved = { from: (first?.from ?? 0) + 600, to: (first?.from ?? 0) + 4200 };
  await ask('PUT', `/maintenance.occurrences/${first?.id}`, moved);
  expect((await ask('GET', `/maintenance.occurrences/${first?.id}`)).occurrence).toMatchObject(
    moved,
  );
  await ask('DELETE', `/maintenance.occurrences/${second?.id}`);
  await ask('DELETE', `/maintenance.occurrences?occurrenceids=${third?.id}`);
  expect((await occurrences()).map((each) => each.id)).not.toContain(second?.id);
  await ask('PUT', `/maintenance/${id}`, { ...window, description: 'Moved' });
  await ask('DELETE', `/maintenance/?maintenanceids=${id}`);
  const { maintenance } = await ask('GET', '/maintenance');
  expect((maintenance as Answer[]).map((each) => each.id)).not.toContain(id);
});

test('a transaction is created, read, listed, reported, changed and deleted', async () => {
  const { ask } = await startClient();
  const steps = [{ fn: 'go_to', args: { url: 'https://www.example.com' } }];
  const created = await ask('POST', '/tms/check', {
    name: 'Journey',
    active: true,
    interval: 10,
    region: 'eu',
    tags: ['managed'],
    steps,
  });
  const { id } = created.check as { id: number };

  expect((await ask('GET', `/tms/check/${id}`)).check).toMatchObject({
    id,
    name: 'Journey',
    type: 'script',
    steps,
  });
  const listed = (await ask('GET', '/tms/check/?tags=managed')).checks as Answer[];
  expect(listed.map((entry) => [entry.id, entry.type])).toEqual([[id, 'script']]);
  await ask('PUT', `/tms/check/${id}`, { name: 'Longer journey', active: false });
  const period = 'from=2026-01-04T12%3A00%3A00%2B00%3A00&to=2026-01-05T12%3A00%3A00Z';
  expect((await ask('GET', `/tms/check/${id}/report/status?${period}`)).report).toMatchObject({
    check_id: id,
    name: 'Longer journey',
  });
  await ask('GET', `/tms/check/report/status?${period}&order=asc`);
  await ask('GET', `/tms/check/${id}/report/performance?${period}&include_uptime=true`);
  await ask('DELETE', `/tms/check/${id}`);
  expect((await ask('GET', '/tms/check/?tags=managed')).checks).toEqual([]);
});
