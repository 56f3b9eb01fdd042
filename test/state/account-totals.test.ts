import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import { startEventTally } from '../../src/tally/event-tally.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { firstTotals, shopState } from './support/shop.ts';

const start = 1_767_225_600;

/**
 * A check that a list shows with one status after the other, and a store whose disk can be full.
 */
function setUp() {
  let isFull = false;
  const state = shopState({
    clock: new VirtualClock(start * 1000),
    storeTotals: async () => {
      if (isFull) throw new Error('disk full');
    },
  });
  state.datasets.planned(new Map([['checks', 60]]));
  const list = (status: Check['status']) => {
    const entry: Check = { id: 1, name: 'shop', type: 'http', tags: [], status };
    state.list('check', [entry], (check) => firstTotals(check, start));
    const outages = state.listedOutages('check', true);
    return state.totals.commit(() => ({
      ...(outages !== undefined && { outages }),
      alerts: { ...startEventTally(start), counts: { '1 email sent': 1 } },
    }));
  };
  return {
    state,
    list,
    fill: (full: boolean) => {
      isFull = full;
    },
    outage: () => state.snapshot().checks?.[0]?.outage?.open,
  };
}

describe('when the store is full', () => {
  test.each([
    ['opens is shown as open', 'up', 'down', true],
    ['ends is shown as closed', 'down', 'up', false],
  ] as const)('an outage that %s', async (_, before, after, open) => {
    const { list, fill, outage } = setUp();
    await list(before);
    fill(true);
    await expect(list(after)).rejects.toThrow('disk full');
    expect(outage()).toBe(open);
  });

  test('the outages are stored with the next parts', async () => {
    const { state, list, fill } = setUp();
    await list('up');
    state.changes.take();
    fill(true);
    await expect(list('down')).rejects.toThrow('disk full');
    expect([...state.changes.take().parts]).toContain('outages');
  });

  test('totals stay as they were', async () => {
    const { state, list, fill } = setUp();
    fill(true);
    await expect(list('up')).rejects.toThrow('disk full');
    expect(state.alerts.counts).toEqual({});
    fill(false);
    await list('up');
    expect(state.alerts.counts).toEqual({ '1 email sent': 1 });
  });
});
