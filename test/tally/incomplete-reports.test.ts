import { describe, expect, test } from 'vitest';
import { reportPatience } from '../../src/tally/count-report.ts';
import { type IncompleteItem, isUsable } from '../../src/tally/incomplete-reports.ts';

const hour = 3_600;
const day = 24 * hour;

/** An item, of which states are awaited from second 0 on, and its reports at these times. */
function usableAt(...times: readonly number[]): readonly boolean[] {
  const item: IncompleteItem = { incompleteReports: undefined };
  return times.map((nowSeconds) => {
    const report = { isComplete: false, nowSeconds, awaitedSeconds: 0 };
    return isUsable(item, report, reportPatience);
  });
}

describe('an incomplete report', () => {
  test('is used after a day, an hour of which was spent asking', () => {
    expect(usableAt(60, day - 60, day + 60)).toEqual([false, false, true]);
    expect(usableAt(day + 60, day + hour, day + hour + 60)).toEqual([false, false, true]);
  });

  test('is awaited for an hour again after a day without any', () => {
    expect(usableAt(60, 3 * day, 3 * day + 600, 3 * day + hour)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('is used at the third attempt where the budget allows a request every few days', () => {
    expect(usableAt(60, 3 * day, 6 * day)).toEqual([false, false, true]);
  });

  test('is awaited from its begin on after a complete one', () => {
    const item: IncompleteItem = { incompleteReports: undefined };
    const read = (isComplete: boolean, nowSeconds: number) =>
      isUsable(item, { isComplete, nowSeconds }, reportPatience);

    expect([read(false, 0), read(true, hour), read(false, day + 60)]).toEqual([false, true, false]);
    expect([read(false, 2 * day), read(false, 2 * day + 60)]).toEqual([false, true]);
  });
});
