import { describe, expect, onTestFinished, test } from 'vitest';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { Accounts } from '../../src/app/accounts.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import { ExporterMetrics } from '../../src/exposition/self-metrics/exporter-metrics.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { exporterAccount, type Store, type StoreChanges } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { plainItem } from '../store/support/stored-items.ts';
import { defaultPolicies } from '../support/default-policies.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const ignore = () => {};
const silentLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const day = 86_400_000;

/** A store whose answers about an account wait while the test requires it. */
class SlowStore extends MemoryStore {
  readonly #waits = new Map<string, Promise<void>>();
  /** The accounts that were read. */
  readonly loads: string[] = [];
  /** Called before an account is read; may throw. */
  onLoad: (account: string) => void = ignore;
  isListReadable = true;

  /** Returns a function that lets the answers arrive. */
  hold(account: string): () => void {
    let arrive: () => void = ignore;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    this.#waits.set(account, arrived);
    const end = () => {
      this.#waits.delete(account);
      arrive();
    };
    onTestFinished(end);
    return end;
  }

  override async load(account: string) {
    this.loads.push(account);
    this.onLoad(account);
    const loaded = await super.load(account);
    await this.#waits.get(account);
    return loaded;
  }

  override async accounts() {
    if (!this.isListReadable) throw new StoreError('refused', 'the list cannot be read');
    return await super.accounts();
  }

  override async commit(changes: StoreChanges) {
    await super.commit(changes);
    await this.#waits.get(changes.account);
  }
}

/** An account with settings of this version. */
function account(name: string, version = 1): AccountSettings {
  return {
    name,
    digest: `${version}`,
    baseUrl: `http://127.0.0.1:${version}`,
    version: '3.1',
    authentication: bearerToken(new Secret('token-1234567890')),
  };
}

/** The accounts of one replica, which has the leases that the test takes. */
function replica(
  configured: readonly AccountSettings[],
  store: Store = new MemoryStore(),
  clock = new VirtualClock(),
  changedAtSeconds?: number,
) {
  const leases = new Set<string>();
  const accounts = new Accounts({
    store,
    policies: defaultPolicies(),
    metrics: new ExporterMetrics({
      build: { version: '0.0.0' },
      accounts: () => [],
      clock,
    }),
    clock,
    random: () => 0.5,
    log: silentLog,
    scrubber: new Scrubber(),
    batchIntervalMilliseconds: 1_000,
    onChange: ignore,
    ownership: { isShared: true, trusts: (name) => leases.has(name), isElsewhere: () => false },
  });
  accounts.create(configured, changedAtSeconds);
  onTestFinished(() => accounts.stop());
  return {
    accounts,
    take: (name: string) => {
      leases.add(name);
      return accounts.acquire(name);
    },
    lose: (name: string) => {
      leases.delete(name);
      return accounts.drop(name);
    },
    /** The running accounts, each with the version of its settings. */
    running: () =>
      accounts.all.map(({ name, state }) => `${name} ${state.snapshot().baseUrl.split(':')[2]}`),
    settled: () => clock.advance(0),
  };
}

async function storeItemOf(store: Store, name: string): Promise<void> {
  const items = { check: new Map([[1, plainItem(1)]]) };
  await store.commit({ account: name, items, documents: new DocumentSet<null>() });
}

async function storedItemsOf(store: Store, name: string): Promise<number> {
  return (await store.load(name)).items.check.size;
}

describe('an account that is removed and added again', () => {
  test('runs when it is taken, even if another replica ran it before', async () => {
    const store = new MemoryStore();
    await storeItemOf(store, 'a');
    const { accounts, take, running } = replica([account('a'), account('b')], store);
    await take(exporterAccount);
    await accounts.replace([account('b')]);
    expect(accounts.wanted).toEqual([exporterAccount, 'a']);

    await accounts.replace([account('a'), account('b')]);

    expect(accounts.wanted).toEqual([exporterAccount]);
    expect(await take('a')).toBe(true);
    expect(running()).toEqual(['a 1']);
    expect(accounts.removed()).toEqual([]);
  });

  test('is not removed if it returns while its last outages are read', async () => {
    const store = new SlowStore();
    await storeItemOf(store, 'a');
    const { accounts, take, running, settled } = replica([account('a')], store);
    await take(exporterAccount);
    await accounts.replace([]);
    const arrive = store.hold('a');
    const taken = take('a');
    await settled();
    const reloaded = accounts.replace([account('a')]);
    arrive();
    await Promise.all([taken, reloaded]);

    expect(accounts.removed()).toEqual([]);
    expect(await take('a')).toBe(true);
    expect(running()).toEqual(['a 1']);
    await accounts.handOver('a');
    const row = (await store.load('a')).documents.get('account');
    expect(row).toEqual({ configuredAtSeconds: expect.any(Number) });
  });
});

