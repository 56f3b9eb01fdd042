import { expect, test } from 'vitest';
import { sloPolicyOf } from '../../src/config/objectives-schema.ts';
import type { Check } from '../../src/domain/check.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog } from '../../src/slo/state-log.ts';
import { AccountSlo, type SloItem, sloTransaction } from '../../src/state/standing/account-slo.ts';
import { defaultPolicies } from '../support/default-policies.ts';
import { noEvents, shopState } from './support/shop.ts';

const start = 1_767_225_600;
const hour = 3_600;
const day = 24 * hour;

/** Two checks of one team; the second was down for an hour that ended two hours ago. */
function setUp() {
  const slo = sloPolicyOf({}, { from_tags: ['team:*'] });
  const policies = { ...defaultPolicies(), slo };
  const told: string[] = [];
  const clock = {
    seconds: start,
    now: () => clock.seconds * 1000,
    monotonic: () => 0,
    sleep: async () => {},
  };
  const state = shopState({
    clock,
    policies,
    events: { tagIgnored: (tag) => told.push(tag), groupsLeftOut: () => {} },
  });
  const tags = ['team:pay', 'slo-100'].map((name) => ({ name, source: 'user' as const }));
  const checks = [1, 2].map(
    (id): Check => ({
      ...{ id, name: `check ${id}`, type: 'http', status: 'up', tags },
      resolutionSeconds: 60,
      createdAtSeconds: start - 60 * day,
      lastTestAtSeconds: start,
    }),
  );
  state.list('check', checks, ({ id }) => ({
    states: {
      startSeconds: start - 3 * hour,
      horizonSeconds: start,
      state: 'up',
      resolutionSeconds: 60,
    },
    ...noEvents(start),
    ...(id === 2 && {
      log: {
        ...emptyLog(start - 35 * day),
        changes: StateChanges.of([
          { state: 'up', fromSeconds: start - 35 * day },
          { state: 'down', fromSeconds: start - 3 * hour },
          { state: 'up', fromSeconds: start - 2 * hour },
        ]),
      },
    }),
  }));
  const change = (objective: number) => {
    policies.slo = sloPolicyOf({ default: objective }, { from_tags: ['team:*'] });
  };
  return { state, clock, told, change, checks };
}

test('a changed objective acts at once, on checks and on groups', () => {
  const { state, change, told } = setUp();
  const spent = 1 / (30 * 24);
  const before = state.snapshot();
  expect(before.checks?.map(({ budget }) => budget?.remainingRatio)).toEqual([
    1,
    expect.closeTo(1 - spent / 0.001, 9),
  ]);
  expect(before.groups?.[0]?.budget.remainingRatio).toBeCloseTo(1 - spent / 2 / 0.001, 9);
  expect(before.groups?.[0]?.worst['30d']).toBeCloseTo(spent, 12);
  expect(told).toEqual(['slo-100']);

  change(0.99);
  const after = state.snapshot();
  expect(after.checks?.[1]?.budget?.remainingRatio).toBeCloseTo(1 - spent / 0.01, 9);
  expect(after.groups?.[0]?.budget.objective.ratio).toBe(0.99);
  expect(after.checks?.[0]?.budget?.objective).toEqual({ ratio: 0.99, reason: 'default' });
});

test('a check that was created within the window counts in its group since then', () => {
  const { state, checks } = setUp();
  const [first, second] = checks;
  if (first === undefined || second === undefined) throw new Error('a check is missing');
  const { states } = state.checks.get(1)?.totals ?? {};
  const young = { ...first, id: 3, createdAtSeconds: start - 10 * day };
  state.list('check', [second, young], () => ({
    states: { ...states, startSeconds: start - 3 * hour, horizonSeconds: start, state: 'up' },
    ...noEvents(start),
  }));
  state.leave('check', [1], 'filter');
  expect(state.snapshot().groups?.[0]?.budget.errorRatios['30d']).toBeCloseTo(1 / (40 * 24), 9);
});

test('only checks that failed within the window are shown again when time moves', () => {
  const { state, clock } = setUp();
  const before = state.snapshot();
  clock.seconds += 30;
  void state.totals.commit(() => ({}));
  const after = state.snapshot();
  expect(after.checks?.[0]).toBe(before.checks?.[0]);
});

test('maintenance that is reported late, shortened or deleted corrects the ratios', async () => {
  const { state, clock } = setUp();
  const window = {
    ...({ id: 5, recurrence: 'none', checkIds: [2], transactionIds: [] } as const),
    startAtSeconds: start - 4 * hour,
    endAtSeconds: start - hour,
  };
  const occurrence = (fromSeconds: number, toSeconds: number) => [
    { maintenanceId: 5, fromSeconds, toSeconds },
  ];
  const ratio = () => state.snapshot().checks?.[1]?.budget?.errorRatios['30d'];
  const whole = ratio();
  expect(whole).toBeCloseTo(1 / 720, 9);
  await state.setMaintenance({
    windows: [window],
    occurrences: occurrence(start - 4 * hour, start - hour),
  });
  expect(ratio()).toBe(0);
  await state.setMaintenance({
    windows: [window],
    occurrences: occurrence(start - 4 * hour, start - 2.5 * hour),
  });
  expect(ratio()).toBeCloseTo(0.5 / 718.5, 9);
  // The window is deleted after its occurrence, which stays excluded.
  await state.setMaintenance({ windows: [], occurrences: [] });
  expect(ratio()).toBeCloseTo(0.5 / 718.5, 9);
  // The maintenance of months without records is kept for 400 days.
  clock.seconds += 401 * day;
  await state.setMaintenance({ windows: [window], occurrences: [] });
  await state.setMaintenance({ windows: [], occurrences: [] });
  expect(state.maintenance.read?.ended ?? []).toEqual([]);
});

test.each([
  [{}, false],
  [{ from_tags: ['team:*'] }, true],
])(
  'time moves the row of a young check that was always up only with groups: %j',
  (groups, moves) => {
    const slo = new AccountSlo(
      { ...defaultPolicies(), slo: sloPolicyOf({}, groups) },
      { tagIgnored: () => {} },
    );
    const young = {
      ...{ id: 1, name: 'young', tags: [{ name: 'team:pay', source: 'user' as const }] },
      ...{ isTested: true, resolutionSeconds: 60, createdAtSeconds: start - day },
    };
    const states = { startSeconds: start - hour, horizonSeconds: start, state: 'up' } as const;
    const item: SloItem = { sloChoice: undefined, isGrowing: false };
    slo.moveTo(start + 10);
    slo.rangesOf(item, young, { states: { ...states, resolutionSeconds: 60 } }, []);

    expect(slo.moveTo(start + 20)).toBe(false);
    expect(item.isGrowing).toBe(moves);
  },
);

test.each([
  ['successful', 'up', true],
  ['failing', 'down', true],
  ['failing', 'up', false],
  ['successful', 'down', false],
  ['unknown', 'unknown', false],
] as const)(
  'the state of a transaction that is listed %s and counted %s lasts until the next run: %s',
  (status, counted, isTested) => {
    const transaction = { id: 9, name: 'buy', kind: 'script' as const, tags: [], status };
    expect(sloTransaction(transaction, counted).isTested).toBe(isTested);
    expect(sloTransaction({ ...transaction, active: false }, counted).isTested).toBe(false);
  },
);
