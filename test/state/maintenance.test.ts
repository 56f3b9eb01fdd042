import { describe, expect, test } from 'vitest';
import type { MaintenanceOccurrence, MaintenanceWindow } from '../../src/domain/maintenance.ts';
import {
  MaintenanceCalendar,
  maintenanceAt,
  occurrencesByCheck,
} from '../../src/state/maintenance.ts';

function window(id: number, checkIds: number[], transactionIds: number[] = []): MaintenanceWindow {
  return { id, recurrence: 'none', checkIds, transactionIds };
}

function occurrence(
  maintenanceId: number,
  fromSeconds: number,
  toSeconds: number,
): MaintenanceOccurrence {
  return { id: fromSeconds, maintenanceId, fromSeconds, toSeconds };
}

const windows = [window(1, [10, 11], [90]), window(2, [11, 12])];
const occurrences = [occurrence(1, 100, 200), occurrence(1, 1_100, 1_200), occurrence(2, 150, 400)];

describe('maintenance at a moment', () => {
  test.each([
    [99, [], { active: false, nextStartAtSeconds: 100 }],
    [100, [1], { active: true, nextStartAtSeconds: 150 }],
    [150, [1, 2], { active: true, nextStartAtSeconds: 1_100 }],
    [200, [2], { active: true, nextStartAtSeconds: 1_100 }],
    [400, [], { active: false, nextStartAtSeconds: 1_100 }],
    [1_200, [], { active: false }],
  ])('at %i the windows %j are in effect, and a check of both knows', (now, active, ofBoth) => {
    const maintenance = maintenanceAt(windows, occurrences, now);
    expect([...maintenance.shown.activeIds]).toEqual(active);
    expect(maintenance.checks.get(11)).toEqual(ofBoth);
  });

  test.each([
    [0, [100, 150]],
    [199, [100, 150]],
    [200, [1_100, 150]],
    [400, [1_100, undefined]],
    [1_200, [undefined, undefined]],
  ])('at %i shows of each window the occurrence that lasts or comes next', (now, starts) => {
    const { next } = maintenanceAt(windows, occurrences.toReversed(), now).shown;
    expect(windows.map(({ id }) => next.get(id)?.fromSeconds)).toEqual(starts);
  });

  test('holds until something begins or ends', () => {
    const until = (now: number) => maintenanceAt(windows, occurrences, now).untilSeconds;
    expect([0, 100, 150, 200, 1_150, 1_200].map(until)).toEqual([
      100,
      150,
      200,
      400,
      1_200,
      Number.POSITIVE_INFINITY,
    ]);
  });

  test('takes work in proportion to what there is, however many windows share it', () => {
    let reads = 0;
    const many = Array.from({ length: 200 }, (_, id) => window(id, [id]));
    const daily = many.flatMap(({ id }) =>
      Array.from({ length: 31 }, (_, day) =>
        Object.defineProperty(occurrence(id, day * 100, day * 100 + 50), 'maintenanceId', {
          get: () => {
            reads++;
            return id;
          },
        }),
      ),
    );

    const { shown } = maintenanceAt(many, daily, 60);

    expect(shown.next.get(199)?.fromSeconds).toBe(100);
    expect(reads).toBeLessThan(5 * daily.length);
  });

  test('is told of transactions apart, and an item in no window has none', () => {
    const maintenance = maintenanceAt(windows, occurrences, 100);
    expect(maintenance.transactions.get(90)?.active).toBe(true);
    expect(maintenance.transactions.get(10)).toBeUndefined();
    expect(maintenance.checks.get(99)).toBeUndefined();
  });
});

test('maintenance that a clock ahead of the service took for over is in effect when the clock goes back', () => {
  const ignored = { invalidate: () => undefined, invalidateAll: () => undefined };
  const calendar = new MaintenanceCalendar({ checks: ignored, transactions: ignored });
  calendar.set({ windows, occurrences }, 7_300);
  expect(calendar.at(7_300)?.checks.get(10)).toEqual({ active: false });
  expect(calendar.at(150)?.checks.get(10)).toEqual({ active: true, nextStartAtSeconds: 1_100 });
});

test('the occurrences of a check are those of all its windows', () => {
  const ofCheck = occurrencesByCheck({ windows, occurrences });
  expect(ofCheck(11)).toEqual([
    { fromSeconds: 100, toSeconds: 200 },
    { fromSeconds: 1_100, toSeconds: 1_200 },
    { fromSeconds: 150, toSeconds: 400 },
  ]);
  expect(ofCheck(12)).toEqual([{ fromSeconds: 150, toSeconds: 400 }]);
  expect(ofCheck(1)).toEqual([]);
});
