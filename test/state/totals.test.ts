import { expect, expectTypeOf, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import { whole } from '../../src/lib/whole.ts';
import {
  type CheckTotals,
  resultTotalsOf,
  type StoredCheckTotals,
} from '../../src/state/items/totals.ts';
import type { StoredItem } from '../../src/store/store.ts';
import { startEventTally } from '../../src/tally/event-tally.ts';
import { startResultTally } from '../../src/tally/result-tally.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { shopState } from './support/shop.ts';

const check: Check = { id: 7, name: 'shop', type: 'http', status: 'up', tags: [] };

const stored: CheckTotals = {
  states: {
    startSeconds: 1000,
    horizonSeconds: 1060,
    state: 'up',
  },
  results: {
    watermark: {
      startSeconds: whole(1000),
      atSeconds: whole(1050),
      recent: [{ atSeconds: 1040, key: '1' }],
    },
    counts: { up: 6, down: 1, unconfirmed_down: 0, unknown: 0 },
    responseTimes: { boundsSeconds: [0.1, 1], counts: [4, 1, 1], sumMilliseconds: 2500 },
    byCountry: [{ countryIso: 'SE', results: 7, responseTimes: 6, sumMilliseconds: 2500 }],
  },
  analyses: startEventTally(1000),
};

function restored(
  responseTimeBounds: readonly number[],
  checks: readonly Check[],
  totals: StoredCheckTotals = stored,
) {
  const state = shopState({ clock: new VirtualClock(2_000_000), responseTimeBounds });
  state.restore({
    checks,
    checkTotals: new Map([[check.id, totals]]),
    transactionTotals: new Map(),
    checkDetails: new Map(),
    transactionDetails: new Map(),
  });
  // A check that was not in the stored list continues its totals when the first list has it.
  state.list('check', [check], () => {
    throw new Error('the check has totals');
  });
  return state;
}

test('the store has each field of the totals, as the compiler sees', () => {
  expectTypeOf<Exclude<keyof CheckTotals, keyof StoredItem>>().toBeNever();
});

test('the page tells times in seconds, and the countries that were counted', () => {
  expect(resultTotalsOf(stored.results)).toEqual({
    byStatus: { up: 6, down: 1, unconfirmed_down: 0, unknown: 0 },
    responseTime: { bounds: [0.1, 1], counts: [4, 1, 1], sumSeconds: 2.5 },
    byCountry: [{ countryIso: 'SE', results: 7, responseTimes: 6, responseTimeSumSeconds: 2.5 }],
  });
});

test.each([
  ['listed', [check]],
  ['listed only later', []],
])('a stored histogram of a check %s goes on with the same bounds', (_, checks) => {
  const state = restored([0.1, 1], checks);

  expect(state.checks.get(7)?.totals).toBe(stored);
});

test.each([
  ['listed', [check]],
  ['listed only later', []],
])('of a check %s, only the histogram begins again when its bounds were changed', (_, checks) => {
  const state = restored([0.5, 1], checks);

  expect(state.checks.get(7)?.totals).toEqual({
    ...stored,
    results: {
      ...stored.results,
      responseTimes: { boundsSeconds: [0.5, 1], counts: [0, 0, 0], sumMilliseconds: 0 },
    },
  });
  expect(state.snapshot().checks?.[0]?.results).toMatchObject({
    byStatus: { up: 6 },
    responseTime: { bounds: [0.5, 1], counts: [0, 0, 0], sumSeconds: 0 },
  });
});

test.each([
  ['listed', [check]],
  ['listed only later', []],
])('counters of a check %s that were not stored go on from its start', (_, checks) => {
  const { results: _results, analyses: _analyses, ...states } = stored;
  const state = restored([0.5, 1], checks, states);

  expect(state.checks.get(7)?.totals).toEqual({
    ...states,
    results: startResultTally(1000, [0.5, 1]),
    analyses: startEventTally(1000),
  });
  expect(state.snapshot().checks?.[0]?.results).toMatchObject({
    byStatus: { up: 0 },
    responseTime: { bounds: [0.5, 1], counts: [0, 0, 0], sumSeconds: 0 },
  });
});
