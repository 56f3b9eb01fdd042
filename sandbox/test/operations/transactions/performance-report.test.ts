import { expect, test } from 'vitest';
import { makeTransactions } from '../../../src/account/seeded-transactions.ts';
import type { SandboxTransaction } from '../../../src/account/transactions.ts';
import {
  intervalSeconds,
  performanceIntervals,
  reportResolutions,
} from '../../../src/operations/transactions/transaction-performance.ts';
import { History } from '../../../src/simulation/history.ts';
import { transactionStates } from '../../../src/simulation/transaction-states.ts';
import { wireWith } from '../../../src/wire.ts';
import fc from '../../support/fast-check.ts';

/** 2026-01-05T00:00:00Z, a Monday. */
const monday = 1_767_571_200;
const hour = 3600;
const day = 86_400;

function seeded(seed: number): readonly SandboxTransaction[] {
  const startedAt = monday + 40 * day;
  const ofNobody = { contactIds: [], teamIds: [] };
  return makeTransactions({ seed, count: 4, startedAt, lateTestSeconds: 0, ...ofNobody });
}

/** Days are UTC days, and states last until now. */
function inDocumentForm(history: History) {
  return { history, wire: wireWith({ reportsEnd: 'now', timeZone: 'UTC' }) };
}

function durations(states: readonly { status: string; from: number; to: number }[]) {
  const sum = (wanted: string) =>
    states.filter(({ status }) => status === wanted).reduce((s, { from, to }) => s + to - from, 0);
  return { up: sum('up'), down: sum('down') };
}

test('intervals begin with the hour, the day and the Monday, and the last is cut at the present', () => {
  const [transaction] = seeded(1) as [SandboxTransaction];
  const history = new History({ seed: 1 });
  const now = monday + 15 * day + 5 * hour + 1200;
  const starts = (resolution: (typeof reportResolutions)[number], from: number) =>
    performanceIntervals(
      inDocumentForm(history),
      transaction,
      { from, to: now },
      resolution,
      now,
    ).map((interval) => [interval.from, interval.to]);

  expect(starts('hour', now - hour)).toEqual([
    [monday + 15 * day + 4 * hour, monday + 15 * day + 5 * hour],
    [monday + 15 * day + 5 * hour, now],
  ]);
  expect(starts('day', now - day)).toEqual([
    [monday + 14 * day, monday + 15 * day],
    [monday + 15 * day, now],
  ]);
  expect(starts('week', now - 7 * day)).toEqual([
    [monday + 7 * day, monday + 14 * day],
    [monday + 14 * day, now],
  ]);
});

test('the average is that of the runs that succeeded, and absent where none did', () => {
  const [transaction] = seeded(1) as [SandboxTransaction];
  const history = new History({ seed: 1 });
  history.plant({
    checkId: transaction.id,
    status: 'down',
    from: monday + hour,
    to: monday + 2 * hour,
  });
  const now = monday + 3 * hour;

  const intervals = performanceIntervals(
    inDocumentForm(history),
    transaction,
    { from: monday, to: now },
    'hour',
    now,
  );

  const times = [...history.results(transaction, monday, monday + hour)].flatMap(
    ({ responseMilliseconds }) => responseMilliseconds ?? [],
  );
  expect(times.length).toBeGreaterThan(0);
  const mean = times.reduce((sum, each) => sum + each, 0) / times.length;
  expect(intervals[0]?.averageResponse).toBe(Math.round(mean));
  expect(intervals[1]).not.toHaveProperty('averageResponse');
});

test('the seconds agree with those of the states and with the length, at any resolution', () => {
  fc.assert(
    fc.property(
      fc.nat(50),
      fc.nat(3),
      fc.constantFrom(...reportResolutions),
      fc.integer({ min: 0, max: 30 * day }),
      fc.integer({ min: 1, max: 8 * day }),
      fc.nat(day),
      (seed, position, resolution, offset, length, later) => {
        const transaction = seeded(seed)[position] as SandboxTransaction;
        const history = new History({ seed });
        const period = { from: monday + offset, to: monday + offset + length };
        const now = period.to + later;

        const intervals = performanceIntervals(
          inDocumentForm(history),
          transaction,
          period,
          resolution,
          now,
        );

        const from = intervals[0]?.from ?? 0;
        const to = intervals.at(-1)?.to ?? 0;
        const { up, down } = durations(transactionStates(history, transaction, { from, to }));
        const total = { up: 0, down: 0, all: 0 };
        for (const interval of intervals) {
          total.up += interval.uptime;
          total.down += interval.downtime;
          total.all += interval.uptime + interval.downtime + interval.unmonitored;
          expect(interval.unmonitored).toBeGreaterThanOrEqual(0);
          expect(interval.to - interval.from).toBeLessThanOrEqual(intervalSeconds[resolution]);
        }
        expect(total).toEqual({ up, down, all: to - from });
        expect(from).toBeLessThanOrEqual(period.from);
        expect(to).toBeGreaterThanOrEqual(period.to);
      },
    ),
    { numRuns: 150 },
  );
});
