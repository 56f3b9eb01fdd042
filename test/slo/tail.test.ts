import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import type { TalliedState } from '../../src/domain/interval.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog } from '../../src/slo/state-log.ts';
import { provenByListed } from '../../src/slo/tail.ts';

const range = { fromSeconds: 1_000, toSeconds: 1_500 };

function entry(status: Check['status'], lastTestAtSeconds: number): Check {
  return {
    ...{ id: 7, name: 'shop', type: 'http', tags: [], status },
    ...{ resolutionSeconds: 60, lastTestAtSeconds },
  };
}

/** In this state at first sight, which ends the range. */
function seen(state: TalliedState, horizonSeconds = range.toSeconds) {
  return { states: { startSeconds: range.toSeconds, horizonSeconds, state } };
}

/** Seconds in each state, of the range after a report that ended up. */
function proven(check: Check, known: Parameters<typeof provenByListed>[0] = seen('up')) {
  const spans = provenByListed(known, check, 'up', range);
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

test('a list of later tests proves nothing of the time before first sight, when the check was unknown', () => {
  expect(proven(entry('up', 1_600), seen('unknown'))).toEqual([]);
  const changes = new StateChanges(['unknown', 'up'], [1_500, 1_560]);
  const recorded = { ...seen('up', 1_600), log: { ...emptyLog(1_500), changes } };
  expect(proven(entry('up', 1_600), recorded)).toEqual([]);
  expect(proven(entry('up', 1_600), seen('up', 1_600))).toHaveLength(1);
});

test('a list that shows a check as down proves it from the failure that first sight did not confirm', () => {
  const failed = { lastErrorAtSeconds: 1_000, lastDownStartAtSeconds: 1_000 };
  const down = { ...entry('down', 1_600), resolutionSeconds: 600, ...failed };
  expect(proven(down, seen('unknown'))).toEqual([['down', 1_000, 1_500]]);
});
