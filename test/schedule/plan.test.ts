import { describe, expect, test } from 'vitest';
import type { DatasetName } from '../../src/domain/dataset.ts';
import type { Demand } from '../../src/schedule/demand.ts';
import { type Plan, plan } from '../../src/schedule/plan.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';

const perHour = 1 / 3600;

function demand(changes: Partial<Demand> & { name: DatasetName }): Demand {
  return {
    items: 1,
    cost: 1,
    floorSeconds: 60,
    ceilingSeconds: Number.MAX_SAFE_INTEGER,
    weight: 1,
    isStatus: false,
    ...changes,
  };
}

function intervalsOf({ datasets }: Plan): Record<string, number> {
  return Object.fromEntries(datasets.map(({ name, intervalSeconds }) => [name, intervalSeconds]));
}

const checks = demand({ name: 'checks', isStatus: true });
const transactions = demand({ name: 'transactions', isStatus: true, cost: 2, floorSeconds: 300 });

describe('the status datasets', () => {
  test('stand at their floors while they take at most three quarters of the rate', () => {
    const result = plan({ rate: 80 * perHour, demands: [checks] });

    expect(intervalsOf(result)).toEqual({ checks: 60 });
    expect(result.requestsPerSecond).toBeCloseTo(60 * perHour, 12);
  });

  test('share by the square-root rule when they would take more, the check list the larger part', () => {
    // At their floors they take 60 + 24 = 84 requests an hour, but three quarters of 56 are 42. In
    // the rule, T(transactions) = √20 · T(checks), because the cost is double and the weight a
    // tenth: (3600 + 7200/√20) / 42.
    const weighty = { ...checks, weight: 1000 };
    const lighter = { ...transactions, weight: 100 };
    const result = plan({ rate: 56 * perHour, demands: [weighty, lighter] });

    const { checks: checksInterval, transactions: transactionsInterval } = intervalsOf(result);
    expect(checksInterval).toBeCloseTo(124.047, 2);
    expect(transactionsInterval).toBeCloseTo(554.76, 1);
  });

  test('come before everything else', () => {
    const result = plan({
      rate: 80 * perHour,
      demands: [demand({ name: 'results', items: 1e6, weight: 1e9 }), checks],
    });

    expect(intervalsOf(result).checks).toBe(60);
  });
});

describe('a past beyond 35 days', () => {
  const deeper = demand({ name: 'history', items: 200, isOnce: true, isDeeper: true });

  test('gets a quarter of what status leaves, and changes nothing about status', () => {
    const rate = 100 * perHour;
    const demands = [checks, demand({ name: 'results', items: 1000 })];
    const together = plan({ rate, demands: [...demands, deeper] });
    expect(intervalsOf(together).checks).toBe(60);
    // 100 minus 60 of the status dataset are 40. A quarter of these is 10, so 200 requests take 20
    // hours.
    expect(intervalsOf(together).history).toBeCloseTo(20 * 3600, 6);
    expect(together.firstSightRequestsPerSecond).toBeCloseTo(10 * perHour, 12);
    const without = plan({ rate, demands });
    expect(intervalsOf(without).results).toBeCloseTo(
      (intervalsOf(together).results ?? 0) * 0.75,
      6,
    );
    expect(together.shortfall).toEqual(without.shortfall);
    expect(together.demandPerSecond).toBe(without.demandPerSecond);
  });
});

describe('first sight in the long run', () => {
  const history = demand({ name: 'history', items: 100, isOnce: true });
  const lasting = (rate: number, eventRate: number) =>
    plan({
      rate: rate * perHour,
      eventRate: eventRate * perHour,
      lastingRate: 80 * perHour,
      demands: [checks, history],
    }).lastingFirstSight;

  test('has a rate that does not follow the short window', () => {
    expect(lasting(300, 0)).toEqual(lasting(10, 0));
    expect(lasting(80, 0)?.requestsPerSecond).toBeCloseTo(16 * perHour, 12);
  });

  test('has at least four fifths of what the share of events leaves', () => {
    for (const eventRate of [0, 3, 1_000]) {
      const { requestsPerSecond = 0, leastRequestsPerSecond = 0 } = lasting(80, eventRate) ?? {};
      expect(leastRequestsPerSecond).toBeCloseTo(3.2 * perHour, 12);
      expect(requestsPerSecond).toBeGreaterThanOrEqual(leastRequestsPerSecond - 1e-12);
    }
  });
});

describe('what is spare', () => {
  const spare = (rate: number, eventRate = 0) =>
    plan({ rate: rate * perHour, eventRate: eventRate * perHour, demands: [checks, transactions] })
      .spareRequestsPerSecond / perHour;

  test('is what neither the plan nor events take', () => {
    expect(spare(200)).toBeCloseTo(200 - 60 - 24, 9);
    expect(spare(200, 30)).toBeCloseTo(200 - 60 - 24 - 30, 9);
  });

  test('is nothing when the budget does not suffice', () => {
    expect(spare(100)).toBeCloseTo(25, 9);
    expect(
      plan({ rate: 80 * perHour, demands: [demand({ name: 'results', items: 1e6 })] }),
    ).toHaveProperty('spareRequestsPerSecond', expect.closeTo(0, 12));
  });
});

