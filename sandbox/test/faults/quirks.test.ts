import { describe, expect, test } from 'vitest';
import { type QuirkName, quirkKinds } from '../../src/faults/quirks.ts';
import { startTestSandbox, type WireEntry } from '../start-test-sandbox.ts';

const path = '/api/3.1/checks';

async function answers(...quirks: QuirkName[]) {
  const proper = await startTestSandbox();
  const odd = await startTestSandbox({ quirks });
  const both = async (query: string) => {
    const expected = await proper.get(query);
    const actual = await odd.get(query);
    return { proper: expected.json(), odd: actual.json(), text: actual.text };
  };
  return { both, again: async (query: string) => (await odd.get(query)).text, odd };
}

const differing = (proper: readonly object[], odd: readonly object[]) =>
  proper.filter((entry, position) => JSON.stringify(entry) !== JSON.stringify(odd[position]));

test('absent-fields leaves attributes out of some entries, never those that tell the state', async () => {
  const { both, again } = await answers('absent-fields');

  const { proper, odd, text } = await both(path);

  expect(differing(proper.checks, odd.checks).length).toBeGreaterThan(5);
  for (const [position, entry] of odd.checks.entries()) {
    expect(proper.checks[position]).toMatchObject(entry);
    const missing = Object.keys(proper.checks[position] ?? {}).filter((key) => !(key in entry));
    for (const key of missing) {
      expect(['hostname', 'created', 'ipv6', 'lastresponsetime']).toContain(key);
    }
  }
  expect(await again(path)).toBe(text);
});

test('nulls puts null in their place', async () => {
  const { both } = await answers('nulls');

  const { proper, odd } = await both(path);

  const nulled = odd.checks.flatMap((entry) =>
    Object.entries(entry).filter(([, value]) => value === null),
  );
  expect(nulled.length).toBeGreaterThan(5);
  for (const [position, entry] of odd.checks.entries()) {
    const kept = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
    expect(proper.checks[position]).toMatchObject(kept);
    expect(Object.keys(entry)).toEqual(Object.keys(proper.checks[position] ?? {}));
  }
});

test('string-ids makes every identifier a string', async () => {
  const { both } = await answers('string-ids');

  const list = await both(path);
  const maintenance = await both('/api/3.1/maintenance.occurrences');
  const { id } = list.proper.checks[0] as WireEntry;
  const results = await both(`/api/3.1/results/${id}?limit=2`);

  expect(list.odd.checks).toEqual(
    list.proper.checks.map((entry) => ({ ...entry, id: String(entry.id) })),
  );
  expect(maintenance.odd).toMatchObject({
    occurrences: expect.arrayContaining([
      expect.objectContaining({ id: expect.any(String), maintenanceid: expect.any(String) }),
    ]),
  });
  expect(results.odd).toMatchObject({
    results: [{ probeid: expect.any(String), time: expect.any(Number) }, {}],
  });
});

test('extra-fields adds what is not documented', async () => {
  const { both } = await answers('extra-fields');

  const { proper, odd } = await both(path);

  expect(odd.checks).toEqual(
    proper.checks.map((entry) => ({ ...entry, alert_policy: 17, extra: { note: [null] } })),
  );
});

test('severity_level takes the place of severity', async () => {
  const { both } = await answers('severity_level');

  const { proper, odd } = await both(`${path}?include_severity=true`);

  expect(odd.checks).toEqual(
    proper.checks.map(({ severity, ...entry }) => ({
      ...entry,
      severity_level: String(severity).toUpperCase(),
    })),
  );
});

describe('limit headers', () => {
  test('may be missing', async () => {
    const { odd } = await answers('no-limit-headers');

    const { headers, status } = await odd.get(path);

    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.includes('limit'))).toEqual([]);
    expect(odd.sandbox.limits.reading('short').remaining).toBe(399);
  });

  test('may be in odd case', async () => {
    const { odd } = await answers('mixed-case-limit-headers');

    const response = await fetch(odd.sandbox.url + path, {
      headers: { authorization: 'Bearer token-for-tests' },
    });

    expect(response.headers.get('req-limit-short')).toBe('Remaining: 399 Time until reset: 3600');
    await response.text();
  });
});

test('several quirks come together, in errors too', async () => {
  const { odd } = await answers('string-ids', 'extra-fields', 'no-limit-headers');

  const { checks } = (await odd.get(path)).json();
  const { status, headers } = await odd.get(`${path}?sort=1`);

  expect(checks[0]).toMatchObject({ id: expect.any(String), alert_policy: 17 });
  expect(status).toBe(400);
  expect(headers).not.toHaveProperty('req-limit-short');
});

test('every quirk is described in one phrase', () => {
  for (const { description } of Object.values(quirkKinds)) {
    expect(description).toMatch(/^\S.{8,170}[^.]$/);
  }
});
