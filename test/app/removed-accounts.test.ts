import { expect, test } from 'vitest';
import { RemovedAccounts } from '../../src/app/removed-accounts.ts';
import { Storage } from '../../src/app/storage.ts';
import { ExporterMetrics } from '../../src/exposition/self-metrics/exporter-metrics.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Log } from '../../src/lib/log.ts';
import { Turns } from '../../src/lib/turns.ts';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import { encodeOutages } from '../../src/store/format/outages.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { AccountStore, Store, StoredAccount } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { fullItem, plainItem } from '../store/support/stored-items.ts';
import { FailingStore } from '../support/failing-store.ts';
import { SkewedClock } from '../support/skewed-clock.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const ignore = () => {};
const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const hour = 3_600_000;
const day = 24 * hour;

/** Two accounts that ran last with a configuration of this time. */
async function twoAccounts(
  configuredAtSeconds = 1,
  store = new MemoryStore(),
): Promise<MemoryStore> {
  for (const account of ['shop', 'blog']) {
    await store.commit({
      account,
      items: { check: new Map([[1, fullItem]]), transaction: new Map([[2, plainItem(1)]]) },
      documents: new DocumentSet<null>().set('account', { configuredAtSeconds }),
    });
  }
  return store;
}

/** The number of stored items and documents of the account. */
async function storedOf(store: Store, account: string): Promise<number> {
  const { items, documents } = await store.load(account);
  return items.check.size + items.transaction.size + documents.size;
}

/** Starts a process whose configuration, of this time, has only the other account. */
async function withoutShop(
  store: AccountStore,
  clock: Clock,
  { log = silentLog, configuredAtSeconds = 1, onChange = ignore } = {},
): Promise<RemovedAccounts> {
  const removed = new RemovedAccounts({
    store,
    clock,
    log,
    onChange,
    turns: new Turns(),
    ownership: { isShared: true, trusts: () => true, isElsewhere: () => false },
    configuredAtSeconds: () => configuredAtSeconds,
  });
  await removed.open(['blog']);
  for (const name of removed.unread) await removed.examine(name);
  removed.start();
  return removed;
}

test('what is stored of a removed account is deleted after seven days, and of the others nothing', async () => {
  const [store, clock] = [await twoAccounts(), new VirtualClock()];
  const removed = await withoutShop(store, clock);
  expect(removed.recent()).toEqual(['shop']);

  await clock.advance(7 * day - 1000);
  expect(await storedOf(store, 'shop')).toBe(3);
  await clock.advance(1000);

  expect(await storedOf(store, 'shop')).toBe(0);
  expect(await storedOf(store, 'blog')).toBe(3);
  await clock.advance(30 * day);
  expect(await storedOf(store, 'blog')).toBe(3);
  await removed.stop();
});

test('the outages of a removed account are shown as ended for a day, also after a restart, and then no more', async () => {
  const [store, clock] = [await twoAccounts(), new VirtualClock()];
  const labels = { name: 'front page', tags: [] };
  const alertLabels = { importance: 'high', hostname: '' } as const;
  const open = { open: true, labels, alertLabels, sinceSeconds: 1 };
  const outages = encodeOutages({ items: new Map([[1, open]]), former: [], isKnown: true });
  const documents = new DocumentSet<null>().set('outages of checks', outages);
  await store.commit({ account: 'shop', documents });
  const shown = (removed: RemovedAccounts) =>
    removed.snapshots().map(({ account, endedChecks }) => [account, endedChecks?.length]);

  const removed = await withoutShop(store, clock);
  expect(shown(removed)).toEqual([['shop', 1]]);
  await removed.stop();
  await clock.advance(day - 1_000);
  const seen: unknown[] = [];
  const again = await withoutShop(store, clock, { onChange: () => seen.push(shown(again)) });
  expect(shown(again)).toEqual([['shop', 1]]);
  await clock.advance(1_000);
  expect(seen).toEqual([[]]);
  await again.stop();

  const later = await withoutShop(store, clock);
  expect(shown(later)).toEqual([]);
  await later.stop();
});

