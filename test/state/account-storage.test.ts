import { setFlagsFromString } from 'node:v8';
import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import { present } from '../../src/lib/present.ts';
import { emptyLog } from '../../src/slo/state-log.ts';
import { AccountStorage } from '../../src/state/account-storage.ts';
import { restoredCheckTotals } from '../../src/state/items/totals.ts';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { countEvents } from '../../src/tally/event-tally.ts';
import { FailingStore } from '../support/failing-store.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { firstTotals, shopState } from './support/shop.ts';

const startSeconds = 1_700_000_000;

function check(id: number): Check {
  return { id, name: `check ${id}`, type: 'http', status: 'up', tags: [] };
}

const transaction: Transaction = {
  id: 7,
  name: 'checkout',
  status: 'successful',
  kind: 'script',
  tags: [],
};

const totalsOf = (entry: Check) => firstTotals(entry, startSeconds);

function process(store: Store, clock: VirtualClock, account = 'shop') {
  const archive = new AccountStorage({ store, account, clock });
  const state = shopState({ clock, storeTotals: (change) => archive.storeTotals(change) });
  return { archive, state, save: () => archive.storeParts(state, new DocumentSet()) };
}

async function restarted(store: Store, clock: VirtualClock) {
  const next = process(store, clock);
  next.state.restore(await next.archive.load());
  return next;
}

/** Lists two checks and a transaction, counts some time and events, and stores everything. */
async function firstLife(store: Store, clock: VirtualClock) {
  const { state, save } = process(store, clock);
  const entries = [check(1), check(2)];
  state.list('check', entries, totalsOf);
  state.list('transaction', [transaction], () => totalsOf(check(7)));
  await state.totals.commit(() => ({
    checks: new Map(
      entries.map((entry) => {
        const totals = totalsOf(entry);
        const { startSeconds } = totals.states;
        const states = { ...totals.states, horizonSeconds: startSeconds + 60 * entry.id };
        return [entry.id, { ...totals, states }] as const;
      }),
    ),
    transactions: new Map([[transaction.id, { states: totalsOf(check(7)).states }]]),
    alerts: countEvents(state.alerts, { fromSeconds: startSeconds, toSeconds: startSeconds + 60 }, [
      { atSeconds: startSeconds, key: '1', label: '1 email sent' },
    ]),
  }));
  state.setDetail('check', 1, 'activeProbes', 5);
  state.setAccountData({
    credits: { checkLimit: 10 },
    contacts: [{ id: 1, type: 'user', targets: [] }],
  });
  state.succeeded('credits', 1);
  await save();
}

