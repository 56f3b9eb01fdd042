import { expect, test } from 'vitest';
import type { BudgetView } from '../../src/budget/budget-view.ts';
import type { DatasetName } from '../../src/domain/dataset.ts';
import { Agenda } from '../../src/schedule/agenda.ts';
import type { Plan } from '../../src/schedule/plan.ts';
import { Planner } from '../../src/schedule/planner.ts';

const size = { version: '3.1', checks: 100, transactions: 0 } as const;

function budget(requestsPerHour: number): BudgetView {
  return {
    mode: 'headers',
    windows: { short: { limit: 400, remaining: 400, reserve: 80, resetSeconds: 3600 } },
    requestsPerSecond: requestsPerHour / 3600,
    paused: false,
    inFlight: 0,
  };
}

function setUp(datasets: readonly DatasetName[] = ['checks', 'results', 'outages']) {
  const agenda = new Agenda(() => 1);
  const plans: Plan[] = [];
  const material: Plan[] = [];
  const planner = new Planner({
    agenda,
    datasets: new Set(datasets),
    events: {
      planned: (plan, isMaterial) => {
        plans.push(plan);
        if (isMaterial) material.push(plan);
      },
    },
  });
  return { agenda, planner, plans, material };
}

const resultsInterval = (plan: Plan | undefined) =>
  plan?.datasets.find(({ name }) => name === 'results')?.intervalSeconds ?? 0;

test('plans once and leaves the plan alone while nothing moves', () => {
  const { planner, plans } = setUp();

  for (const rate of [80, 80, 81, 79.5]) planner.update(budget(rate), size, 0);

  expect(plans).toHaveLength(1);
});

test('plans again when the rate or the account changes', () => {
  const { planner, plans } = setUp();
  planner.update(budget(80), size, 0);

  planner.update(budget(60), size, 0);
  planner.update(budget(60), { ...size, checks: 200 }, 0);

  expect(plans).toHaveLength(3);
  expect(resultsInterval(plans[2])).toBeGreaterThan(resultsInterval(plans[1]));
});

test('the pasts that are read do not make a plan news, their end does', () => {
  const { planner, plans, material } = setUp(['checks', 'results', 'history']);
  for (const checksWithUnknownPast of [90, 60, 30, 10, 1, 0]) {
    planner.update(budget(80), { ...size, checksWithUnknownPast }, 0);
  }

  expect(plans).toHaveLength(6);
  expect(material).toEqual([plans[0], plans[5]]);
});

test('keeps the last plan while there is nothing to spend', () => {
  const { planner, plans } = setUp();
  planner.update(budget(80), size, 0);

  planner.update(budget(0), size, 0);

  expect(planner.current).toBe(plans[0]);
});

test('makes room for events when they begin to spend, and takes it back afterwards', () => {
  const { agenda, planner, plans } = setUp();
  planner.update(budget(80), size, 0);
  agenda.reconcile(
    'outages',
    Array.from({ length: 60 }, (_, id) => ({ id, ageSeconds: 0 })),
    0,
  );
  for (let id = 0; id < 60; id++) agenda.expedite({ dataset: 'outages', id }, 0);
  while (agenda.next(1) !== undefined);

  planner.update(budget(80), size, 1);
  planner.update(budget(80), size, 48 * 3_600_000);

  expect(plans).toHaveLength(3);
  expect(resultsInterval(plans[1])).toBeGreaterThan(1.5 * resultsInterval(plans[0]));
  expect(resultsInterval(plans[2])).toBeLessThan(1.05 * resultsInterval(plans[0]));
});
