import { describe, expect, test } from 'vitest';
import { refused, startTestSandbox, type WireEntry } from '../../start-test-sandbox.ts';

const path = '/api/3.1/checks';

describe('the check list', () => {
  test('shows all five statuses and all nine types with 24 checks from the first second, whatever the seed', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { get } = await startTestSandbox({ seed });

      const { checks } = (await get(path)).json();

      expect(checks).toHaveLength(24);
      expect(new Set(checks.map(({ status }) => status))).toEqual(
        new Set(['up', 'down', 'unconfirmed_down', 'unknown', 'paused']),
      );
      expect(new Set(checks.map(({ type }) => type))).toEqual(
        new Set(['http', 'httpcustom', 'tcp', 'ping', 'dns', 'udp', 'smtp', 'pop3', 'imap']),
      );
      expect(new Set(checks.map(({ resolution }) => resolution))).toEqual(
        new Set([1, 5, 15, 30, 60]),
      );
    }
  });

  test('has the documented attributes of the documented kinds', async () => {
    const { get, clock } = await startTestSandbox();
    const now = clock.now() / 1000;
    const query = '?include_tags=true&include_severity=true&showencryption=true';

    const { checks, counts } = (await get(path + query)).json();

    const up = checks[0] as WireEntry;
    expect(up).toEqual({
      id: expect.toSatisfy((id) => Number.isInteger(id) && String(id).length === 8),
      created: expect.toSatisfy((time) => time < now - 50 * 86_400),
      name: expect.any(String),
      hostname: 'www-1.example.com',
      resolution: 1,
      type: 'http',
      ipv6: false,
      status: 'up',
      lasterrortime: expect.toSatisfy((time) => time < now),
      lasttesttime: expect.toSatisfy((time) => time > now - 60 && time <= now),
      lastresponsetime: expect.toSatisfy((time) => Number.isInteger(time) && time > 0),
      lastdownstart: expect.toSatisfy((time) => time < now),
      lastdownend: expect.toSatisfy((time) => time < now),
      severity: expect.toBeOneOf(['high', 'low']),
      encryption: expect.any(Boolean),
      tags: expect.arrayContaining([{ name: 'http', type: 'a', count: expect.any(Number) }]),
    });
    expect(counts).toEqual({ total: 24, limited: 24, filtered: 24 });
  });

  test('leaves out tags, severity and encryption unless asked for', async () => {
    const { get } = await startTestSandbox();

    const plain = (await get(path)).json().checks;
    const asked = (
      await get(`${path}?include_tags=1&include_severity=TRUE&showencryption=false`)
    ).json().checks;

    for (const entry of plain) {
      expect(entry).not.toHaveProperty('tags');
      expect(entry).not.toHaveProperty('severity');
      expect(entry).not.toHaveProperty('encryption');
    }
    for (const entry of asked) {
      expect(entry).toHaveProperty('tags');
      expect(entry).toHaveProperty('severity');
      expect(entry).not.toHaveProperty('encryption');
    }
  });

  test('shows encryption only of types that can be encrypted', async () => {
    const { get } = await startTestSandbox();

    const { checks } = (await get(`${path}?showencryption=true`)).json();

    const types = checks.filter((entry) => 'encryption' in entry).map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['http', 'httpcustom', 'smtp', 'pop3', 'imap']));
  });

  test('leaves out what does not apply', async () => {
    const { get } = await startTestSandbox();

    const { checks } = (await get(path)).json();

    const untested = checks.filter((entry) => !('lasttesttime' in entry));
    expect(untested.length).toBeGreaterThan(0);
    for (const entry of untested) {
      expect(entry.status).toBe('unknown');
      expect(Object.keys(entry).filter((key) => key.startsWith('last'))).toEqual([]);
    }
    for (const entry of checks.filter(({ status }) => status === 'down')) {
      expect(entry).toHaveProperty('lastdownstart');
      expect(entry.lastdownend).toBe(entry.lasttesttime);
      expect(entry.lastresponsetime).toBe(0);
    }
  });

  test('counts of tags are those of the whole account', async () => {
    const { get } = await startTestSandbox({ checks: 200 });

    const all = (await get(`${path}?include_tags=true`)).json().checks;
    const page = (await get(`${path}?include_tags=true&limit=5&offset=100`)).json().checks;

    const counted = new Map<string, number>();
    for (const { tags } of all as unknown as { tags: { name: string }[] }[]) {
      for (const { name } of tags) counted.set(name, (counted.get(name) ?? 0) + 1);
    }
    for (const { tags } of page as unknown as { tags: { name: string; count: number }[] }[]) {
      for (const { name, count } of tags) expect(count).toBe(counted.get(name));
    }
    expect(page).toEqual(all.slice(100, 105));
  });

  test('is paged by limit and offset', async () => {
    const { get } = await startTestSandbox();
    const all = (await get(path)).json().checks;

    const middle = (await get(`${path}?limit=10&offset=5`)).json();
    const end = (await get(`${path}?limit=10&offset=20`)).json();
    const beyond = (await get(`${path}?limit=10&offset=24`)).json();

    expect(middle.checks).toEqual(all.slice(5, 15));
    expect(middle.counts).toEqual({ total: 24, limited: 10, filtered: 24 });
    expect(end.checks).toEqual(all.slice(20));
    expect(beyond.checks).toEqual([]);
    expect(beyond.counts).toEqual({ total: 24, limited: 0, filtered: 24 });
  });

  test('holds at most 25,000 checks', async () => {
    const { get } = await startTestSandbox({ checks: 25_001 });

    const { checks, counts } = (await get(path)).json();
    const rest = (await get(`${path}?limit=25000&offset=25000`)).json();

    expect(checks).toHaveLength(25_000);
    expect(counts).toEqual({ total: 25_001, limited: 25_000, filtered: 25_001 });
    expect(rest.checks).toHaveLength(1);
  });

  test('keeps the checks that have any of the tags', async () => {
    const { get } = await startTestSandbox({ checks: 100 });
    const all = (await get(`${path}?include_tags=true`)).json().checks;
    const bears = (entry: WireEntry, tag: string) =>
      (entry.tags as { name: string }[]).some(({ name }) => name === tag);

    const either = (await get(`${path}?include_tags=true&tags=staging,ping`)).json();
    const none = (await get(`${path}?tags=no-such-tag`)).json();

    const expected = all.filter((entry) => bears(entry, 'staging') || bears(entry, 'ping'));
    expect(expected.length).toBeGreaterThan(0);
    expect(either.checks).toEqual(expected);
    expect(either.counts).toEqual({
      total: 100,
      limited: expected.length,
      filtered: expected.length,
    });
    expect(none.checks).toEqual([]);
    expect(none.counts).toEqual({ total: 100, limited: 0, filtered: 0 });
  });

  test.each([
    ['offset=5', 'Parameter offset requires parameter limit'],
    ['limit=0', 'Parameter limit must be a whole number from 1 to 25000, not "0"'],
    ['limit=25001', 'Parameter limit must be a whole number from 1 to 25000, not "25001"'],
    ['limit=ten', 'Parameter limit must be a whole number from 1 to 25000, not "ten"'],
    ['limit=1.5', 'Parameter limit must be a whole number from 1 to 25000, not "1.5"'],
    ['limit=', 'Parameter limit must be a whole number from 1 to 25000, not ""'],
    ['limit=5&offset=-1', 'Parameter offset must be a whole number of 0 or more, not "-1"'],
    ['include_tags=maybe', 'Parameter include_tags must be true or false, not "maybe"'],
    ['include_severity=', 'Parameter include_severity must be true or false, not ""'],
    ['showencryption=2', 'Parameter showencryption must be true or false, not "2"'],
    ['limit=5&limit=6', 'Parameter limit must be a whole number from 1 to 25000, not ["5","6"]'],
    [
      'sort=name',
      'Unknown parameter sort; allowed are: limit, offset, tags, include_tags, include_severity, showencryption',
    ],
  ])('refuses %s', async (query, errormessage) => {
    const { send } = await startTestSandbox();

    expect(await send('GET', `${path}?${query}`)).toMatchObject({
      ...refused(400, errormessage),
      headers: { 'req-limit-short': 'Remaining: 399 Time until reset: 3600' },
    });
  });

  test('is the same to the byte for the same seed, and another for another', async () => {
    const query = `${path}?include_tags=true&include_severity=true`;
    const texts: string[] = [];
    for (const seed of [1, 1, 2]) {
      const { get, clock } = await startTestSandbox({ seed });
      await clock.advance(3_600_000);
      texts.push((await get(query)).text);
    }

    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).not.toBe(texts[2]);
  });
});