describe('the other datasets', () => {
  test('stand at their floors when there is enough', () => {
    const result = plan({
      rate: 1,
      demands: [demand({ name: 'credits', floorSeconds: 900 }), demand({ name: 'teams' })],
    });

    expect(intervalsOf(result)).toEqual({ credits: 900, teams: 60 });
    expect(result.demandPerSecond).toBeCloseTo(1 / 900 + 1 / 60, 12);
  });

  test('follow the square-root rule when there is not', () => {
    // T1 : T2 = √(1/1) : √(4/1) = 1 : 2, and 10/T1 + 10·4/T2 = 30/T1 = 1/10, so T1 = 300.
    const result = plan({
      rate: 0.1,
      demands: [
        demand({ name: 'results', items: 10 }),
        demand({ name: 'average', items: 10, cost: 4 }),
      ],
    });

    expect(intervalsOf(result).results).toBeCloseTo(300, 6);
    expect(intervalsOf(result).average).toBeCloseTo(600, 6);
  });

  test.each([
    ['what events take', 0.02],
    ['no more than a fifth, even in a rush of events', 0.5],
  ])('leave room for %s', (_case, eventRate) => {
    const demands = [demand({ name: 'results', items: 10 })];

    const result = plan({ rate: 0.1, eventRate, demands });

    expect(intervalsOf(result).results).toBeCloseTo(10 / 0.08, 6);
  });

  test('stop when there is nothing to spend', () => {
    const result = plan({ rate: 0, demands: [checks, demand({ name: 'credits' })] });

    expect(intervalsOf(result)).toEqual({ checks: Infinity, credits: Infinity });
    expect(result.requestsPerSecond).toBe(0);
  });
});

describe('a short window that others have spent', () => {
  const list = { ...checks, ceilingSeconds: 300 };
  const results = demand({ name: 'results', items: 10, ceilingSeconds: 36_000 });

  test('makes outages late now, which is no shortfall', () => {
    const late = plan({ rate: 8 * perHour, lastingRate: 80 * perHour, demands: [list, results] });

    expect(intervalsOf(late).checks).toBeCloseTo(600);
    expect(late).toMatchObject({ isLateNow: true });
    expect(late.shortfall).toBeUndefined();
  });

  test('makes nothing late while the list keeps within its ceiling', () => {
    const slow = plan({ rate: 20 * perHour, lastingRate: 80 * perHour, demands: [list, results] });

    expect(slow).not.toHaveProperty('isLateNow');
  });

  test('adds nothing to a budget that is too small for good', () => {
    const rates = { rate: 4 * perHour, lastingRate: 8 * perHour };
    const { shortfall, ...late } = plan({ ...rates, demands: [list] });

    expect(shortfall?.isStatusLate).toBe(true);
    expect(late).not.toHaveProperty('isLateNow');
  });
});

describe('a budget that is too small', () => {
  const results = demand({ name: 'results', items: 1000, ceilingSeconds: 36_000 });
  const credits = demand({ name: 'credits', weight: 1e6, ceilingSeconds: 3600 });

  test('is reported with the dataset, the requests missing and what to switch off', () => {
    const { datasets, shortfall } = plan({
      rate: 80 * perHour,
      demands: [checks, results, credits],
    });

    const planned = datasets.find(({ name }) => name === 'results');
    expect(planned?.overCeiling).toBe(true);
    // 1000 items every 10 hours are 100 an hour.
    expect((planned?.missingPerHour ?? 0) + (planned?.requestsPerSecond ?? 0) * 3600).toBeCloseTo(
      100,
    );
    expect(shortfall).toMatchObject({
      datasets: ['results'],
      switchOff: ['results'],
      enough: true,
    });
    expect(shortfall?.missingPerHour).toBeCloseTo(planned?.missingPerHour ?? 0);
  });

  test('names no more to be switched off than it takes, the dearest first', () => {
    const detail = demand({ name: 'detail', items: 100, ceilingSeconds: 36_000 });

    const { shortfall } = plan({ rate: 80 * perHour, demands: [checks, detail, results] });

    expect(shortfall).toMatchObject({ datasets: ['detail', 'results'], switchOff: ['results'] });
  });

  test('is reported even when nothing can be switched off', () => {
    const tight = { ...checks, ceilingSeconds: 300 };

    expect(plan({ rate: 4 * perHour, demands: [tight] }).shortfall).toMatchObject({
      datasets: ['checks'],
      switchOff: [],
      enough: false,
    });
  });

  test('is not told when every dataset keeps its ceiling', () => {
    expect(
      plan({ rate: 230 * perHour, demands: [checks, results, credits] }).shortfall,
    ).toBeUndefined();
  });
});

const names = ['results', 'performance', 'average', 'detail', 'credits'] as const;

