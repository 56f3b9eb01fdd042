import { expect, test } from 'vitest';
import type { Check } from '../../../src/domain/check.ts';
import { emptyLog, type KnownStates } from '../../../src/slo/state-log.ts';
import { FirstSight, type UnreadReport } from '../../../src/state/items/first-sight.ts';

const seen = 1_767_225_600;
const entry: Check = {
  ...{ id: 1, name: 'shop', type: 'http', tags: [], status: 'up', resolutionSeconds: 60 },
  createdAtSeconds: seen - 86_400,
};
const states = { startSeconds: seen, horizonSeconds: seen, state: 'up' } as const;
const unknownPast: KnownStates = { states, log: emptyLog(seen) };
const knownPast: KnownStates = { states, log: emptyLog(seen - 86_400) };

test('more may be requestable with the first check that lacks its past, and until a list after the last', () => {
  const check = {
    ...{ entry, totals: unknownPast, awaitedReport: undefined, wasDownAtFirstSight: false },
    unread: undefined as UnreadReport | undefined,
  };
  const all = new Map([[1, check]]);
  const firstSight = new FirstSight({ get: (id) => all.get(id), records: () => all.values() });
  const raised = (ids: readonly number[]) => {
    const before = firstSight.version;
    firstSight.added(ids);
    return firstSight.version > before;
  };
  expect([raised([]), firstSight.pastsLeft]).toEqual([false, 0]);
  expect([raised([1]), firstSight.pastsLeft]).toEqual([true, 1]);
  expect(raised([])).toBe(true);
  check.totals = knownPast;
  expect([raised([]), firstSight.pastsLeft]).toEqual([true, 0]);
  expect(raised([])).toBe(false);
});
