import { expect, test } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { plainItem } from './support/stored-items.ts';

test('a failure on purpose stores nothing, and ends when it is taken back', async () => {
  const store = new MemoryStore();
  const failure = new StoreError('full', 'no space is left on the device');
  const changes = { account: 'a', items: { check: new Map([[1, plainItem(1)]]) } };

  store.failWith(failure);
  await expect(store.commit(changes)).rejects.toBe(failure);
  expect((await store.load('a')).items.check.size).toBe(0);

  store.failWith(undefined);
  await store.commit(changes);
  expect((await store.load('a')).items.check.size).toBe(1);
});
