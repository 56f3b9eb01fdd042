import { afterEach, describe, expect, test } from 'vitest';
import { LegacyBench } from '../../support/legacy-bench.ts';
import { type Responder, sendJson, sendResponse } from '../../support/response-server.ts';
import { checkPeriod, period } from './case.ts';
import { cases } from './cases.ts';

const { signal } = new AbortController();
const benches: LegacyBench[] = [];

afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

async function stage(version: '2.1' | '2.0', respond: Responder): Promise<LegacyBench> {
  const bench = await LegacyBench.start(version, respond);
  benches.push(bench);
  return bench;
}

/**
 * Responds to each request with the requested slice of a list, limited to the service's maximum.
 */
function paged(
  all: readonly unknown[],
  maxLimit: number,
  wrap: (page: readonly unknown[]) => unknown,
): Responder {
  return (socket, request) => {
    const { searchParams } = new URL(request.target, 'http://host');
    const limit = Math.min(Number(searchParams.get('limit')), maxLimit);
    const offset = Number(searchParams.get('offset'));
    return sendJson(wrap(all.slice(offset, offset + limit)))(socket, request);
  };
}

const many = <T>(count: number, entry: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => entry(index));

describe.each(['2.1', '2.0'] as const)('version %s', (version) => {
  test('reads ids, numbers and booleans in any form', async () => {
    const checks = [
      { id: '85975', type: 'http', status: 'paused', resolution: '5', ipv6: 'NO' },
      { id: 85976, type: { dns: {} }, status: 'unconfirmed_down', ipv6: 1, severity_level: 'low' },
    ];
    const { service } = await stage(version, sendJson({ checks }));

    expect((await service.listChecks(signal)).items).toMatchObject([
      { id: 85975, type: 'http', status: 'paused', resolutionSeconds: 300, ipv6: false },
      { id: 85976, type: 'dns', status: 'unconfirmed_down', ipv6: true, severity: 'low' },
    ]);
  });

  test('reads a check that was never tested', async () => {
    const { service } = await stage(version, sendJson({ checks: [{ id: 1, name: 'new' }] }));

    expect((await service.listChecks(signal)).items).toStrictEqual([
      { id: 1, name: 'new', type: 'unknown', status: 'unknown', tags: [] },
    ]);
  });

  test.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['error', 'error'],
    ['notdelivered', 'not_delivered'],
    ['not_delivered', 'not_delivered'],
    ['nocredits', 'no_credits'],
    ['no_credits', 'no_credits'],
    ['pending', 'pending'],
    ['lost', 'unknown'],
  ])('knows the alert status %s as %s', async (status, expected) => {
    const alerts = [{ time: 1292248276, status, via: 'pusha' }];
    const { service } = await stage(version, sendJson({ actions: { alerts } }));

    expect((await service.listActions(period, signal)).items).toEqual([
      { atSeconds: 1292248276, status: expected, via: 'pusha' },
    ]);
  });

  test('tells an overage that is off from one of nothing', async () => {
    const { service } = await stage(version, sendJson({ credits: { max_sms_overage: null } }));

    expect(await service.credits(signal)).toStrictEqual({});
  });

  test('reads a failed result, which has no response time', async () => {
    const results = [{ probeid: '33', time: '1293840095', status: 'down', statusdesc: 'Timeout' }];
    const { service } = await stage(version, sendJson({ results, activeprobes: [33] }));

    expect((await service.listResults(checkPeriod, signal)).items).toStrictEqual([
      { atSeconds: 1293840095, probeId: 33, status: 'down', description: 'Timeout' },
    ]);
  });

  test('reads averages by country, which are in an array', async () => {
    const avgresponse = [{ countryiso: 'SE', avgresponse: 230 }];
    const bench = await stage(version, sendJson({ summary: { responsetime: { avgresponse } } }));

    const { value } = await bench.service.average({ ...checkPeriod, by: 'country' }, signal);

    expect(value).toMatchObject({ byCountry: [{ countryIso: 'SE', responseTimeSeconds: 0.23 }] });
    expect(bench.requests[0]?.query).toMatchObject({ bycountry: 'true' });
    expect(bench.requests[0]?.query).not.toHaveProperty('byprobe');
  });

  test('reads all alerts, 300 at a time', async () => {
    const alerts = many(700, (index) => ({ time: 1293840000 + index, via: 'sms' }));
    const bench = await stage(
      version,
      paged(alerts, 300, (page) => ({ actions: { alerts: page } })),
    );

    const { items } = await bench.service.listActions(period, signal);

    expect(items.map(({ atSeconds }) => atSeconds - 1293840000)).toEqual(many(700, (i) => i));
    expect(bench.requests.map(({ query }) => query.limit)).toEqual(['300', '300', '300']);
  });

  test('reads all checks without being told how many there are', async () => {
    const checks = many(25_001, (index) => ({ id: index + 1 }));
    const bench = await stage(
      version,
      paged(checks, 25_000, (page) => ({ checks: page })),
    );

    expect((await bench.service.listChecks(signal)).items).toHaveLength(25_001);
    expect(bench.requests).toHaveLength(2);
  });

  test('takes a 403 about a check for one that is not there', async () => {
    const error = { statuscode: 403, statusdesc: 'Forbidden', errormessage: '' };
    const errormessage = 'Invalid check identifier: 85975';
    const refusal = sendJson({ error: { ...error, errormessage } }, { status: 403 });
    const { service } = await stage(version, refusal);

    await expect(service.check({ checkId: 85975 }, signal)).rejects.toMatchObject({
      reason: 'not_found',
    });
  });

  // Each was encoded with base64 of GNU coreutils or python3's urllib.
  test.each([
    ['the password', 'pass word'],
    ['the password in a form', 'pass+word'],
    ['the pair', 'me@example.com:pass word'],
    ['the header', 'Basic bWVAZXhhbXBsZS5jb206cGFzcyB3b3Jk'],
    ['the application key', 'zoent8w9cbt810rsdkweir23vcxb87zrt5541'],
  ])('shows nothing of %s when the service echoes it', async (_what, echoed) => {
    const errormessage = `Wrong: ${echoed}`;
    const { service } = await stage(
      version,
      sendJson({ error: { errormessage } }, { status: 401 }),
    );

    await expect(service.credits(signal)).rejects.toMatchObject({
      reason: 'unauthorized',
      message: expect.stringMatching(/Wrong: (Basic )?<secret>$/),
    });
  });

  test('survives an error that is plain text', async () => {
    const respond = sendResponse({ status: 502, body: 'error code: 1020' });
    const { service } = await stage(version, respond);

    await expect(service.serverTime(signal)).rejects.toMatchObject({ reason: 'server_error' });
  });

  const personal =
    /john|jane|doe|5555|tok-1|word|secret-path|bot|cookie|a=b|bill@|acme|https?:|192\.0\.2/i;

  test.each(cases[version].map((row) => [row.operation, row] as const))(
    '%s keeps nothing that is personal or secret',
    async (_operation, row) => {
      const { service } = await stage(version, sendJson(row.reply));

      expect(JSON.stringify(await row.call(service, signal))).not.toMatch(personal);
    },
  );
});

