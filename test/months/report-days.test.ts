import { describe, expect, test } from 'vitest';
import type { talliedStates } from '../../src/domain/interval.ts';
import type { MonthRecord } from '../../src/months/month-record.ts';
import { monthStates } from '../../src/months/month-states.ts';
import { type ReportDay, ReportDays, stepOf } from '../../src/months/report-days.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import { check, daysOf, known, type Life, lives, oracle } from './support/drawn-life.ts';

/** The days as the states of every second have them. */
function wantedDays(life: Life): Omit<ReportDay, 'date'>[] {
  const begins = daysOf(life.month);
  return begins.map((fromSeconds, place) => {
    const month = { fromSeconds, toSeconds: begins[place + 1] ?? life.month.toSeconds };
    const { seconds, maintenance, unwatched = 0 } = oracle({ ...life, month });
    const of = (state: (typeof talliedStates)[number]) =>
      (seconds[state] ?? 0) - (maintenance?.[state] ?? 0);
    return { fromSeconds, down: of('down'), counted: of('up') + of('down'), notKnown: unwatched };
  });
}

function shownDays(life: Life): readonly Omit<ReportDay, 'date'>[] {
  const { occurrences, createdAtSeconds = 0 } = life;
  const begins = daysOf(life.month);
  const source = { ...check, known: known(life), occurrences, createdAtSeconds };
  const record: MonthRecord = {
    ...{ kind: 'check', id: 1, name: 'shop', tags: [], groups: [], objective: 0.999 },
    ...monthStates(source, life.month, begins),
  };
  const month = { ...life.month, name: '2026-10', zone: 'UTC' };
  const days = new ReportDays(month, begins).of(record).all();
  return days.map(({ date: _, ...day }) => day);
}

describe('the days of a line', () => {
  test('have the seconds of every second of them', () => {
    fc.assert(
      fc.property(lives, (life) => {
        expect(shownDays(life)).toEqual(wantedDays(life));
      }),
      { numRuns: extent(20, 1_000) },
    );
  });

  test('of a group are the sums of those of its checks', () => {
    const month = { name: '2026-10', zone: 'UTC', fromSeconds: 0, toSeconds: 3 * 86_400 };
    const days = new ReportDays(month, [0, 86_400, 172_800]);
    const up = { up: 259_200, down: 0, unknown: 0, unmonitored: 0 };
    const record: MonthRecord = {
      ...{ kind: 'check', id: 1, name: 'shop', tags: [], groups: [], objective: 0.999 },
      ...{ seconds: up, awaited: [], unwatched: [], outages: [], knownBy: 'lists' },
    };
    const failed = { ...record, days: [{ place: 1, down: 60, uncounted: 600 }] };
    const young = { ...record, unwatched: [{ fromSeconds: 0, toSeconds: 100 }] };
    const group = days.ofGroup();
    for (const one of [record, failed, record, young]) group.add(days.of(one));
    expect(group.all()).toEqual([
      { date: '1970-01-01', fromSeconds: 0, down: 0, counted: 4 * 86_400 - 100, notKnown: 100 },
      { date: '1970-01-02', fromSeconds: 86_400, down: 60, counted: 4 * 86_400 - 600, notKnown: 0 },
      { date: '1970-01-03', fromSeconds: 172_800, down: 0, counted: 4 * 86_400, notKnown: 0 },
    ]);
  });

  test.each([
    [0, 86_400, 0, 'none'],
    [86, 86_400, 0, 'within'],
    [87, 86_400, 0, 'over'],
    [864, 86_400, 0, 'over'],
    [865, 86_400, 0, 'far_over'],
    [60, 100, 86_300, 'far_over'],
    [0, 86_399, 1, 'unknown'],
    [0, 0, 0, 'untested'],
  ])('with %i s down of %i s, and %i s not known, are %s', (down, counted, notKnown, step) => {
    expect(stepOf({ down, counted, notKnown }, 0.999)).toBe(step);
  });

  test('with exactly the downtime that 90 % permit are within', () => {
    const stepWith = (down: number) => stepOf({ down, counted: 86_400, notKnown: 0 }, 0.9);
    expect(stepWith(8_640)).toBe('within');
    expect(stepWith(8_641)).toBe('over');
  });
});
