import { describe, expect, test } from 'vitest';
import { LegacyBench } from '../../support/legacy-bench.ts';
import { type Responder, sendJson } from '../../support/response-server.ts';
import { period } from './case.ts';
import { cases } from './cases.ts';

const { signal } = new AbortController();
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
    const { service } = await LegacyBench.start(version, sendJson({ actions: { alerts } }));

    expect((await service.listActions(period, signal)).items).toEqual([
      { atSeconds: 1292248276, status: expected, via: 'pusha' },
    ]);
  });

  test('reads all alerts, 300 at a time', async () => {
    const alerts = many(700, (index) => ({ time: 1293840000 + index, via: 'sms' }));
    const bench = await LegacyBench.start(
      version,
      paged(alerts, 300, (page) => ({ actions: { alerts: page } })),
    );

    const { items } = await bench.service.listActions(period, signal);

    expect(items.map(({ atSeconds }) => atSeconds - 1293840000)).toEqual(many(700, (i) => i));
    expect(bench.requests.map(({ query }) => query.limit)).toEqual(['300', '300', '300']);
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
    const { service } = await LegacyBench.start(
      version,
      sendJson({ error: { errormessage } }, { status: 401 }),
    );

    await expect(service.credits(signal)).rejects.toMatchObject({
      reason: 'unauthorized',
      message: expect.stringMatching(/Wrong: (Basic )?<secret>$/),
    });
  });

  const personal =
    /john|jane|doe|5555|tok-1|word|secret-path|bot|cookie|a=b|bill@|acme|https?:|192\.0\.2/i;

  test.each(cases[version].map((row) => [row.operation, row] as const))(
    '%s keeps nothing that is personal or secret',
    async (_operation, row) => {
      const { service } = await LegacyBench.start(version, sendJson(row.reply));

      expect(JSON.stringify(await row.call(service, signal))).not.toMatch(personal);
    },
  );
});

describe('version 2.0', () => {
  const contacts = many(250, (index) => ({ id: index + 1 }));

  test('reads all contacts, 100 at a time', async () => {
    const bench = await LegacyBench.start(
      '2.0',
      paged(contacts, 100, (page) => ({ contacts: page })),
    );

    const { items } = await bench.service.listContacts(signal);

    expect(items.map(({ id }) => id)).toEqual(contacts.map(({ id }) => id));
    expect(bench.requests.map(({ query }) => query.limit)).toEqual(['100', '100', '100']);
  });
});

describe('version 2.1', () => {
  test('reads users whose paused is a number or a word, and omits one without an id', async () => {
    const users = [
      { id: 1, paused: 0 },
      { id: 2, paused: 'YES' },
      { id: '3', paused: 'NO' },
      { id: 4, paused: 'perhaps' },
      { paused: 'NO' },
    ];
    const { service } = await LegacyBench.start('2.1', sendJson({ users }));

    const user = { type: 'user', targets: [] };
    expect((await service.listContacts(signal)).items).toEqual([
      { ...user, id: 1, paused: false },
      { ...user, id: 2, paused: true },
      { ...user, id: 3, paused: false },
      { ...user, id: 4 },
    ]);
  });

  test('omits a malformed team and reports what is wrong and where', async () => {
    const teams = [{ id: '7', name: 'a', users: [] }, { id: 'seven' }];
    const { service } = await LegacyBench.start('2.1', sendJson({ teams }));

    expect(await service.listTeams(signal)).toEqual({
      items: [{ id: 7, name: 'a', memberCount: 0 }],
      rejected: [
        { reason: 'shape', detail: 'teams[1]: id: expected a positive integer, found string' },
      ],
    });
  });
});
