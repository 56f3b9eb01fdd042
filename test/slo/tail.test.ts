import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import { provenByListed } from '../../src/slo/tail.ts';

const range = { fromSeconds: 1_000, toSeconds: 1_500 };

function entry(status: Check['status'], lastTestAtSeconds: number): Check {
  return {
    ...{ id: 7, name: 'shop', type: 'http', tags: [], status },
    ...{ resolutionSeconds: 60, lastTestAtSeconds },
  };
}

/** Seconds in each state, of the range after a report that ended up. */
function proven(check: Check) {
  const spans = provenByListed(check, 'up', range);
  return spans.map(({ state, fromSeconds, toSeconds }) => [state, fromSeconds, toSeconds]);
}

test('a list proves that a check stayed up after its report, to its last test or the next one', () => {
  expect(proven(entry('up', 1_400))).toEqual([['up', 1_000, 1_400]]);
  expect(proven(entry('up', 1_450))).toEqual([
    ['up', 1_000, 1_450],
    ['up', 1_450, 1_500],
  ]);
  expect(proven(entry('up', 1_600))).toEqual([['up', 1_000, 1_500]]);
});

test.each(['paused', 'unknown', 'unconfirmed_down'] as const)(
  'a list proves nothing after a report while the check is %s',
  (status) => {
    expect(proven(entry(status, 1_400))).toEqual([]);
  },
);

test('a list whose last test the report has proves nothing after it', () => {
  expect(proven(entry('up', 1_000))).toEqual([]);
});
