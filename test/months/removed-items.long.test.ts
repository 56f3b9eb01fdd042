import { describe, expect, test } from 'vitest';
import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import { AccountMonths } from '../../src/months/account-months.ts';
import { GroupPolicy } from '../../src/slo/groups.ts';
import { ObjectivePolicy } from '../../src/slo/objectives.ts';
import type { LeaveReason } from '../../src/state/items/removed-items.ts';
import type { ListedItem } from '../../src/state/leaving.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { checkWith } from '../support/snapshots.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const calendar = new MonthCalendar('UTC');
const startSeconds = Date.parse('2026-10-01T00:00:00Z') / 1000;
const day = 86_400;
const most = 2_000;

/** A check that was up since the month began. */
function item(id: number): ListedItem {
  const states = { startSeconds, horizonSeconds: startSeconds + day, state: 'up' } as const;
  return { entry: checkWith({ id }), totals: { states }, details: {} } as unknown as ListedItem;
}

async function accountMonths(why: LeaveReason = 'list') {
  const store = new MemoryStore();
  await store.load('shop');
  const listed = new Map<number, ListedItem>();
  const fits = () => false;
  const checks = {
    has: (id: number) => listed.has(id),
    get: (id: number) => listed.get(id),
    records: () => listed.values(),
  };
  const none = { has: () => false, get: () => undefined, records: () => [] };
  const noOccurrences = () => [];
  const occurrencesOf = { check: noOccurrences, transaction: noOccurrences };
  const itemsOf = (kind: string) => (kind === 'check' ? checks : none);
  const state = { itemsOf, checks, transactions: none, maintenance: { occurrencesOf } };
  const warnings: object[] = [];
  const serviceClock = new VirtualClock((startSeconds + 2 * day) * 1000);
  const hooks = { afterRead: async () => {} };
  const months = new AccountMonths({
    account: 'shop',
    state: state as never,
    serviceClock,
    policies: {
      calendar,
      slo: { objectives: new ObjectivePolicy({ fits }), groups: new GroupPolicy({ fits }) },
    } as never,
    storeDocuments: (documents) => store.commit({ account: 'shop', documents }),
    readMonth: async (selection) => {
      const stored = await store.readMonth({ ...selection, account: 'shop' });
      await hooks.afterRead();
      return stored;
    },
    isPastRead: true,
    ...{ service: undefined as never, reads: () => false },
    ...{ secondsToRead: () => Number.POSITIVE_INFINITY, lastingSeconds: () => undefined },
    finishedPasts: () => undefined,
    log: { error: () => undefined, warn: (fields: object) => warnings.push(fields) } as never,
  });
  const remove = async (...ids: readonly number[]) => {
    const atSeconds = startSeconds + 2 * day;
    months.left('check', ids.map(item), { atSeconds, why });
    await store.commit({ account: 'shop', documents: months.takeChanges() });
  };
  const kept = async () => {
    const ids: number[] = [];
    for await (const [batch = []] of months.records([calendar.containing(startSeconds)])) {
      for (const { id } of batch) ids.push(id);
    }
    return ids.sort((a, b) => a - b);
  };
  const of = async (id: number) => {
    const [records = []] = await months.recordsOf([calendar.containing(startSeconds)], 'check', [
      id,
    ]);
    return records;
  };
  /** It is listed, and first seen then. */
  const arrive = async (id: number, seenSeconds: number) => {
    await serviceClock.advance((seenSeconds - startSeconds - 2 * day) * 1000);
    const states = { startSeconds: seenSeconds, horizonSeconds: seenSeconds, state: 'up' } as const;
    const entry = checkWith({ id, createdAtSeconds: startSeconds - day });
    listed.set(id, { entry, totals: { states }, details: {} } as unknown as ListedItem);
    months.arrived('check', [id]);
  };
  return { listed, remove, arrive, kept, of, warnings, hooks };
}

const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place);

describe('the months of removed checks', () => {
  test('are kept of the last 2,000 that were removed', async () => {
    const { remove, kept, warnings } = await accountMonths();
    await remove(...ids(1, most));
    expect(await kept()).toHaveLength(most);
    expect(warnings).toEqual([]);
    await remove(...ids(most + 1, most + 5));
    expect(await kept()).toEqual(ids(6, most + 5));
    expect(warnings).toEqual([{ account: 'shop', items: 5 }]);
  });

  test('are kept of all that a filter excludes', async () => {
    const { remove, kept } = await accountMonths('filter');
    await remove(...ids(1, most));
    await remove(...ids(most + 1, most + 5));
    expect(await kept()).toHaveLength(most + 5);
  });

  test('are kept of a check that has returned, which does not count', async () => {
    const { listed, remove, kept } = await accountMonths();
    await remove(...ids(1, most));
    listed.set(1, item(1));
    await remove(...ids(most + 1, most + 5));
    expect(await kept()).toEqual([1, ...ids(6, most + 5)]);
  });

  test('are those of its log for a check that has returned, also where few are asked for', async () => {
    const { listed, remove, of } = await accountMonths();
    await remove(1);
    const [{ removedAtSeconds } = {}] = await of(1);
    expect(removedAtSeconds).toBe(startSeconds + 2 * day);
    listed.set(1, item(1));
    const [returned] = await of(1);
    expect(returned).toMatchObject({ kind: 'check', id: 1 });
    expect(returned?.removedAtSeconds).toBeUndefined();
  });

  test('are shown of a check that leaves while they are read', async () => {
    const { listed, remove, of, hooks } = await accountMonths();
    await remove(2);
    listed.set(1, item(1));
    hooks.afterRead = async () => {
      if (!listed.delete(1)) return;
      await remove(1);
    };
    expect(await of(1)).toMatchObject([{ id: 1, removedAtSeconds: startSeconds + 2 * day }]);
  });

  test('have the names of then also of a check that has returned long after them', async () => {
    const { remove, arrive, of } = await accountMonths();
    await remove(1);
    const later = startSeconds + 33 * day;
    await arrive(1, later);
    await arrive(2, later);
    const [returned] = await of(1);
    expect(returned?.name).toBeDefined();
    expect(returned?.isSeenLater).toBeUndefined();
    const [seenLater] = await of(2);
    expect(seenLater?.isSeenLater).toBe(true);
  });
});
