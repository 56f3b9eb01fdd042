import { expect, test } from 'vitest';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { ObservedStore } from '../../src/store/observed-store.ts';
import type { StoreChanges } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { FailingStore } from '../support/failing-store.ts';
import { plainItem } from './support/stored-items.ts';

function observed() {
  const disk = new FailingStore(new MemoryStore());
  const seen: string[] = [];
  const store = new ObservedStore(disk, {
    wrote: () => seen.push('wrote'),
    lost: () => {},
    failed: ({ reason }) => seen.push(reason),
  });
  return { disk, store, seen };
}

const changes: Record<string, StoreChanges> = {
  'a check': { account: 'a', items: { check: new Map([[1, plainItem(1)]]) } },
  'a transaction that is gone': { account: 'a', items: { transaction: new Map([[1, null]]) } },
  'a document': { account: 'a', documents: new DocumentSet<null>().set('transactions', []) },
};

test.each(Object.keys(changes))('a commit of %s is a write', async (what) => {
  const { store, seen } = observed();
  await store.commit(changes[what] ?? { account: 'a' });
  expect(seen).toEqual(['wrote']);
});

test('a failed commit is reported with its reason, and is not a write', async () => {
  const { disk, store, seen } = observed();
  const full = new StoreError('full', 'no space is left on the device');
  disk.failWith(full);
  await expect(
    store.commit({ account: 'a', documents: new DocumentSet<null>().set('transactions', []) }),
  ).rejects.toBe(full);
  expect(seen).toEqual(['full']);
});

test('a commit of nothing is no write, and does not reach the store', async () => {
  const { disk, store, seen } = observed();
  disk.failWith(new StoreError('full', 'no space is left on the device'));
  await store.commit({ account: 'a' });
  await store.commit({ account: 'a', items: {}, documents: new DocumentSet() });
  await store.commit({ account: 'a', items: { check: new Map(), transaction: new Map() } });
  expect(seen).toEqual([]);
});
