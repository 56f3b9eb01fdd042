import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import { present } from '../../src/lib/present.ts';
import type { ItemEvents } from '../../src/state/leaving.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { firstTotals, shopState } from './support/shop.ts';

const startSeconds = 1_767_225_600;
const web = { name: 'web', source: 'user' } as const;

function check(id: number, changes: Partial<Check> = {}): Check {
  return { id, name: `shop ${id}`, type: 'http', tags: [], status: 'up', ...changes };
}

/** An account that counts what its features hear. */
function heardAccount() {
  const clock = new VirtualClock(startSeconds * 1000);
  const heard: unknown[] = [];
  const events: ItemEvents = {
    arrived: (kind, ids) => heard.push({ kind, arrived: [...ids] }),
    left: (kind, items, leaving) => {
      const left = items.map(({ entry, totals, details }) => {
        const { horizonSeconds } = totals.states;
        return { name: entry.name, horizonSeconds, details: Object.keys(details) };
      });
      const isThere = items.map(({ entry }) => state.checks.has(entry.id));
      heard.push({ kind, left, isThere, ...leaving });
    },
    relabelled: (kind, before) => heard.push({ kind, relabelled: before.map(({ name }) => name) }),
  };
  const state = shopState({ clock, events });
  const list = (entries: readonly Check[], excluded: readonly number[] = []) =>
    state.list('check', entries, (entry) => firstTotals(entry, startSeconds), {
      isComplete: true,
      excluded: new Set(excluded),
    });
  const commit = () =>
    state.totals.commit(() => {
      const records = [...state.checks.records()];
      const checks = new Map(records.map(({ entry, totals }) => [entry.id, totals]));
      return present({ checks, outages: state.listedOutages('check', true) });
    });
  const take = () => heard.splice(0);
  return { state, clock, list, commit, take };
}

describe('an item', () => {
  test('arrives with its first list, and leaves as it was when lists lack it', async () => {
    const { state, clock, list, commit, take } = heardAccount();
    list([check(1), check(2)]);
    expect(take()).toEqual([{ kind: 'check', arrived: [1, 2] }]);
    await commit();
    state.setDetail('check', 1, 'activeProbes', 3);

    list([check(2)]);
    expect(take()).toEqual([]);
    await clock.advance(60_000);
    list([check(2)]);

    const left = [{ name: 'shop 1', horizonSeconds: startSeconds, details: ['activeProbes'] }];
    const atSeconds = startSeconds + 60;
    expect(take()).toEqual([{ kind: 'check', left, isThere: [false], atSeconds, why: 'list' }]);

    list([check(1), check(2)]);
    expect(take()).toEqual([{ kind: 'check', arrived: [1] }]);
  });

  test('leaves at once when its list or a reload excludes it, and its outage ends', async () => {
    const { state, list, commit, take } = heardAccount();
    list([check(1, { status: 'down' }), check(2, { status: 'down' }), check(3)]);
    await commit();
    take();
    expect(state.snapshot().openCheckOutages).toBe(2);

    list([check(2, { status: 'down' }), check(3)], [1]);
    expect(take()).toMatchObject([{ left: [{ name: 'shop 1' }], why: 'filter' }]);
    expect(state.snapshot().openCheckOutages).toBe(1);
    state.leave('check', [2], 'filter');
    expect(take()).toMatchObject([{ left: [{ name: 'shop 2' }], why: 'filter' }]);

    const { openCheckOutages, endedChecks } = state.snapshot();
    expect(openCheckOutages).toBe(0);
    expect(endedChecks).toMatchObject([
      { id: 1, outage: { open: false } },
      { id: 2, outage: { open: false } },
    ]);
    expect([...state.checks.removed.keys()]).toEqual([1, 2]);
  });

  test('is known by its name for a day after it has left, with whether it was down', async () => {
    const { state, clock, list, commit } = heardAccount();
    list([check(1, { status: 'down' }), check(2, { status: 'unconfirmed_down' }), check(3)]);
    await commit();
    list([check(3)], [1, 2]);

    const left = { atSeconds: startSeconds, why: 'filter' };
    await clock.advance((86_400 - 60) * 1000);
    list([check(3)], [1, 2]);
    expect(state.checks.left(1)).toEqual({ ...left, name: 'shop 1', wasDown: true });
    expect(state.checks.left(2)).toMatchObject({ wasDown: false });
    expect(state.transactions.left(1)).toBeUndefined();

    list([check(2), check(3)], [1]);
    expect(state.checks.left(2)).toBeUndefined();
    await clock.advance(60_000);
    list([check(2), check(3)], [1]);
    expect(state.checks.left(1)).toBeUndefined();
  });

  test('leaves once', () => {
    const { state, list, take } = heardAccount();
    list([check(1)]);
    take();
    state.leaveAll('check', 'account');
    state.leaveAll('check', 'account');
    expect(take()).toHaveLength(1);
  });

  test('has the name and tags of the list before when it is relabelled', () => {
    const { list, take } = heardAccount();
    list([check(1), check(2)]);
    list([check(1, { status: 'down' }), check(2, { tags: [web] })]);
    list([check(1, { name: 'store' }), check(2, { tags: [web] })]);
    expect(take()).toEqual([
      { kind: 'check', arrived: [1, 2] },
      { kind: 'check', relabelled: ['shop 2'] },
      { kind: 'check', relabelled: ['shop 1'] },
    ]);
  });
});
