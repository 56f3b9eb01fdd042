import { expect, test } from 'vitest';
import { mergeEntry } from '../../../src/state/items/merge-entry.ts';

interface Entry {
  readonly id: number;
  readonly tags: readonly string[];
  readonly hostname?: string;
}

const before: Entry = { id: 1, tags: ['a', 'b'], hostname: 'www.example.com' };

test('an entry that says the same is the one before', () => {
  expect(mergeEntry(before, before)).toBe(before);
  expect(mergeEntry(before, structuredClone(before))).toBe(before);
});

test('an entry that changes shares its equal parts with the one before', () => {
  const { hostname: _, ...without } = structuredClone(before);
  for (const after of [without, { ...structuredClone(before), hostname: 'shop.example.com' }]) {
    const merged = mergeEntry(before, after);
    expect(merged).toEqual(after);
    expect(merged.tags).toBe(before.tags);
  }
  expect(mergeEntry(without, before)).toEqual(before);
});