describe('a reload', () => {
  const before = [account('a'), account('b')];
  const after = [account('a', 2), account('b', 2)];

  /** A replica that runs both accounts, and a reload that waits for the store. */
  async function reloading(held: string) {
    const store = new SlowStore();
    const one = replica(before, store);
    for (const name of [exporterAccount, 'a', 'b']) await one.take(name);
    const arrive = store.hold(held);
    const reloaded = one.accounts.replace(after);
    await one.settled();
    return { ...one, store, arrive, reloaded };
  }

  test.each(['lost', 'handed over'])(
    'does not start an account that is %s meanwhile',
    async (how) => {
      const { accounts, take, lose, running, arrive, reloaded } = await reloading('b');
      const left = how === 'lost' ? lose('a') : accounts.handOver('a');
      expect(running()).toEqual(['b 1']);
      arrive();
      await Promise.all([left, reloaded]);
      expect(running()).toEqual(['b 2']);

      expect(await take('a')).toBe(true);

      expect(running()).toEqual(['a 2', 'b 2']);
    },
  );

  test('does not read an account that is lost while its last state is stored', async () => {
    const { lose, running, store, arrive, reloaded } = await reloading('a');
    const loads = store.loads.length;
    const lost = lose('a');
    arrive();
    await Promise.all([lost, reloaded]);

    expect(store.loads.slice(loads)).toEqual(['b']);
    expect(running()).toEqual(['b 2']);
  });

  test('succeeds for the other accounts if another replica has taken one', async () => {
    const { lose, running, store, arrive, reloaded } = await reloading('a');
    store.onLoad = (name) => {
      if (name === 'a') throw new StoreError('fenced', 'another process has it');
    };
    arrive();

    expect(await reloaded).toEqual({ added: [], changed: ['a', 'b'], removed: [] });

    await lose('a');
    expect(running()).toEqual(['b 2']);
  });

  test('succeeds for the other accounts if one is lost while it cannot be read', async () => {
    const { lose, running, store, arrive, reloaded } = await reloading('a');
    let lost: Promise<void> | undefined;
    store.onLoad = (name) => {
      if (name !== 'a') return;
      lost = lose('a');
      throw new StoreError('refused', 'it cannot be read');
    };
    arrive();

    expect(await reloaded).toEqual({ added: [], changed: ['a', 'b'], removed: [] });

    await lost;
    expect(running()).toEqual(['b 2']);
  });

  test('is complete even if the list of stored accounts cannot be read', async () => {
    const store = new SlowStore();
    const { accounts, take, running } = replica(before, store);
    for (const name of [exporterAccount, 'a', 'b']) await take(name);
    store.isListReadable = false;

    await accounts.replace(after);

    expect(running()).toEqual(['a 2', 'b 2']);
  });

  test('delays the release of an account that it may still read', async () => {
    const { accounts, arrive, reloaded, settled } = await reloading('b');
    let mayRelease = false;
    const left = accounts.handOver('a').then(() => {
      mayRelease = true;
    });
    await settled();
    expect(mayRelease).toBe(false);

    arrive();
    await Promise.all([reloaded, left]);

    expect(mayRelease).toBe(true);
  });

  test('replaces an account that is being taken, and one that is taken later begins with the new settings', async () => {
    const store = new SlowStore();
    const { accounts, take, running, settled } = replica([...before, account('c')], store);
    await take('b');
    const [arriveA, arriveB] = [store.hold('a'), store.hold('b')];
    const takenBefore = take('a');
    await settled();
    const reloaded = accounts.replace([...after, account('c', 2)]);
    const takenLater = take('c');
    arriveA();

    expect(await takenBefore).toBe(true);
    await settled();
    expect(running()).toEqual(['a 1', 'b 1']);
    arriveB();
    await reloaded;

    expect(await takenLater).toBe(true);
    expect(running()).toEqual(['a 2', 'b 2', 'c 2']);
  });

  test('keeps the list of accounts that was being read when it began', async () => {
    const store = new SlowStore();
    const first = replica([account('a')], store);
    await first.take(exporterAccount);
    await first.take('a');
    await first.accounts.replace([]);
    expect(first.accounts.removed()).toEqual(['a']);
    await first.lose(exporterAccount);
    const arrive = store.hold(exporterAccount);
    const second = replica([account('b')], store);
    const taken = second.take(exporterAccount);
    await second.settled();

    const reloaded = second.accounts.replace([account('c')]);
    arrive();
    await reloaded;

    expect(await taken).toBe(true);
    expect(second.accounts.wanted).toEqual([exporterAccount, 'a']);
    expect(await second.take('a')).toBe(true);
    expect(second.accounts.removed()).toEqual(['a']);
  });

  test('deletes nothing after the list of accounts is lost meanwhile', async () => {
    const [store, clock] = [new SlowStore(), new VirtualClock()];
    await storeItemOf(store, 'a');
    const { accounts, take, lose } = replica([account('a'), account('b')], store, clock);
    for (const name of [exporterAccount, 'a', 'b']) await take(name);
    await accounts.replace([account('b')]);
    const arrive = store.hold('b');
    const reloaded = accounts.replace([account('b', 2)]);
    await clock.advance(0);
    const lost = lose(exporterAccount);
    arrive();
    await Promise.all([lost, reloaded, lose('b')]);

    await clock.advance(8 * day);

    expect(await storedItemsOf(store, 'a')).toBe(1);
  });
});

