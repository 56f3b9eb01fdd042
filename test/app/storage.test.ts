import { expect, test } from 'vitest';
import { Storage } from '../../src/app/storage.ts';
import { ExporterMetrics } from '../../src/exposition/self-metrics/exporter-metrics.ts';
import type { Log } from '../../src/lib/log.ts';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { FailingStore } from '../support/failing-store.ts';

const minute = 60;
const start = 1_767_300_000;
const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function setUp() {
  let now = start;
  const clock = { now: () => now * 1000, monotonic: () => now * 1000 };
  const disk = new FailingStore(new MemoryStore());
  const metrics = new ExporterMetrics({ build: { version: '1.0.0' }, accounts: () => [], clock });
  const storage = new Storage({ store: disk, metrics, clock, log, onFenced: () => {} });
  const documents = new DocumentSet<null>().set('transactions', []);
  /** Times of writes, successful or not. */
  const write = async (seconds: number, works: boolean) => {
    now = start + seconds;
    disk.failWith(works ? undefined : new StoreError('full', 'the disk is full'));
    await storage.store.commit({ account: 'shop', documents }).catch(() => {});
  };
  return { storage, write };
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
