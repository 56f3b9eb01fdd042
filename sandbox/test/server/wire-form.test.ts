import { expect, test } from 'vitest';
import type { Wire } from '../../src/wire.ts';
import { startTestSandbox, type WireEntry } from '../start-test-sandbox.ts';

const path = '/api/3.1/checks';

async function answers(wire: Partial<Wire>) {
  const proper = await startTestSandbox();
  const odd = await startTestSandbox({ wire });
  const both = async (query: string) => {
    const expected = await proper.get(query);
    const actual = await odd.get(query);
    return { proper: expected.json(), odd: actual.json(), text: actual.text };
  };
  return { both, again: async (query: string) => (await odd.get(query)).text };
}

const differing = (proper: readonly object[], odd: readonly object[]) =>
  proper.filter((entry, position) => JSON.stringify(entry) !== JSON.stringify(odd[position]));

test('attributes=absent leaves attributes out of some entries, never those that tell the state', async () => {
  const { both, again } = await answers({ attributes: 'absent' });

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

test('attributes=null puts null in their place', async () => {
  const { both } = await answers({ attributes: 'null' });

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

test('ids=texts makes every identifier a string', async () => {
  const { both } = await answers({ ids: 'texts' });

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