describe('the list of accounts in the store', () => {
  test('shows the next process an account that was removed at a restart', async () => {
    const store = new MemoryStore();
    await storeItemOf(store, 'a');
    const first = replica([account('a'), account('b')], store);
    await first.take(exporterAccount);
    await first.lose(exporterAccount);

    const second = replica([account('b')], store);
    await second.take(exporterAccount);

    expect(second.accounts.wanted).toEqual([exporterAccount, 'a']);
    expect(await second.take('a')).toBe(true);
    expect(second.accounts.removed()).toEqual(['a']);
    expect(second.accounts.wanted).toEqual([exporterAccount]);
  });

  test('keeps what is stored of an account that returns at a restart', async () => {
    const [store, clock] = [new MemoryStore(), new VirtualClock()];
    await storeItemOf(store, 'a');
    const first = replica([account('a')], store, clock);
    await first.take(exporterAccount);
    await first.take('a');
    await first.accounts.replace([]);
    expect(first.accounts.removed()).toEqual(['a']);
    await first.lose(exporterAccount);
    await clock.advance(day);

    const second = replica([account('a')], store, clock);
    await second.take(exporterAccount);
    expect(second.accounts.removed()).toEqual([]);
    await clock.advance(8 * day);

    expect(await storedItemsOf(store, 'a')).toBe(1);
  });

  test('has removed accounts whose last outages nobody has read yet', async () => {
    const store = new MemoryStore();
    await storeItemOf(store, 'a');
    const first = replica([account('a')], store);
    await first.take(exporterAccount);
    await first.accounts.replace([]);
    await first.lose(exporterAccount);

    const second = replica([], store);
    await second.take(exporterAccount);

    expect(second.accounts.wanted).toEqual([exporterAccount, 'a']);
  });

  test('is written by its holder alone: the other replicas want no removed account', async () => {
    const { accounts, take } = replica([account('a')]);
    await accounts.replace([]);

    expect(accounts.wanted).toEqual([exporterAccount]);
    expect(await take('a')).toBe(false);
  });

  test('has no account that a newer configuration of another replica has removed', async () => {
    const [store, clock] = [new MemoryStore(), new VirtualClock()];
    await storeItemOf(store, 'a');
    const newer = replica([], store, clock, 2_000);
    for (const name of [exporterAccount, 'a']) await newer.take(name);
    expect(newer.accounts.removed()).toEqual(['a']);

    const older = replica([account('a')], store, clock, 1_999);
    expect(await older.take('a')).toBe(false);
    await older.accounts.replace([account('a')], 2_000);
    expect(await older.take('a')).toBe(true);
    expect(older.running()).toEqual(['a 1']);
  });

  test('leads to the deletion of an account that was the first to be removed', async () => {
    const [store, clock] = [new MemoryStore(), new VirtualClock()];
    await storeItemOf(store, 'a');
    const { accounts, take } = replica([account('a')], store, clock);
    await take(exporterAccount);
    await accounts.replace([]);
    await take('a');
    await clock.advance(7 * day - 1_000);
    expect(await storedItemsOf(store, 'a')).toBe(1);

    await clock.advance(2_000);

    expect(await storedItemsOf(store, 'a')).toBe(0);
  });
});
