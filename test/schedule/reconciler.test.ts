import { expect, test } from 'vitest';
import type { DatasetName } from '../../src/domain/dataset.ts';
import { present } from '../../src/lib/present.ts';
import { Reconciler } from '../../src/schedule/reconciler.ts';
import { nothingLeft } from '../../src/schedule/refresh.ts';
import type { KnownItem, RefreshTask } from '../../src/schedule/refresh-task.ts';
import { logAtFirstSight } from '../../src/slo/past.ts';
import { firstTotals, shopState } from '../state/support/shop.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { planOf } from './support/agenda-with.ts';

const nowSeconds = 1_700_000_000;

/** An account with so many checks, whose results may wait for the probe list. */
function reconcilerWith(checks: number) {
  const state = shopState({ clock: new VirtualClock(nowSeconds * 1000) });
  const listed = Array.from({ length: checks }, (_, id) => ({
    ...{ id, name: `check ${id}`, type: 'http' as const, tags: [] },
    status: 'up' as const,
  }));
  state.list('check', listed, (check) => firstTotals(check, nowSeconds));
  const turns: string[][] = [];
  const placed: RefreshTask[] = [];
  const agenda = {
    reconcile: (dataset: DatasetName, items: readonly KnownItem[]) =>
      turns.at(-1)?.push(`${dataset} ${items.length}`),
    placeFirst: (tasks: Iterable<RefreshTask>) => {
      turns.at(-1)?.push('first sight');
      placed.push(...tasks);
    },
    figures: { firstSight: () => ({ others: 0, refused: 0, credit: 100 }) },
  };
  const waits = { forProbes: false };
  const results = Object.assign(async () => nothingLeft, {
    missingDependency: () => (waits.forProbes ? ('probes' as const) : undefined),
  });
  const reconciler = new Reconciler({ state, agenda, refreshes: new Map([['results', results]]) });
  const { datasets } = planOf(
    ...(['checks', 'results', 'detail', 'credits'] as const).map((name) => ({
      ...{ name, intervalSeconds: 60 },
    })),
  );
  return { state, reconciler, datasets, turns, placed, waits };
}

/** The datasets and numbers of items that each turn gives to the agenda. */
function turnsWith(checks: number): string[][] {
  const { reconciler, datasets, turns } = reconcilerWith(checks);
  do {
    turns.push([]);
    reconciler.reconcile(datasets, 0);
  } while (reconciler.isUnfinished);
  turns.push([]);
  reconciler.reconcile(datasets, 0);
  return turns;
}

test('the agenda takes over few items at once, and then nothing until they change', () => {
  expect(turnsWith(1_000)).toEqual([
    ['checks 1', 'results 1000', 'detail 1000', 'credits 1', 'first sight'],
    [],
  ]);
});

test('the agenda takes over many items in turns, and the order of first sight last', () => {
  expect(turnsWith(6_000)).toEqual([
    ['checks 1', 'results 6000'],
    ['detail 6000'],
    ['credits 1', 'first sight'],
    [],
  ]);
});

test('a dataset that waits for another has no items until the other one is there', () => {
  const { reconciler, datasets, turns, waits } = reconcilerWith(3);
  waits.forProbes = true;
  turns.push([]);
  expect(reconciler.reconcile(datasets, 0)).toEqual(new Set(['probes']));
  waits.forProbes = false;
  turns.push([]);
  expect(reconciler.reconcile(datasets, 0)).toEqual(new Set());
  expect(turns).toEqual([
    ['checks 1', 'results 0', 'detail 3', 'credits 1', 'first sight'],
    ['results 3', 'first sight'],
  ]);
});

test('the agenda gets the requests of first sight in their order, by the credit that is left', () => {
  const { state, reconciler, datasets, placed } = reconcilerWith(0);
  const failed = [
    { id: 1, status: 'up', lastErrorAtSeconds: nowSeconds - 7_200 },
    { id: 2, status: 'up', lastErrorAtSeconds: nowSeconds - 3_600 },
    { id: 3, status: 'down', lastErrorAtSeconds: nowSeconds - 60 },
  ] as const;
  const listed = failed.map((entry) => ({
    ...{ name: 'shop', type: 'http' as const, tags: [] },
    ...entry,
  }));
  state.list('check', listed, (check) => ({
    ...firstTotals(check, nowSeconds),
    ...present({ log: logAtFirstSight(check, check.status, nowSeconds) }),
  }));
  reconciler.reconcile(datasets, 0);

  expect(placed.map(({ dataset, id }) => `${dataset} ${id}`)).toEqual([
    ...['history 3', 'analyses 3', 'results 3'],
    ...['history 1', 'history 2'],
  ]);
});