describe('version 2.0', () => {
  const contacts = many(250, (index) => ({ id: index + 1 }));

  test('reads all contacts, 100 at a time', async () => {
    const bench = await stage(
      '2.0',
      paged(contacts, 100, (page) => ({ contacts: page })),
    );

    const { items } = await bench.service.listContacts(signal);

    expect(items.map(({ id }) => id)).toEqual(contacts.map(({ id }) => id));
    expect(bench.requests.map(({ query }) => query.limit)).toEqual(['100', '100', '100']);
  });

  test('asks on after a full page of contacts, even if that was the last', async () => {
    const bench = await stage(
      '2.0',
      paged(contacts.slice(0, 100), 100, (page) => ({ contacts: page })),
    );

    expect((await bench.service.listContacts(signal)).items).toHaveLength(100);
    expect(bench.requests).toHaveLength(2);
  });

  test('fails when contacts come or go while they are read', async () => {
    const pages = [contacts.slice(0, 100), contacts.slice(150)];
    const { service } = await stage('2.0', (socket, request) =>
      sendJson({ contacts: pages.shift() })(socket, request),
    );

    await expect(service.listContacts(signal)).rejects.toMatchObject({
      reason: 'inconsistent',
      operation: 'list_contacts',
    });
  });
});

describe('version 2.1', () => {
  test('continues while the total is larger than the number of entries', async () => {
    const checks = many(5, (index) => ({ id: index + 1 }));
    const bench = await stage(
      '2.1',
      paged(checks, 3, (page) => ({ checks: page, counts: { total: 5, limited: 3, filtered: 5 } })),
    );

    expect((await bench.service.listChecks(signal)).items).toHaveLength(5);
  });

  test('reads users whose paused is a number or a word', async () => {
    const users = [
      { id: 1, paused: 0 },
      { id: 2, paused: 'YES' },
      { id: '3', paused: 'NO' },
    ];
    const { service } = await stage('2.1', sendJson({ users }));

    expect((await service.listContacts(signal)).items).toMatchObject([
      { id: 1, paused: false },
      { id: 2, paused: true },
      { id: 3, paused: false },
    ]);
  });

  test('omits a malformed team and reports what is wrong and where', async () => {
    const teams = [{ id: '7', name: 'a', users: [] }, { id: 'seven' }];
    const { service } = await stage('2.1', sendJson({ teams }));

    expect(await service.listTeams(signal)).toEqual({
      items: [{ id: 7, name: 'a', memberCount: 0 }],
      rejected: [
        { reason: 'shape', detail: 'teams[1]: id: expected a positive integer, found string' },
      ],
    });
  });
});
