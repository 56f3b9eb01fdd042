import { expect, test } from 'vitest';
import { createServiceV31 } from '../../../src/api/versions.ts';

const { signal } = new AbortController();

/** A service that sends new objects with every check list. */
function service() {
  const checks = [
    { id: 1, name: 'shop', tags: [{ name: 'team-a', type: 'u' }] },
    {
      id: 2,
      name: 'search',
      tags: [
        { name: 'team-a', type: 'u' },
        { name: 'team-a', type: 'a' },
      ],
    },
    { id: 3, name: 'mail' },
  ];
  const reader = { baseUrl: 'https://api.test', get: async () => structuredClone({ checks }) };
  return { checks, api: createServiceV31(reader) };
}

test('equal tags of all checks and lists are one object', async () => {
  const { api } = service();
  const [first, second] = (await api.listChecks(signal)).items;
  const [again] = (await api.listChecks(signal)).items;

  expect(first?.tags).toEqual([{ name: 'team-a', source: 'user' }]);
  expect(second?.tags[0]).toBe(first?.tags[0]);
  expect(second?.tags[1]).toEqual({ name: 'team-a', source: 'auto' });
  expect(again?.tags[0]).toBe(first?.tags[0]);
});

test('a check whose tags did not change keeps the object of its tags, and takes changed ones', async () => {
  const { api, checks } = service();
  const before = (await api.listChecks(signal)).items;
  checks[1]?.tags?.pop();
  const after = (await api.listChecks(signal, (id) => before[id - 1])).items;

  expect(after[0]?.tags).toBe(before[0]?.tags);
  expect(after[2]?.tags).toBe(before[2]?.tags);
  expect(after[1]?.tags).toEqual([{ name: 'team-a', source: 'user' }]);
});