test('an account that a newer configuration has is neither marked nor deleted', async () => {
  const [store, clock] = [await twoAccounts(1_000), new VirtualClock()];
  const older = await withoutShop(store, clock, { configuredAtSeconds: 999 });
  expect([older.recent(), older.unread]).toEqual([[], []]);
  await clock.advance(30 * day);
  await older.stop();
  expect(await storedOf(store, 'shop')).toBe(3);
  expect((await store.load('shop')).documents.get('account')).toEqual({
    configuredAtSeconds: 1_000,
  });

  const newer = await withoutShop(store, clock, { configuredAtSeconds: 1_000 });
  expect(newer.recent()).toEqual(['shop']);
  await newer.stop();
});

test('the seven days begin when it was read last, if a machine starts with a clock that is not set', async () => {
  const [store, time] = [await twoAccounts(), new VirtualClock()];
  const lists = { name: 'checks', atSeconds: time.now() / 1000, items: 1 } as const;
  const documents = new DocumentSet<null>().set('datasets', [lists]);
  await store.commit({ account: 'shop', documents });
  await time.advance(day);
  const clock = new SkewedClock(time);
  const right = clock.now();
  clock.stepWall(-right);
  const removed = await withoutShop(store, clock);
  clock.stepWall(right);

  await time.advance(6 * day - 1000);
  expect(await storedOf(store, 'shop')).toBe(4);
  await time.advance(hour);
  expect(await storedOf(store, 'shop')).toBe(0);
  await removed.stop();
});

test('an account that is watched again in time is kept', async () => {
  const [store, clock] = [await twoAccounts(), new VirtualClock()];
  const removed = await withoutShop(store, clock);
  await clock.advance(6 * day);

  await removed.stop();
  await removed.open(['shop', 'blog']);
  removed.start();
  await clock.advance(30 * day);

  expect(await storedOf(store, 'shop')).toBe(3);
  await removed.stop();
});

test('an account that another process has run since is kept', async () => {
  const [store, clock] = [await twoAccounts(), new VirtualClock()];
  const removed = await withoutShop(store, clock);
  const documents = new DocumentSet<null>().set('account', { configuredAtSeconds: 2 });
  await store.commit({ account: 'shop', documents });

  await clock.advance(30 * day);

  expect(await storedOf(store, 'shop')).toBe(3);
  await removed.stop();
});

test('the seven days go on across a restart, and one that was long is made up for', async () => {
  const [store, clock] = [await twoAccounts(), new VirtualClock()];
  await (await withoutShop(store, clock)).stop();
  await clock.advance(9 * day);

  const again = await withoutShop(store, clock);
  expect(again.recent()).toEqual([]);
  await clock.advance(1000);

  expect(await storedOf(store, 'shop')).toBe(0);
  await again.stop();
});

/** A store that was restored from a backup. */
class RestoredStore extends MemoryStore {
  override async load(account: string): Promise<StoredAccount> {
    const lost = { kind: 'missing', name: 'commits', reason: 'it is a backup' } as const;
    return { ...(await super.load(account)), lost: [lost] };
  }
}

test('lost records of a removed account are reported neither at starts nor at its deletion', async () => {
  const [restored, clock] = [await twoAccounts(1, new RestoredStore()), new VirtualClock()];
  const logged: unknown[] = [];
  const log: Log = { ...silentLog, error: (fields) => logged.push(fields) };
  const metrics = new ExporterMetrics({ build: { version: '1.0.0' }, accounts: () => [], clock });
  const store = new Storage({ store: restored, metrics, clock, log, onFenced: ignore });

  await (await withoutShop(store, clock, { log })).stop();
  const again = await withoutShop(store, clock, { log });
  await clock.advance(8 * day);
  await again.stop();

  expect(await storedOf(restored, 'shop')).toBe(0);
  expect(logged).toEqual([]);
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
  const removed = await withoutShop(store, clock, { log: { ...silentLog, error } });
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
