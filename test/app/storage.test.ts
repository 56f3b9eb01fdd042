import { expect, test, vi } from 'vitest';
import { Storage } from '../../src/app/storage.ts';
import { ExporterMetrics } from '../../src/exposition/self-metrics/exporter-metrics.ts';
import type { Log } from '../../src/lib/log.ts';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { StoreChanges } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { plainItem } from '../store/support/stored-items.ts';
import { FailingStore } from '../support/failing-store.ts';

const minute = 60;
const start = 1_767_300_000;
const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function setUp() {
  let now = start;
  const clock = { now: () => now * 1000, monotonic: () => now * 1000 };
  const disk = new FailingStore(new MemoryStore());
  const metrics = new ExporterMetrics({ build: { version: '1.0.0' }, accounts: () => [], clock });
  const written = vi.spyOn(metrics, 'storeWritten');
  const failed = vi.spyOn(metrics, 'storeFailed');
  const counts = () => ({ written: written.mock.calls.length, failed: failed.mock.calls.length });
  const storage = new Storage({ store: disk, metrics, clock, log, onFenced: () => {} });
  const documents = new DocumentSet<null>().set('transactions', []);
  /** Times of writes, successful or not. */
  const write = async (seconds: number, works: boolean) => {
    now = start + seconds;
    disk.failWith(works ? undefined : new StoreError('full', 'the disk is full'));
    await storage.commit({ account: 'shop', documents }).catch(() => {});
  };
  return { storage, disk, counts, write };
}

test('a disk that has room for a small write now and then has been failing since the first failure', async () => {
  const { storage, write } = setUp();
  await write(0, false);
  for (let turn = 1; turn <= 20; turn++) {
    await write(2 * turn * minute, true);
    expect(storage.failure).toBeUndefined();
    await write(2 * turn * minute + 1, false);
    expect(storage.failure?.sinceSeconds).toBe(start);
  }
});

test('a failure ten minutes after the last one is another one', async () => {
  const { storage, write } = setUp();
  await write(0, false);
  await write(minute, true);
  await write(10 * minute, false);

  expect(storage.failure).toMatchObject({ reason: 'full', sinceSeconds: start + 10 * minute });
});

test('a storage that fails all the time has been failing since the first failure, however rarely it is tried', async () => {
  const { storage, write } = setUp();
  for (const at of [0, 30, 90]) await write(at * minute, false);

  expect(storage.failure?.sinceSeconds).toBe(start);
});

const changes: Record<string, StoreChanges> = {
  'a check': { account: 'a', items: { check: new Map([[1, plainItem(1)]]) } },
  'a removed transaction': { account: 'a', items: { transaction: new Map([[1, null]]) } },
  'a document': { account: 'a', documents: new DocumentSet<null>().set('transactions', []) },
};

test.each(Object.entries(changes))('a commit of %s counts as a write', async (_what, change) => {
  const { storage, counts } = setUp();
  await storage.commit(change);
  expect(counts()).toEqual({ written: 1, failed: 0 });
});

test('a failed commit rejects with its error, and counts as a failure and not as a write', async () => {
  const { disk, storage, counts } = setUp();
  const full = new StoreError('full', 'no space is left on the device');
  disk.failWith(full);
  await expect(storage.commit({ account: 'a', beginsAgain: true })).rejects.toBe(full);
  expect(counts()).toEqual({ written: 0, failed: 1 });
  expect(storage.failure?.reason).toBe('full');
});

test('a commit of nothing is no write, and does not reach the store', async () => {
  const { disk, storage, counts } = setUp();
  disk.failWith(new StoreError('full', 'no space is left on the device'));
  await storage.commit({ account: 'a' });
  await storage.commit({ account: 'a', items: {}, documents: new DocumentSet() });
  await storage.commit({ account: 'a', items: { check: new Map(), transaction: new Map() } });
  expect(counts()).toEqual({ written: 0, failed: 0 });
});

test('backups that are asked for while one is written are that one, so that commits wait for one only', async () => {
  const ends: ((path: string) => void)[] = [];
  const backup = () => new Promise<string>((resolve) => ends.push(resolve));
  const store = Object.assign(new MemoryStore(), { backup });
  const clock = { now: () => 0, monotonic: () => 0 };
  const metrics = new ExporterMetrics({ build: { version: '1.0.0' }, accounts: () => [], clock });
  const storage = new Storage({ store, metrics, clock, log, onFenced: () => {} });

  const both = Promise.all([storage.backup?.(), storage.backup?.()]);
  for (const end of ends) end(`copy ${ends.length}`);

  expect(await both).toEqual([{ path: 'copy 1' }, { path: 'copy 1' }]);
  const later = storage.backup?.();
  ends.at(-1)?.('copy 2');
  expect(await later).toEqual({ path: 'copy 2' });
});
