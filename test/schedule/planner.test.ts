import { expect, test } from 'vitest';
import type { BudgetView } from '../../src/budget/budget-view.ts';
import type { DatasetName } from '../../src/domain/dataset.ts';
import { Agenda } from '../../src/schedule/agenda.ts';
import type { Plan } from '../../src/schedule/plan.ts';
import { Planner } from '../../src/schedule/planner.ts';
import { slotsById } from './support/agenda-with.ts';

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
  const agenda = new Agenda(() => 1, slotsById);
  const plans: Plan[] = [];
  const reported: Plan[] = [];
  const planner = new Planner({
    agenda,
    datasets: new Set(datasets),
    events: {
      planned: (plan) => plans.push(plan),
      planChanged: (plan) => reported.push(plan),
    },
  });
  return { agenda, planner, plans, reported };
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
  const { planner, plans, reported } = setUp(['checks', 'results', 'history']);
  for (const [minute, checksWithUnknownPast] of [90, 60, 30, 10, 1, 0, 0].entries()) {
    planner.update(budget(80), { ...size, checksWithUnknownPast }, minute * 60_000);
  }

  expect(plans).toHaveLength(6);
  expect(reported).toEqual([plans[0], plans[5]]);
});

test('a change of the plan is reported once, when it has lasted for a minute', () => {
  const { planner, plans, reported } = setUp();
  planner.update(budget(80), size, 0);

  for (let second = 10; second < 600; second += 10) {
    planner.update(budget(second % 60 === 0 ? 10 : 80), size, second * 1000);
  }
  expect(reported).toEqual([plans[0]]);

  for (let second = 600; second < 1200; second += 10) {
    planner.update(budget(10), size, second * 1000);
  }
  expect(reported).toEqual([plans[0], plans.at(-1)]);
});

test('a plan for a budget that is only guessed is not reported', () => {
  const { planner, plans, reported } = setUp();

  planner.update({ ...budget(100), mode: 'learning' }, size, 0);
  planner.update(budget(80), size, 1000);

  expect(reported).toEqual([plans[1]]);
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

test('while nothing can be spent, an account that has grown is planned at the last rate', () => {
  const { planner, plans } = setUp(['checks', 'results', 'history']);
  const grown = { ...size, checks: 200, checksWithUnknownPast: 200 };
  planner.update(budget(80), size, 0);

  planner.update(budget(0), grown, 1_000);

  const expected = setUp(['checks', 'results', 'history']);
  expected.planner.update(budget(80), grown, 0);
  const intervals = (plan: Plan | undefined) =>
    plan?.datasets.map(({ name, intervalSeconds }) => ({ name, intervalSeconds }));
  expect(intervals(plans.at(-1))).toEqual(intervals(expected.plans[0]));
});