describe('after a restart', () => {
  test('everything is as it was, with its true age', async () => {
    const store = new MemoryStore();
    const clock = new VirtualClock((startSeconds - 60) * 1000);
    // The process has run for a while.
    await clock.advance(60_000);
    await firstLife(store, clock);
    await clock.advance(120_000);

    const { state } = await restarted(store, clock);

    const snapshot = state.snapshot();
    expect(snapshot.checks).toMatchObject([
      { id: 1, availability: { seconds: { up: 60 } }, activeProbes: 5 },
      { id: 2, availability: { seconds: { up: 120 } } },
    ]);
    expect(snapshot.transactions).toMatchObject([{ id: 7, name: 'checkout' }]);
    expect(snapshot.credits).toEqual({ checkLimit: 10 });
    expect(snapshot.contacts).toHaveLength(1);
    expect(state.alerts.counts).toEqual({ '1 email sent': 1 });
    expect(snapshot.datasets).toMatchObject({
      checks: { lastSuccessAtSeconds: startSeconds, items: 2, stale: false },
      credits: { lastSuccessAtSeconds: startSeconds, items: 1 },
    });
    expect(state.ageSeconds('checks', 'account')).toBe(120);
    expect(state.ageSeconds('active_probes', 1)).toBe(120);
  });

  test('outages are open, or over under a former name, as they were', async () => {
    const store = new MemoryStore();
    const clock = new VirtualClock(startSeconds * 1000);
    const { archive, state } = process(store, clock);
    const lists = [
      [{ ...check(1), status: 'down' }, check(2)],
      [
        { ...check(1), status: 'down', name: 'renamed' },
        { ...check(2), status: 'down' },
      ],
      [{ ...check(1), status: 'down', name: 'renamed' }, check(2)],
    ] as const;
    for (const entries of lists) {
      state.list('check', entries, totalsOf);
      await state.totals.commit(() => present({ outages: state.listedOutages('check', true) }));
      await archive.storeParts(state, new DocumentSet());
      await clock.advance(60_000);
    }

    const { state: after } = await restarted(store, clock);

    expect(after.standing.outages).toEqual(state.standing.outages);
    const { items, former } = after.standing.outages.check;
    expect([...items].map(([id, { open }]) => [id, open])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(former.map(({ id, labels }) => [id, labels.name])).toEqual([[1, 'check 1']]);
  });

  test('after a long time data are stale and counters are shown', async () => {
    const store = new MemoryStore();
    const clock = new VirtualClock(startSeconds * 1000);
    await firstLife(store, clock);

    const { state } = await restarted(store, new VirtualClock((startSeconds + 86_400) * 1000));

    const snapshot = state.snapshot();
    expect(snapshot).toMatchObject({ up: false, datasets: { checks: { stale: true } } });
    expect(snapshot.checks?.[0]).toMatchObject({ availability: { seconds: { up: 60 } } });
    expect(snapshot.checks?.[0]?.activeProbes).toBeUndefined();
  });

  test('with the wall clock set back, nothing is from the future', async () => {
    const store = new MemoryStore();
    await firstLife(store, new VirtualClock(startSeconds * 1000));

    const { state } = await restarted(store, new VirtualClock((startSeconds - 3_600) * 1000));

    expect(state.ageSeconds('credits', 'account')).toBe(0);
    expect(state.ageSeconds('active_probes', 1)).toBe(0);
  });

  test('totals of a check that the stored list does not have wait for the next list', async () => {
    const store = new MemoryStore();
    const clock = new VirtualClock(startSeconds * 1000);
    await firstLife(store, clock);
    await store.commit({
      account: 'shop',
      documents: new DocumentSet<null>()
        .set('check measurements', [])
        .set('check measurements', null, 1)
        .set('check measurements', null, 2),
    });

    const { state } = await restarted(store, clock);
    state.list('check', [check(2)], totalsOf);

    expect(state.snapshot().checks).toMatchObject([
      { id: 2, availability: { seconds: { up: 120 } } },
    ]);
    expect([...state.checks.removed.keys()]).toEqual([1]);
  });
});

test('a deleted check is removed with its totals and findings', async () => {
  const store = new MemoryStore();
  const clock = new VirtualClock(startSeconds * 1000);
  await firstLife(store, clock);
  const { state, save } = await restarted(store, clock);

  state.list('check', [check(2)], totalsOf);
  await clock.advance(60_000);
  state.list('check', [check(2)], totalsOf);
  const gone = [...state.checks.removed.keys()];
  await state.totals.commit(() => ({ checks: new Map(gone.map((id) => [id, null])) }));
  await save();

  const { items, documents } = await store.load('shop');
  expect([...items.check.keys()]).toEqual([2]);
  expect([...documents.all('details of check').keys()]).not.toContain(1);
});

test('what could not be stored is stored the next time', async () => {
  const store = new FailingStore(new MemoryStore());
  const clock = new VirtualClock(startSeconds * 1000);
  const { state, save } = process(store, clock);
  state.setAccountData({ credits: { checkLimit: 10 } });
  store.failWith(new StoreError('full', 'no space left'));
  await expect(save()).rejects.toThrow('no space left');

  store.failWith(undefined);
  await save();

  const { state: next } = await restarted(store, clock);
  expect(next.accountData).toEqual({ credits: { checkLimit: 10 } });
});

test('restored totals share their hidden classes, which take more memory than their fields', async () => {
  const store = new MemoryStore();
  const clock = new VirtualClock(startSeconds * 1000);
  const { state } = process(store, clock);
  const entries = Array.from({ length: 100 }, (_, place) => check(place + 1));
  const withLog = (entry: Check) => ({ ...totalsOf(entry), log: emptyLog(startSeconds) });
  state.list('check', entries, totalsOf);
  await state.totals.commit(() => ({
    checks: new Map(entries.map((entry) => [entry.id, withLog(entry)])),
  }));
  const { checkTotals } = await new AccountStorage({ store, account: 'shop', clock }).load();

  setFlagsFromString('--allow-natives-syntax');
  const haveSameClass = new Function('a', 'b', 'return %HaveSameMap(a, b)');
  setFlagsFromString('--no-allow-natives-syntax');
  const classes: unknown[] = [];
  const restored = restoredCheckTotals(checkTotals, [1]);
  for (const totals of [...checkTotals.values(), ...restored.values()]) {
    if (!classes.some((other) => haveSameClass(totals, other))) classes.push(totals);
  }
  expect(restored.size).toBe(100);
  expect(classes.length).toBeLessThan(10);
});

test('accounts do not see each other', async () => {
  const store = new MemoryStore();
  const clock = new VirtualClock(startSeconds * 1000);
  await firstLife(store, clock);
  const blog = process(store, clock, 'blog');
  expect((await blog.archive.load()).documents.size).toBe(0);

  blog.state.list('check', [check(9)], totalsOf);
  await blog.state.totals.commit(() => ({ checks: new Map([[9, totalsOf(check(9))]]) }));
  blog.state.setAccountData({ credits: { checkLimit: 3 } });
  await blog.save();
  await blog.archive.storeDocuments(new DocumentSet<null>().set('feature months', 'of blog'));

  const loadedOf = async (account: string) => {
    const { checkTotals, accountData, documents } = await process(
      store,
      clock,
      account,
    ).archive.load();
    const limit = accountData?.credits?.checkLimit;
    return { ids: [...checkTotals.keys()], limit, months: documents.get('feature months') };
  };
  expect(await loadedOf('blog')).toEqual({ ids: [9], limit: 3, months: 'of blog' });
  expect(await loadedOf('shop')).toEqual({ ids: [1, 2], limit: 10, months: undefined });
});

test('a paused storage stores nothing until it is resumed', async () => {
  const store = new MemoryStore();
  const { archive, state, save } = process(store, new VirtualClock());
  archive.pause();
  state.list('check', [check(1)], totalsOf);
  const commit = () => state.totals.commit(() => ({ checks: new Map([[1, totalsOf(check(1))]]) }));
  await expect(commit()).rejects.toThrow(StoreError);
  await expect(save()).rejects.toThrow(StoreError);
  expect((await store.load('shop')).documents.size).toBe(0);
  archive.resume();
  await commit();
  await save();
  const { items, documents } = await store.load('shop');
  expect(items.check.size).toBe(1);
  expect(documents.size).toBeGreaterThan(0);
});
