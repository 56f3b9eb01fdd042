import { expect, test, vi } from 'vitest';
import type { DatasetName } from '../../src/domain/dataset.ts';
import { Agenda } from '../../src/schedule/agenda.ts';
import { CurrentPlan } from '../../src/schedule/current-plan.ts';
import { Planner } from '../../src/schedule/planner.ts';
import { nothingLeft, type Refresh } from '../../src/schedule/refresh.ts';
import { firstTotals, shopState } from '../state/support/shop.ts';
import { budgetWith } from '../support/snapshots.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

test('what a dataset waits for is read as soon as possible, and then the dataset itself', () => {
  const clock = new VirtualClock();
  const state = shopState({ clock });
  const check = { id: 1, name: 'a', type: 'http', tags: [], status: 'up' } as const;
  state.list('check', [check], () => firstTotals(check, 1_700_000_000));
  const agenda = new Agenda(() => 1, state);
  const expedite = vi.spyOn(agenda, 'expedite');
  let waits = true;
  const missingDependency = () => (waits ? ('probes' as const) : undefined);
  const plain: Refresh = async () => nothingLeft;
  const refreshes = new Map<DatasetName, Refresh>([
    ['checks', plain],
    ['probes', plain],
    ['credits', plain],
    ['results', Object.assign(async () => nothingLeft, { missingDependency })],
  ]);
  const events = { planned: () => {}, planChanged: () => {} };
  const planner = new Planner({ agenda, datasets: new Set(refreshes.keys()), events });
  const budget = { msUntilAdmission: () => 0, view: () => budgetWith({ requestsPerSecond: 1 }) };
  const plan = new CurrentPlan({ state, refreshes, agenda, planner, budget, clock });
  const resultsDueIn = () => agenda.figures.dueInSeconds('results', 1, clock.monotonic());

  plan.update();
  expect(expedite.mock.calls).toEqual([[{ dataset: 'probes', id: 'account' }, 0]]);
  expect(resultsDueIn()).toBeUndefined();

  waits = false;
  plan.refreshed('credits');
  expect(resultsDueIn()).toBeUndefined();
  plan.refreshed('probes');
  expect(resultsDueIn()).toBeDefined();
});