const others = fc
  .array(
    fc.record({
      items: fc.integer({ min: 1, max: 25_000 }),
      cost: fc.integer({ min: 1, max: 5 }),
      floorSeconds: fc.integer({ min: 60, max: 100_000 }),
      ceilingSeconds: fc.integer({ min: 100_000, max: 10_000_000 }),
      weight: fc.double({ min: 0.1, max: 100_000, noNaN: true }),
    }),
    { minLength: 1, maxLength: names.length },
  )
  .map((rows) => rows.map((row, index) => demand({ name: names[index] ?? 'teams', ...row })));

const demands = fc.tuple(others, fc.subarray([checks, transactions])).map(([a, b]) => [...b, ...a]);
const rate = fc.double({ min: 1e-4, max: 10, noNaN: true });

describe('for any demands', () => {
  test('the plan spends no more than the rate and keeps every floor', () => {
    fc.assert(
      fc.property(
        demands,
        rate,
        fc.double({ min: 0, max: 0.2, noNaN: true }),
        (wanted, r, share) => {
          const { datasets, requestsPerSecond } = plan({
            rate: r,
            eventRate: r * share,
            demands: wanted,
          });
          expect(requestsPerSecond).toBeLessThanOrEqual(r * (1 - share) * (1 + 1e-9));
          wanted.forEach((row, index) => {
            const planned = datasets[index];
            expect(planned?.name).toBe(row.name);
            expect(planned?.intervalSeconds).toBeGreaterThanOrEqual(row.floorSeconds);
          });
        },
      ),
    );
  });

  test('it spends all of it, unless every dataset stands at its floor', () => {
    fc.assert(
      fc.property(others, rate, (wanted, r) => {
        const { datasets, requestsPerSecond } = plan({ rate: r, demands: wanted });
        const atFloors = datasets.every((d, i) => d.intervalSeconds === wanted[i]?.floorSeconds);
        if (!atFloors) expect(requestsPerSecond).toBeGreaterThan(r * (1 - 1e-9));
      }),
    );
  });

  test('a larger rate makes no interval longer', () => {
    fc.assert(
      fc.property(
        demands,
        rate,
        fc.double({ min: 1, max: 10, noNaN: true }),
        (wanted, r, factor) => {
          const tight = plan({ rate: r, demands: wanted }).datasets;
          const loose = plan({ rate: r * factor, demands: wanted }).datasets;
          loose.forEach((planned, index) => {
            const before = tight[index]?.intervalSeconds ?? 0;
            expect(planned.intervalSeconds).toBeLessThanOrEqual(before * (1 + 1e-9));
          });
        },
      ),
    );
  });

  test('equal demands get equal plans, in any order they come', () => {
    fc.assert(
      fc.property(demands, rate, (wanted, r) => {
        const once = plan({ rate: r, demands: wanted });
        expect(plan({ rate: r, demands: wanted })).toEqual(once);
        const turned = plan({ rate: r, demands: wanted.toReversed() });
        for (const [name, seconds] of Object.entries(intervalsOf(once))) {
          expect((intervalsOf(turned)[name] ?? 0) / seconds).toBeCloseTo(1, 9);
        }
      }),
    );
  });

  test('what is named to be switched off is enough, and nothing of status', () => {
    fc.assert(
      fc.property(demands, rate, (wanted, r) => {
        const { shortfall } = plan({ rate: r, demands: wanted });
        if (shortfall === undefined) return;
        const off = new Set<string>(shortfall.switchOff);
        const kept = wanted.filter(({ name }) => !off.has(name));
        expect(kept.filter(({ isStatus }) => isStatus)).toEqual(
          wanted.filter(({ isStatus }) => isStatus),
        );
        expect(plan({ rate: r, demands: kept }).shortfall === undefined).toBe(shortfall.enough);
      }),
    );
  });
});

test('no other intervals that can be afforded give a smaller weighted age', () => {
  const small = fc.record({
    items: fc.integer({ min: 1, max: 20 }),
    cost: fc.integer({ min: 1, max: 4 }),
    floorSeconds: fc.integer({ min: 10, max: 400 }),
    weight: fc.double({ min: 0.2, max: 20, noNaN: true }),
  });
  const weightedAge = (rows: readonly Demand[], seconds: readonly number[]) =>
    rows.reduce((sum, row, i) => sum + (row.items * row.weight * (seconds[i] ?? 0)) / 2, 0);
  fc.assert(
    fc.property(small, small, fc.double({ min: 0.005, max: 1, noNaN: true }), (a, b, r) => {
      const rows = [demand({ name: 'results', ...a }), demand({ name: 'average', ...b })];
      const found = plan({ rate: r, demands: rows }).datasets.map((d) => d.intervalSeconds);
      const best = weightedAge(rows, found);
      // All intervals of the first from its floor to far beyond; the second takes the rest.
      for (let step = 0; step < 2000; step++) {
        const first = a.floorSeconds * 1.01 ** step;
        const rest = r - (a.items * a.cost) / first;
        if (rest <= 0) continue;
        const second = Math.max(b.floorSeconds, (b.items * b.cost) / rest);
        expect(weightedAge(rows, [first, second])).toBeGreaterThanOrEqual(best * (1 - 1e-9));
      }
    }),
    { numRuns: extent(15, 60) },
  );
});
