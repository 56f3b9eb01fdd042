import { describe, expect, test } from 'vitest';
import { Timetable } from '../../src/schedule/timetable.ts';

function timetable() {
  return new Timetable({ intervalSeconds: { checks: 60, credits: 900 }, random: () => 1 });
}

test('everything is due at the start, the check list first, and each only once', () => {
  const table = timetable();
  expect([table.take(0), table.take(0), table.take(0)]).toEqual(['checks', 'credits', undefined]);
  expect(table.nextDueIn(0)).toBe(Number.POSITIVE_INFINITY);
});

test('a refresh comes back one interval after it began', () => {
  const table = timetable();
  table.take(0);
  table.take(0);

  table.succeeded('checks', 1_000);
  table.succeeded('credits', 1_000);

  expect(table.take(60_999)).toBeUndefined();
  expect(table.nextDueIn(60_999)).toBe(1);
  expect(table.take(61_000)).toBe('checks');
  expect(table.nextDueIn(61_000)).toBe(840_000);
});

describe('after failures', () => {
  function delays(kind: 'transient' | 'persistent', failures: number): number[] {
    const table = timetable();
    let now = 0;
    const seen: number[] = [];
    for (let n = 0; n < failures; n++) {
      table.take(now);
      table.take(now);
      table.postponed('credits', Number.MAX_SAFE_INTEGER);
      table.failed('checks', now, kind);
      const delay = table.nextDueIn(now);
      seen.push(delay);
      now += delay;
    }
    return seen;
  }

  test('that may pass, it is tried again after one minute at first and five at the most', () => {
    expect(delays('transient', 5)).toEqual([60_000, 120_000, 240_000, 300_000, 300_000]);
  });

  test('that only a person can end, it is tried rarely', () => {
    expect(delays('persistent', 4)).toEqual([300_000, 600_000, 900_000, 900_000]);
  });

  test('a success forgets them', () => {
    const table = timetable();
    table.take(0);
    table.take(0);
    table.failed('checks', 0, 'transient');
    table.failed('checks', 0, 'transient');
    table.succeeded('checks', 0);
    table.take(60_000);

    table.failed('checks', 60_000, 'transient');

    expect(table.nextDueIn(60_000)).toBe(60_000);
  });
});

test('what was postponed keeps its failures', () => {
  const table = timetable();
  table.take(0);
  table.take(0);
  table.failed('checks', 0, 'transient');
  table.take(60_000);
  table.postponed('checks', 61_000);
  expect(table.nextDueIn(60_000)).toBe(1_000);
  table.take(61_000);

  table.failed('checks', 61_000, 'transient');

  expect(table.nextDueIn(61_000)).toBe(120_000);
});
