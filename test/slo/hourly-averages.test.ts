import { expect, test } from 'vitest';
import { averagesOf, runsOf } from '../../src/slo/hourly-averages.ts';

const hour = 3_600;
const start = 1_767_225_600;

function hourAt(startAtSeconds: number, seconds?: number) {
  return {
    ...{ startAtSeconds, complete: true },
    ...(seconds !== undefined && { averageResponseTimeSeconds: seconds }),
  };
}

test('the hours of a report are one run, with a gap where nothing was measured', () => {
  const runs = runsOf([hourAt(start, 0.1), hourAt(start + hour), hourAt(start + 3 * hour, 0.3)]);

  expect(runs.map(averagesOf)).toEqual([
    [
      [start, 0.1],
      [start + 3 * hour, 0.3],
    ],
  ]);
});

test('where the time zone changes by half an hour, another run begins', () => {
  const later = start + 1.5 * hour;
  const runs = runsOf([hourAt(start, 0.1), hourAt(later, 0.2), hourAt(later + hour, 0.3)]);

  expect(runs.map(averagesOf)).toEqual([
    [[start, 0.1]],
    [
      [later, 0.2],
      [later + hour, 0.3],
    ],
  ]);
});
