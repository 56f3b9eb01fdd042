import { expect, test } from 'vitest';
import { RemovedAccounts } from '../../src/app/removed-accounts.ts';
import { unixSeconds } from '../../src/lib/clock.ts';
import type { Log } from '../../src/lib/log.ts';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { fullItem, plainItem } from '../store/support/stored-items.ts';
import { FailingStore } from '../support/failing-store.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const ignore = () => {};
const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const hour = 3_600_000;
const day = 24 * hour;

async function twoAccounts(): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const account of ['shop', 'blog']) {
    await store.commit({
      account,
      items: { check: new Map([[1, fullItem]]), transaction: new Map([[2, plainItem(1)]]) },
      documents: new DocumentSet<null>().set('transactions', []),
    });
  }
  return store;
}

/** The number of stored items and documents of the account. */
async function storedOf(store: Store, account: string): Promise<number> {
  const { items, documents } = await store.load(account);
  return items.check.size + items.transaction.size + documents.size;
}

/** Starts an exporter from which `shop` is removed. */
async function withoutShop(
  store: Store,
  clock: VirtualClock,
  log: Log = silentLog,
): Promise<RemovedAccounts> {
  const removed = new RemovedAccounts({ store, clock, log });
  const gone = { name: 'shop', goneAtSeconds: unixSeconds(clock), checks: [], transactions: [] };
  await removed.changed([gone], ['blog']);
  removed.start();
  return removed;
}

test('what is stored of a removed account is deleted after seven days, and of the others nothing', async () => {
  const [store, clock] = [await twoAccounts(), new VirtualClock()];
  const removed = await withoutShop(store, clock);

  await clock.advance(7 * day - 1000);
  expect(await storedOf(store, 'shop')).toBe(3);
  await clock.advance(1000);

  expect(await storedOf(store, 'shop')).toBe(0);
  expect(await storedOf(store, 'blog')).toBe(3);
  await clock.advance(30 * day);
  expect(await storedOf(store, 'blog')).toBe(3);
  await removed.stop();
});

test('an account that is watched again in time is kept', async () => {
  const [store, clock] = [await twoAccounts(), new VirtualClock()];
  const removed = await withoutShop(store, clock);
  await clock.advance(6 * day);

  await removed.stop();
  await removed.changed([], ['shop', 'blog']);
  removed.start();
  await clock.advance(30 * day);

  expect(await storedOf(store, 'shop')).toBe(3);
  await removed.stop();
});

test('the seven days go on across a restart, and one that was long is made up for', async () => {
  const [store, clock] = [await twoAccounts(), new VirtualClock()];
  await (await withoutShop(store, clock)).stop();
  await clock.advance(9 * day);

  const again = new RemovedAccounts({ store, clock, log: silentLog });
  expect(await again.restore(new Set(['blog']))).toEqual([]);
  await again.changed([], ['blog']);
  expect(await storedOf(store, 'shop')).toBe(3);
  again.start();
  await clock.advance(1000);

  expect(await storedOf(store, 'shop')).toBe(0);
  await again.stop();
});

test('while the store cannot be written it is tried again', async () => {
  const memory = await twoAccounts();
  const [store, clock] = [new FailingStore(memory), new VirtualClock()];
  const removed = await withoutShop(store, clock);
  store.failWith(new StoreError('full', 'no space left'));
  await clock.advance(8 * day);
  expect(await storedOf(memory, 'shop')).toBe(3);

  store.failWith(undefined);
  await clock.advance(2 * hour);

  expect(await storedOf(memory, 'shop')).toBe(0);
  await removed.stop();
});

test('an internal error is logged and ends nothing: an hour later it is tried again', async () => {
  const memory = await twoAccounts();
  const [store, clock] = [new FailingStore(memory), new VirtualClock()];
  const logged: [fields: object, message: string][] = [];
  const error = (fields: object, message: string) => logged.push([fields, message]);
  const removed = await withoutShop(store, clock, { ...silentLog, error });
  const failure = new TypeError('not a function');
  store.failWith(failure);
  await clock.advance(7 * day + hour / 2);

  const message = 'removed account could not be deleted from the store; trying again';
  expect(logged).toEqual([[{ error: failure }, message]]);
  store.failWith(undefined);
  await clock.advance(hour);

  expect(await storedOf(memory, 'shop')).toBe(0);
  await removed.stop();
});
